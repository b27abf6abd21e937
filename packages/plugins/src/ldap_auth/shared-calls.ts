/** A call that is under way. */
interface Call<Value> {
  readonly promise: Promise<Value>;
  readonly limit: AbortController;
  waiting: number;
}

/** Calls that everybody who asks for the same waits for together. One ends early only when all who wait have left. */
export class SharedCalls<Value> {
  readonly #calls = new Map<string, Call<Value>>();

  /**
   * Begins a call, or joins the one under way.
   * @param signal leaves it; the promise then rejects at once
   */
  async join(key: string, signal: AbortSignal, begin: (signal: AbortSignal) => Promise<Value>): Promise<Value> {
    signal.throwIfAborted();
    const call = this.#calls.get(key) ?? this.#begin(key, begin);
    call.waiting += 1;
    const { promise: left, reject } = Promise.withResolvers<never>();
    const leave = (): void => reject(new Error('the request was given up'));
    signal.addEventListener('abort', leave);
    try {
      return await Promise.race([call.promise, left]);
    } finally {
      signal.removeEventListener('abort', leave);
      call.waiting -= 1;
      if (call.waiting === 0) this.#end(key, call);
    }
  }

  #begin(key: string, begin: (signal: AbortSignal) => Promise<Value>): Call<Value> {
    const limit = new AbortController();
    const call: Call<Value> = { promise: begin(limit.signal), limit, waiting: 0 };
    this.#calls.set(key, call);
    // Whoever comes after the end asks anew. Failures reach those who wait.
    const forget = (): void => this.#forget(key, call);
    call.promise.then(forget, forget);
    return call;
  }

  #end(key: string, call: Call<Value>): void {
    this.#forget(key, call);
    call.limit.abort();
  }

  #forget(key: string, call: Call<Value>): void {
    if (this.#calls.get(key) === call) this.#calls.delete(key);
  }
}
