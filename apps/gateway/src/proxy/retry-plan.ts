import type { UpstreamFailure } from '../transport/upstream-transport.ts';

/** The first pause before a target is tried again; each further one is twice as long. */
export const firstPauseMs = 10;

/** No pause is longer. */
export const pauseMsMax = 1000;

/** RFC 9110, section 9.2.2: to do it twice is to do it once. */
const idempotentMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']);

/** What is known of a request whose attempt failed. */
export interface FailedAttempt {
  readonly failure: UpstreamFailure;
  readonly method: string;
  /** Whether the body can be sent once more: there is none, or it is in memory. */
  readonly repeatable: boolean;
  /** Attempts that failed, this one included. */
  readonly attempts: number;
  /** Whether there is a healthy endpoint that was not tried yet. */
  readonly hasUntried: boolean;
  /** Milliseconds since the first attempt began. */
  readonly elapsedMs: number;
}

/**
 * Whether a request is tried again, and when. What was not sent may always be; what was sent only when the upstream broke
 * the connection without an answer, as one does that closes an idle connection in the very moment.
 * @param retries how often at most
 * @param budgetMs no attempt at what was tried before begins later
 * @returns milliseconds to wait, or `undefined` when it is over
 */
export function pauseBeforeRetry(attempt: FailedAttempt, retries: number, budgetMs: number): number | undefined {
  const { failure, attempts, hasUntried } = attempt;
  if (attempts > retries || !mayRepeat(attempt)) return undefined;
  // A closed idle connection is no sign of trouble, and another target may be well.
  if (hasUntried || (attempts === 1 && failure.code === 'upstream_reset')) return 0;
  const pauseMs = Math.min(pauseMsMax, firstPauseMs * 2 ** Math.min(attempts - 1, 30));
  return attempt.elapsedMs + pauseMs > budgetMs ? undefined : pauseMs;
}

/** Whether no connection came about: another address of the same name may do as well. */
export function isConnectFailure({ code }: UpstreamFailure): boolean {
  return code === 'upstream_connect_failed' || code === 'upstream_connect_timeout' || code === 'upstream_tls_failed';
}

function mayRepeat({ failure, method, repeatable, hasUntried }: FailedAttempt): boolean {
  if (failure.code === 'upstream_reset') return repeatable && idempotentMethods.has(method);
  // To ask a busy target again would press on it, and a certificate that was not accepted will not be the next time.
  if (failure.code === 'upstream_busy' || failure.code === 'upstream_tls_failed') return hasUntried;
  return failure.unsent && failure.code !== 'upstream_refused';
}
