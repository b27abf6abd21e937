import type { Problem } from './problem.ts';

/** Bounds of {@link CallerPlaces}, and what is said beyond them. */
export interface PlacesLimits {
  readonly runningMax: number;
  readonly waitingMax: number;
  readonly waitingPerCallerMax: number;
  /** The answer when too many of this caller wait, or too many in all. */
  readonly refusal: (tooMany: 'of_caller' | 'in_all') => Problem;
}

/**
 * Places for heavy work of which one caller has one at the most, so that a busy caller makes others wait for one piece of
 * its work and not for all. Who waits comes in order, except that a caller whose place is taken is passed over.
 */
export class CallerPlaces {
  readonly #limits: PlacesLimits;
  readonly #running = new Set<string>();
  readonly #waiting: { readonly caller: string; readonly start: () => void }[] = [];

  constructor(limits: PlacesLimits) {
    this.#limits = limits;
  }

  /**
   * Does the work when it is its turn.
   * @param signal gives up the place in the line; work that runs has to listen to it by itself
   * @throws the refusal when too many wait, or too many of this caller; the signal's reason
   */
  async run<Result>(caller: string, work: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    signal?.throwIfAborted();
    if (this.#isFree(caller)) this.#running.add(caller);
    else await this.#turn(caller, signal);
    try {
      return await work();
    } finally {
      this.#running.delete(caller);
      this.#startNext();
    }
  }

  #isFree(caller: string): boolean {
    return this.#running.size < this.#limits.runningMax && !this.#running.has(caller);
  }

  #turn(caller: string, signal: AbortSignal | undefined): Promise<void> {
    const own = this.#waiting.filter((other) => other.caller === caller).length;
    if (own >= this.#limits.waitingPerCallerMax) throw this.#limits.refusal('of_caller');
    if (this.#waiting.length >= this.#limits.waitingMax) throw this.#limits.refusal('in_all');
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        reject(signal?.reason as Error);
      };
      const waiting = {
        caller,
        start: () => {
          signal?.removeEventListener('abort', leave);
          resolve();
        },
      };
      signal?.addEventListener('abort', leave, { once: true });
      this.#waiting.push(waiting);
    });
  }

  #startNext(): void {
    const index = this.#waiting.findIndex(({ caller }) => this.#isFree(caller));
    const [next] = index < 0 ? [] : this.#waiting.splice(index, 1);
    if (!next) return;
    // Taken before the waiting one goes on, so that nobody slips in between.
    this.#running.add(next.caller);
    next.start();
  }
}
