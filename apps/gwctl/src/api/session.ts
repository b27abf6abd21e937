import type { AdminAnswer, AdminClient, AdminRequest } from '@portcullis/admin-client';
import { chooseDestination } from '../contexts/choose-context.ts';
import type { Destination } from '../contexts/choose-context.ts';
import { CommandFailure } from '../failure.ts';
import { duringWrite } from '../interruption.ts';
import type { GlobalOptions } from '../options.ts';
import { checkRelease } from './check-release.ts';
import { clientFor } from './client.ts';
import { withFreshToken } from './fresh-token.ts';
import { problemFailure } from './problem-failure.ts';

/** An answer that came and was no failure. */
export type Success = Extract<AdminAnswer, { ok: true }> & {
  /** Whether the request was to change something. */
  readonly wasWrite: boolean;
};

/** The API as one command sees it. */
export interface Session {
  readonly destination: Destination;
  /** The tenant of `--tenant-id`, else the environment's, else the context's. */
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
  const session = await openUnauthenticated(options, intent);
  if (session.destination.token === undefined) {
    throw new CommandFailure(`no token for ${session.destination.apiUrl}: run gwctl login, or give --token`);
  }
  await checkRelease(session, intent, options.allowVersionMismatch === true);
  return session;
}

/** A session that may lack a token, for what is public. */
export async function openUnauthenticated(
  options: GlobalOptions & { readonly tenantId?: string },
  intent: Intent = 'read',
): Promise<Session> {
  const destination = await withFreshToken(chooseDestination(options), options);
  const client = clientFor(destination, options);
  return {
    destination,
    tenantId: options.tenantId ?? destination.tenantId,
    attempt: client.request,
    call: async (method, path, request) => {
      const isWrite = intent === 'write' && method !== 'GET';
      const send = (): Promise<AdminAnswer> => client.request(method, path, request);
      const answer = await (isWrite ? duringWrite(send) : send());
      if (!answer.ok) throw problemFailure(answer.problem, isWrite);
      return { ...answer, wasWrite: isWrite };
    },
  };
}
