import { EgressError } from './egress-error.ts';

/** How many calls there may be. */
export interface PlaceLimits {
  readonly callsMax: number;
  readonly callsPerOriginMax: number;
  readonly waitingMax: number;
  readonly waitingPerOriginMax: number;
}

interface Origin {
  calls: number;
  /** Those that wait, first come first: a `Set` lets one leave from the middle. */
  readonly waiting: Set<() => void>;
}

/**
 * Gives calls their places. Where all are taken, origins come by turns: a thousand calls that wait for one server are one turn, as is a
 * single call to another.
 */
export class CallPlaces {
  readonly #limits: PlaceLimits;
  readonly #origins = new Map<string, Origin>();
  /** Origins with a call that waits for nothing but one of all places, in the order of their turns. */
  readonly #turns = new Set<Origin>();
  #calls = 0;
  #waiting = 0;

  constructor(limits: PlaceLimits) {
    this.#limits = limits;
  }

  /** Calls under way, and those that wait. */
  get figures(): { readonly calls: number; readonly waiting: number } {
    return { calls: this.#calls, waiting: this.#waiting };
  }

  /**
   * Resolves when the call may begin.
   * @returns what gives the place back; to be called once
   * @throws EgressError `unreachable` when too many wait; the signal's reason
   */
  async take(key: string, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    const origin = this.#origins.get(key) ?? { calls: 0, waiting: new Set() };
    this.#origins.set(key, origin);
    if (this.#hasPlace(origin) && origin.waiting.size === 0) this.#begin(origin);
    else await this.#wait(key, origin, signal);
    return () => this.#leave(key, origin);
  }

  #hasPlace(origin: Origin): boolean {
    return this.#calls < this.#limits.callsMax && origin.calls < this.#limits.callsPerOriginMax;
  }

  #begin(origin: Origin): void {
    this.#calls += 1;
    origin.calls += 1;
  }

  #wait(key: string, origin: Origin, signal: AbortSignal): Promise<void> {
    const { waitingMax, waitingPerOriginMax } = this.#limits;
    if (origin.waiting.size >= waitingPerOriginMax || this.#waiting >= waitingMax) {
      this.#forget(key, origin);
      throw new EgressError('unreachable', 'the call has no place: too many wait already');
    }
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        origin.waiting.delete(begin);
        this.#waiting -= 1;
        signal.removeEventListener('abort', giveUp);
        this.#queue(origin);
      };
      const begin = (): void => {
        stop();
        this.#begin(origin);
        resolve();
      };
      const giveUp = (): void => {
        stop();
        this.#forget(key, origin);
        reject(signal.reason as Error);
      };
      origin.waiting.add(begin);
      this.#waiting += 1;
      signal.addEventListener('abort', giveUp, { once: true });
      this.#queue(origin);
    });
  }

  #leave(key: string, origin: Origin): void {
    this.#calls -= 1;
    origin.calls -= 1;
    this.#queue(origin);
    for (const next of this.#turns) {
      if (this.#calls >= this.#limits.callsMax) break;
      this.#turns.delete(next);
      for (const begin of next.waiting) {
        begin();
        break;
      }
      this.#queue(next);
    }
    this.#forget(key, origin);
  }

  /** Gives an origin its turn, behind the others, where one of its calls could begin. */
  #queue(origin: Origin): void {
    if (origin.waiting.size > 0 && origin.calls < this.#limits.callsPerOriginMax) this.#turns.add(origin);
    else this.#turns.delete(origin);
  }

  #forget(key: string, origin: Origin): void {
    if (origin.calls === 0 && origin.waiting.size === 0 && this.#origins.get(key) === origin) this.#origins.delete(key);
  }
}
