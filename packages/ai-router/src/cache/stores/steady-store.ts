import {
  type AnswerStore,
  AnswerStoreError,
  type CacheEntry,
  type KeptAnswer,
  type LikeEntry,
  type VectorQuery,
} from '../answer-store.ts';
import { endedBy } from './ended-by.ts';
import { OutagePause } from './outage-pause.ts';
import { unavailable } from './store-error.ts';

/** Calls of one store that are under way at a time; further ones fail at once. */
export const CALLS_MAX = 256;

/** A look-up that takes longer is slow, in milliseconds. */
export const SLOW_MS = 150;

/** So many slow look-ups in a row count as a failure. */
export const SLOW_IN_A_ROW = 3;

/**
 * A store in a database, with what a request needs of it: one that fails, or is slow again and again, is left alone for a while, and a client that leaves waits no longer. What is
 * put meanwhile is lost.
 */
export class SteadyStore implements AnswerStore {
  readonly #store: AnswerStore;
  readonly #clock: { monotonicMs(): number };
  readonly #pause: OutagePause;
  #calls = 0;
  #slowInARow = 0;

  constructor(store: AnswerStore, clock: { monotonicMs(): number }) {
    this.#store = store;
    this.#clock = clock;
    this.#pause = new OutagePause(clock);
  }

  get(key: string, signal?: AbortSignal): Promise<KeptAnswer | undefined> {
    return this.#call(
      this.#timed(() => this.#store.get(key)),
      signal,
    );
  }

  findLike(query: VectorQuery, signal?: AbortSignal): Promise<readonly LikeEntry[]> {
    return this.#call(
      this.#timed(() => this.#store.findLike(query)),
      signal,
    );
  }

  put(entry: CacheEntry): Promise<void> {
    return this.#call(() => this.#store.put(entry));
  }

  async dispose(): Promise<void> {
    await this.#store.dispose?.();
  }

  async #call<Answer>(run: () => Answer | Promise<Answer>, signal?: AbortSignal): Promise<Answer> {
    if (this.#pause.isOn) throw failure('the store of cached answers failed a moment ago');
    if (this.#calls >= CALLS_MAX) throw failure('too many calls wait for cached answers');
    if (signal?.aborted === true) throw ended();
    this.#calls += 1;
    return endedBy(signal, this.#watched(run), ended);
  }

  /** What requests wait for counts as slow; nobody waits until something is put. */
  #timed<Answer>(run: () => Answer | Promise<Answer>): () => Promise<Answer> {
    return async () => {
      const beganMs = this.#clock.monotonicMs();
      const answer = await run();
      const isSlow = this.#clock.monotonicMs() - beganMs > SLOW_MS;
      this.#slowInARow = isSlow ? this.#slowInARow + 1 : 0;
      if (this.#slowInARow >= SLOW_IN_A_ROW) this.#pause.failed();
      else this.#pause.succeeded();
      return answer;
    };
  }

  async #watched<Answer>(run: () => Answer | Promise<Answer>): Promise<Answer> {
    try {
      return await run();
    } catch (error) {
      const seen = unavailable(error);
      if (seen.code === 'unavailable') this.#pause.failed();
      throw seen;
    } finally {
      this.#calls -= 1;
    }
  }
}

function ended(): AnswerStoreError {
  return failure('the request ended');
}

function failure(message: string): AnswerStoreError {
  return new AnswerStoreError('unavailable', message);
}
