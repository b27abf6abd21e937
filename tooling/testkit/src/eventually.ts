/** Options of `eventually`. */
export interface EventuallyOptions {
  /** How long to go on trying, in milliseconds. Default 20,000: only a test that fails waits as long. */
  readonly timeoutMs?: number;
  /** Pause between two tries, in milliseconds. Default 20. */
  readonly intervalMs?: number;
}

/** The deadline passed; `cause` is what the last try threw, if it threw. */
export class EventuallyTimeoutError extends Error {
  override readonly name = 'EventuallyTimeoutError';
  readonly code = 'eventually_timeout';
}

/**
 * Polls until `attempt` gives something that is neither `undefined` nor `false`, and gives that back. A throw counts as
 * "not yet", so assertions can stand inside. Tests wait with this and never sleep.
 * @throws EventuallyTimeoutError after `timeoutMs`, saying what the last try threw or gave.
 */
export async function eventually<T>(
  attempt: () => T | Promise<T>,
  options: EventuallyOptions = {},
): Promise<Exclude<T, undefined | false>> {
  const { timeoutMs = 20_000, intervalMs = 20 } = options;
  const deadlineMs = performance.now() + timeoutMs;
  for (;;) {
    const outcome = await tryOnce(attempt);
    if (outcome.ok) return outcome.value;
    if (performance.now() + intervalMs > deadlineMs) {
      throw new EventuallyTimeoutError(`not reached within ${timeoutMs} ms: ${outcome.reason}`, {
        cause: outcome.cause,
      });
    }
    await new Promise((resolve) => setTimeout(resolve, intervalMs));
  }
}

type Outcome<T> =
  | { readonly ok: true; readonly value: Exclude<T, undefined | false> }
  | { readonly ok: false; readonly reason: string; readonly cause?: unknown };

async function tryOnce<T>(attempt: () => T | Promise<T>): Promise<Outcome<T>> {
  try {
    const value = await attempt();
    if (value === undefined || value === false) return { ok: false, reason: `the last try gave ${String(value)}` };
    return { ok: true, value: value as Exclude<T, undefined | false> };
  } catch (error) {
    return { ok: false, reason: error instanceof Error ? error.message : String(error), cause: error };
  }
}
