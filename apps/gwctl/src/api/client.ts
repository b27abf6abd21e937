import { createAdminClient } from '@portcullis/admin-client';
import type { AdminClient } from '@portcullis/admin-client';
import type { Destination } from '../contexts/choose-context.ts';
import { CommandFailure } from '../failure.ts';
import type { GlobalOptions } from '../options.ts';
import { tracedFetch } from './traced-fetch.ts';

/** A client for a destination. @throws CommandFailure for an address that is none */
export function clientFor(
  destination: Pick<Destination, 'apiUrl' | 'token'>,
  { timeoutMs, verbose }: Pick<GlobalOptions, 'timeoutMs' | 'verbose'>,
): AdminClient<object> {
  const send = (request: Request): Promise<Response> => fetch(request);
  try {
    return createAdminClient<object>({
      baseUrl: destination.apiUrl,
      ...(destination.token === undefined ? {} : { token: destination.token }),
      fetch: verbose === true ? tracedFetch(send) : send,
      timeoutMs,
      newRequestId: () => crypto.randomUUID(),
    });
  } catch (error) {
    if (error instanceof TypeError) throw new CommandFailure(error.message);
    throw error;
  }
}
