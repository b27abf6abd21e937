/**
 * Calls that several callers wait for together: whoever asks for what is being asked for already waits for that call. One caller
 * who leaves does not end it for the others; when the last one has left, it is ended.
 */
export class SharedCalls<Result> {
  readonly #calls = new Map<string, SharedCall<Result>>();

  /** Calls that are under way. At most as many as there are callers. */
  get size(): number {
    return this.#calls.size;
  }

  /** Whether the call of a key is under way. */
  has(key: string): boolean {
    return this.#calls.has(key);
  }

  /**
   * Waits for the call of a key, and begins it where there is none.
   * @param signal the caller leaves when it fires
   * @param begin its signal fires when nobody waits any more
   * @throws what the call throws, or the signal's reason
   */
  wait(key: string, signal: AbortSignal, begin: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    if (signal.aborted) return Promise.reject(reasonOf(signal));
    const call = this.#calls.get(key) ?? this.#begin(key, begin);
    call.waiting += 1;
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        reject(reasonOf(signal));
        call.waiting -= 1;
        if (call.waiting === 0) this.#end(key, call);
      };
      const settled = (): void => signal.removeEventListener('abort', leave);
      signal.addEventListener('abort', leave, { once: true });
      call.result.finally(settled).then(resolve, reject);
    });
  }

  #begin(key: string, begin: (signal: AbortSignal) => Promise<Result>): SharedCall<Result> {
    const ending = new AbortController();
    const result = begin(ending.signal).finally(() => this.#forget(key, call));
    const call: SharedCall<Result> = { result, ending, waiting: 0 };
    this.#calls.set(key, call);
    return call;
  }

  #end(key: string, call: SharedCall<Result>): void {
    this.#forget(key, call);
    call.ending.abort();
  }

  #forget(key: string, call: SharedCall<Result>): void {
    if (this.#calls.get(key) === call) this.#calls.delete(key);
  }
}

interface SharedCall<Result> {
  readonly result: Promise<Result>;
  readonly ending: AbortController;
  waiting: number;
}

function reasonOf({ reason }: AbortSignal): Error {
  return reason instanceof Error ? reason : new Error('the caller left', { cause: reason });
}
