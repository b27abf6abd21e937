import {
  type AnswerStore,
  AnswerStoreError,
  type CacheEntry,
  type KeptAnswer,
  type LikeEntry,
  type VectorQuery,
} from '../answer-store.ts';
import { unavailable } from './store-error.ts';

/** Calls of one store that are under way at a time; further ones fail at once. */
export const CALLS_MAX = 256;

/** How long a store is left alone after its first failure; it doubles with each further one in a row. */
export const PAUSE_MIN_MS = 250;
export const PAUSE_MAX_MS = 30_000;

/**
 * A store in a database, with what a request needs of it: one that fails is left alone for a while, so that an outage costs one request its time-out and
 * not each; and a client that leaves waits no longer. What is put meanwhile is lost.
 */
export class SteadyStore implements AnswerStore {
  readonly #store: AnswerStore;
  readonly #clock: { monotonicMs(): number };
  #calls = 0;
  #failures = 0;
  #pausedUntilMs = -Infinity;

  constructor(store: AnswerStore, clock: { monotonicMs(): number }) {
    this.#store = store;
    this.#clock = clock;
  }

  get(key: string, signal?: AbortSignal): Promise<KeptAnswer | undefined> {
    return this.#call(() => this.#store.get(key), signal);
  }

  findLike(query: VectorQuery, signal?: AbortSignal): Promise<readonly LikeEntry[]> {
    return this.#call(() => this.#store.findLike(query), signal);
  }

  put(entry: CacheEntry): Promise<void> {
    return this.#call(() => this.#store.put(entry));
  }

  async dispose(): Promise<void> {
    await this.#store.dispose?.();
  }

  async #call<Answer>(run: () => Answer | Promise<Answer>, signal?: AbortSignal): Promise<Answer> {
    if (this.#clock.monotonicMs() < this.#pausedUntilMs) throw paused();
    if (this.#calls >= CALLS_MAX) throw new AnswerStoreError('unavailable', 'too many calls wait for cached answers');
    if (signal?.aborted === true) throw ended();
    this.#calls += 1;
    const call = this.#watched(run);
    return signal === undefined ? call : endedBy(signal, call);
  }

  async #watched<Answer>(run: () => Answer | Promise<Answer>): Promise<Answer> {
    try {
      const answer = await run();
      this.#failures = 0;
      return answer;
    } catch (error) {
      const failure = unavailable(error);
      if (failure.code === 'unavailable') this.#pause();
      throw failure;
    } finally {
      this.#calls -= 1;
    }
  }

  #pause(): void {
    const pauseMs = Math.min(PAUSE_MAX_MS, PAUSE_MIN_MS * 2 ** this.#failures);
    // Calls that were under way together are one failure.
    if (this.#clock.monotonicMs() < this.#pausedUntilMs) return;
    this.#failures = Math.min(this.#failures + 1, 30);
    this.#pausedUntilMs = this.#clock.monotonicMs() + pauseMs;
  }
}

/** What a call brings, or a failure as soon as the signal fires. */
function endedBy<Answer>(signal: AbortSignal, call: Promise<Answer>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const end = (): void => reject(ended());
    signal.addEventListener('abort', end, { once: true });
    call.then(resolve, reject).finally(() => signal.removeEventListener('abort', end));
  });
}

function paused(): AnswerStoreError {
  return new AnswerStoreError('unavailable', 'the store of cached answers failed a moment ago');
}

function ended(): AnswerStoreError {
  return new AnswerStoreError('unavailable', 'the request ended');
}
