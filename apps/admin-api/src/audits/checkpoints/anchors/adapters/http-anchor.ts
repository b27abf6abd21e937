import type { Anchor } from '../anchor.ts';
import { anchorLine } from '../anchor.ts';

/** An answer that takes longer is a failure. */
const timeoutMs = 5_000;

/**
 * Sends each checkpoint as a POST. Any 2xx is success; redirects are none. The address is the operator's own, so that it is
 * not under the rule for addresses that tenants give.
 */
export function httpAnchor(url: string, send: typeof fetch = fetch): Anchor {
  return {
    kind: 'http',
    async put(checkpoint) {
      const answer = await send(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: anchorLine(checkpoint),
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
      }).catch((error: unknown) => Promise.reject(unreached(error)));
      await answer.body?.cancel();
      if (!answer.ok) throw new Error(`the anchor answered ${answer.status}`);
    },
  };
}

/** What is told of a failure: nothing of the address, which may hold a token. */
function unreached(error: unknown): Error {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'no answer';
  return new Error(`the anchor was not reached: ${code}`);
}
