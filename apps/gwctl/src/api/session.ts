import { createAdminClient } from '@portcullis/admin-client';
import type { AdminAnswer, AdminClient, AdminRequest } from '@portcullis/admin-client';
import { chooseDestination } from '../contexts/choose-context.ts';
import type { Destination } from '../contexts/choose-context.ts';
import { CommandFailure } from '../failure.ts';
import type { GlobalOptions } from '../options.ts';
import { checkRelease } from './check-release.ts';
import { problemFailure } from './problem-failure.ts';

/** An answer that came and was no failure. */
export type Success = Extract<AdminAnswer, { ok: true }>;

/** The API as one command sees it. */
export interface Session {
  readonly destination: Destination;
  /** The tenant of `--tenant-id`, else the context's. */
  readonly tenantId: string | undefined;
  /** Calls the API once. @throws CommandFailure for anything but success */
  readonly call: (method: string, path: string, request?: AdminRequest) => Promise<Success>;
  /** Calls the API once and gives failures back. */
  readonly attempt: AdminClient<object>['request'];
}

/** What a command is about to do: the server's release must fit before anything is written. */
export type Intent = 'read' | 'write';

/** The session of a command that needs a token. @throws CommandFailure when there is none, or the releases differ */
export async function openSession(
  options: GlobalOptions & { readonly tenantId?: string },
  intent: Intent,
): Promise<Session> {
  const session = openUnauthenticated(options, intent);
  if (session.destination.token === undefined) {
    throw new CommandFailure(`no token for ${session.destination.apiUrl}: run gwctl login, or give --token`);
  }
  await checkRelease(session, intent, options.allowVersionMismatch);
  return session;
}

/** A session that may lack a token, for what is public. */
export function openUnauthenticated(
  options: GlobalOptions & { readonly tenantId?: string },
  intent: Intent = 'read',
): Session {
  const destination = chooseDestination(options);
  const client = clientFor(destination, options.timeoutMs);
  return {
    destination,
    tenantId: options.tenantId ?? destination.tenantId,
    attempt: client.request,
    call: async (method, path, request) => {
      const answer = await client.request(method, path, request);
      if (!answer.ok) throw problemFailure(answer.problem, intent === 'write' && method !== 'GET');
      return answer;
    },
  };
}

/** A client for a destination. @throws CommandFailure for an address that is none */
export function clientFor(destination: Omit<Destination, 'tenantId'>, timeoutMs: number): AdminClient<object> {
  try {
    return createAdminClient<object>({
      baseUrl: destination.apiUrl,
      ...(destination.token === undefined ? {} : { token: destination.token }),
      fetch: (request) => fetch(request),
      timeoutMs,
      newRequestId: () => crypto.randomUUID(),
    });
  } catch (error) {
    if (error instanceof TypeError) throw new CommandFailure(error.message);
    throw error;
  }
}
