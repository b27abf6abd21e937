/** Questions that are under way at a time in one cache; more go each by itself. */
export const FLIGHTS_MAX = 4096;

/** Requests that wait for one other. */
export const FOLLOWERS_MAX = 1000;

/** How long one waits for another: then it asks for itself. In milliseconds. */
export const FOLLOWED_MS_MAX = 30_000;

/** Calls that come later: see `RouterTimers`. */
export interface FlightTimers {
  after(ms: number, callback: () => void): () => void;
}

type Follower<Answer> = (answer: Answer | undefined) => void;

/**
 * Questions that are being asked: who asks the same meanwhile waits for the answer of the first. Those that wait depend on it in nothing else: they leave when their
 * clients do, and ask for themselves when it fails, is not to be kept, or takes too long.
 */
export class Flights<Answer> {
  readonly #timers: FlightTimers;
  readonly #flights = new Map<string, Set<Follower<Answer>>>();

  constructor(timers: FlightTimers) {
    this.#timers = timers;
  }

  /** Questions under way. */
  get size(): number {
    return this.#flights.size;
  }

  /** @returns whether this one is the first; it has to {@link land} then */
  lead(key: string): boolean {
    if (this.#flights.has(key) || this.#flights.size >= FLIGHTS_MAX) return false;
    this.#flights.set(key, new Set());
    return true;
  }

  /**
   * Waits for the first.
   * @returns `undefined` where there is none to wait for; else what it gives, `undefined` when one has to ask for oneself
   */
  follow(key: string, signal: AbortSignal): Promise<Answer | undefined> | undefined {
    const followers = this.#flights.get(key);
    if (followers === undefined || followers.size >= FOLLOWERS_MAX || signal.aborted) return undefined;
    return new Promise((resolve) => {
      const leave = (): void => take(undefined);
      const stopTimer = this.#timers.after(FOLLOWED_MS_MAX, leave);
      const take: Follower<Answer> = (answer) => {
        stopTimer();
        signal.removeEventListener('abort', leave);
        followers.delete(take);
        resolve(answer);
      };
      signal.addEventListener('abort', leave, { once: true });
      followers.add(take);
    });
  }

  /** The first is over. @param answer for all who wait; `undefined` when there is none */
  land(key: string, answer: Answer | undefined): void {
    const followers = this.#flights.get(key);
    this.#flights.delete(key);
    for (const take of followers ?? []) take(answer);
  }
}
