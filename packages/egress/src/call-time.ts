import { EgressError } from './egress-error.ts';

/** The time that a call has, and its caller's leave to go on. Whatever waits on its behalf waits with its signal. */
export class CallTime {
  /** Its reason is an {@link EgressError}: `timeout` or `aborted`. */
  readonly signal: AbortSignal;
  readonly #ends = new AbortController();
  readonly #timer: ReturnType<typeof setTimeout>;
  readonly #caller: AbortSignal | undefined;

  constructor(timeoutMs: number, caller?: AbortSignal) {
    this.signal = this.#ends.signal;
    this.#caller = caller;
    this.#timer = setTimeout(
      () => this.#ends.abort(new EgressError('timeout', `the call took longer than ${timeoutMs} ms`)),
      timeoutMs,
    );
    if (caller?.aborted === true) this.#abort();
    else caller?.addEventListener('abort', this.#abort, { once: true });
  }

  /** Settles as `promise` does, or rejects when the time is over; `promise` is then left to itself. */
  race<T>(promise: Promise<T>): Promise<T> {
    const { signal } = this;
    return new Promise((resolve, reject) => {
      const end = (): void => reject(signal.reason as EgressError);
      if (signal.aborted) end();
      else signal.addEventListener('abort', end, { once: true });
      promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', end));
    });
  }

  /** The call is over: nothing of it is left with the caller's signal. */
  end(): void {
    clearTimeout(this.#timer);
    this.#caller?.removeEventListener('abort', this.#abort);
  }

  readonly #abort = (): void => this.#ends.abort(new EgressError('aborted', 'the call was given up by its caller'));
}
