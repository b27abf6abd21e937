import { PluginRuntimeError } from './errors.ts';
import type { Runtime } from './runtime.ts';

/** A runtime while it is used, with what its host made of it. All its requests hold the one lease. */
export interface RuntimeLease<Served> {
  readonly runtime: Runtime;
  /** What the host compiled of the runtime: its chains. */
  readonly served: Served;
  /** Ends what `acquire` or `hold` began. Once each. @throws PluginRuntimeError `lease_over` when it was called too often */
  release(): void;
  /** One more user, for instance a response's stream that outlives its handler. */
  hold(): void;
}

/**
 * The runtime that is served now. A new one takes its place at once: requests that began before end on theirs, and when the
 * last of them is over, the instances that the new one did not take over are disposed.
 *
 * ```ts
 * const live = new LiveRuntime(createRuntime(options), (runtime) => runtime.chainFor(target));
 * const lease = live.acquire(); // per request; allocates nothing
 * try { await lease.served.runRequest(exchange); } finally { lease.release(); }
 * live.swap(createRuntime({ ...options, instances, previous: live.runtime }));
 * await live.close();
 * ```
 */
export class LiveRuntime<Served> {
  readonly #serve: (runtime: Runtime) => Served;
  readonly #ends = new Set<Promise<void>>();
  readonly #onEnd: (lease: CountedLease<Served>) => void;
  #current: CountedLease<Served>;
  #users = 1;
  #isClosed = false;
  #onLastEnd: (() => void) | undefined;

  /**
   * @param serve compiles what requests need of a runtime; called once per runtime, before it is served
   * @throws whatever `serve` throws; the runtime is disposed then
   */
  constructor(first: Runtime, serve: (runtime: Runtime) => Served) {
    this.#serve = serve;
    this.#onEnd = (lease) => this.#end(lease);
    this.#current = this.#leaseOf(first);
  }

  /** The runtime that new requests get: the `previous` of the next one. */
  get runtime(): Runtime {
    return this.#current.runtime;
  }

  /** How many runtimes are in use: one, and each old one that still has requests. */
  get runtimesInUse(): number {
    return this.#users;
  }

  /**
   * The current runtime for one request, until its `release`.
   * @throws PluginRuntimeError `lease_over` after {@link close}
   */
  acquire(): RuntimeLease<Served> {
    if (this.#isClosed) throw new PluginRuntimeError('lease_over', 'no runtime is served any more');
    const lease = this.#current;
    lease.hold();
    return lease;
  }

  /**
   * Serves another runtime from now on.
   * @throws PluginRuntimeError `lease_over` after {@link close}, and whatever `serve` throws: the new runtime is disposed then, and the
   * old one goes on
   */
  swap(next: Runtime): void {
    if (next === this.#current.runtime) return;
    if (this.#isClosed) {
      next.dispose();
      throw new PluginRuntimeError('lease_over', 'no runtime is served any more');
    }
    const old = this.#current;
    this.#current = this.#leaseOf(next);
    this.#users += 1;
    old.release();
  }

  /** Serves nothing from now on. Resolves when the last request is over and all instances are disposed. Safe to call twice. */
  async close(): Promise<void> {
    if (!this.#isClosed) {
      this.#isClosed = true;
      this.#current.release();
    }
    if (this.#users > 0) {
      await new Promise<void>((resolve) => {
        const earlier = this.#onLastEnd;
        this.#onLastEnd = () => {
          earlier?.();
          resolve();
        };
      });
    }
    await Promise.all(this.#ends);
  }

  #leaseOf(runtime: Runtime): CountedLease<Served> {
    try {
      return new CountedLease(runtime, this.#serve(runtime), this.#onEnd);
    } catch (error) {
      runtime.dispose();
      throw error;
    }
  }

  #end({ runtime }: CountedLease<Served>): void {
    runtime.dispose();
    // Kept while disposals go on and no longer: a host swaps any number of times.
    const settled = runtime.settled().then(() => void this.#ends.delete(settled));
    this.#ends.add(settled);
    this.#users -= 1;
    if (this.#users === 0) this.#onLastEnd?.();
  }
}

/** Counts its users. The one that serves it is the first. */
class CountedLease<Served> implements RuntimeLease<Served> {
  readonly runtime: Runtime;
  readonly served: Served;
  readonly #onEnd: (lease: CountedLease<Served>) => void;
  #users = 1;

  constructor(runtime: Runtime, served: Served, onEnd: (lease: CountedLease<Served>) => void) {
    this.runtime = runtime;
    this.served = served;
    this.#onEnd = onEnd;
  }

  hold(): void {
    if (this.#users === 0) throw new PluginRuntimeError('lease_over', 'the runtime is over: nobody holds it any more');
    this.#users += 1;
  }

  release(): void {
    if (this.#users === 0)
      throw new PluginRuntimeError('lease_over', 'the runtime was released more often than acquired');
    this.#users -= 1;
    if (this.#users === 0) this.#onEnd(this);
  }
}
