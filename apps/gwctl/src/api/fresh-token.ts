import type { Destination } from '../contexts/choose-context.ts';
import { sameAddress, tokenOf } from '../contexts/choose-context.ts';
import { readContexts } from '../contexts/context-file.ts';
import type { Context } from '../contexts/context-file.ts';
import { updateContexts, withContext } from '../contexts/update-contexts.ts';
import { CommandFailure } from '../failure.ts';
import type { GlobalOptions } from '../options.ts';
import { clientFor } from './client.ts';
import { problemFailure } from './problem-failure.ts';
import { grantOf } from './session-grant.ts';

/** A token that ends within this many milliseconds is renewed: the command should get through. */
const marginMs = 30_000;

/** Others wait for the file while a session is renewed, so it takes no longer, in milliseconds. */
const renewalMsMax = 10_000;

/**
 * The destination with a token that is not about to end. Of processes that find it ending at once, one exchanges the refresh
 * token and the others take what it got: a refresh token that is used twice ends the session.
 * @throws CommandFailure when the session is over, or the server cannot be asked
 */
export async function withFreshToken(destination: Destination, options: GlobalOptions): Promise<Destination> {
  const { contextName: name, apiUrl } = destination;
  if (name === undefined || !isEnding(readContexts().contexts[name])) return destination;
  let token = destination.token;
  await updateContexts(async (stored) => {
    const context = Object.hasOwn(stored.contexts, name) ? stored.contexts[name] : undefined;
    if (!context || !sameAddress(context.api_url, apiUrl)) {
      throw new CommandFailure(`context ${name} was changed meanwhile: try again`);
    }
    if (!isEnding(context)) {
      token = tokenOf(context);
      return stored;
    }
    const timeoutMs = Math.min(options.timeoutMs, renewalMsMax);
    const client = clientFor({ apiUrl, token: undefined }, { ...options, timeoutMs });
    const body = { refresh_token: context.refresh_token };
    const answer = await client.request('POST', '/auth/refresh', { body });
    if (!answer.ok && answer.problem.status === 401) {
      throw new CommandFailure(`the session of context ${name} is over: run gwctl login again`);
    }
    if (!answer.ok) throw problemFailure(answer.problem);
    const grant = grantOf(answer.body);
    if (!grant) throw new CommandFailure(`${apiUrl} renewed the session without an access token`);
    token = grant.token;
    return withContext(stored, name, { ...context, ...grant });
  });
  return { ...destination, token };
}

function isEnding(context: Context | undefined): boolean {
  if (context?.refresh_token === undefined || context.expires_at === undefined) return false;
  return Date.parse(context.expires_at) - Date.now() < marginMs;
}
