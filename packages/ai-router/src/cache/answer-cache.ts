import type { AnswerStore, KeptAnswer } from './answer-store.ts';
import { cacheQuestion, type CacheRequest } from './cache-question.ts';
import type { CacheSettings } from './cache-settings.ts';
import { type ClientWish, clientWish } from './cache-control.ts';
import { CacheVisit } from './cache-visit.ts';
import type { Embedder } from './embedding/embedder.ts';
import { Flights, type FlightTimers } from './flights.ts';

/** Settings of {@link AnswerCache}. */
export interface AnswerCacheOptions {
  readonly tenantId: string;
  readonly settings: CacheSettings;
  /** Of the tenant alone, unless the settings share answers. */
  readonly store: AnswerStore;
  /** Needed for all modes but `exact`. */
  readonly embedder?: Embedder | undefined;
  readonly clock: { nowMs(): number; monotonicMs(): number };
  readonly timers: FlightTimers;
  /** Told of each failure of a part. Requests go on without it where the settings let them. */
  readonly onTrouble?: (part: CacheTrouble) => void;
}

/** What failed: the store, its vector index, or the source of vectors. */
export type CacheTrouble = 'store' | 'index' | 'embedding';

/** An answer that was kept, and how it was found. */
export interface CacheHit {
  readonly answer: KeptAnswer;
  readonly type: 'exact' | 'semantic';
  /** Cosine; of a semantic hit. */
  readonly similarity?: number;
}

/** Keeps answers of one configuration, and gives them to who asks the same. It never fails a request but where its settings say so. */
export class AnswerCache {
  readonly options: AnswerCacheOptions;
  readonly flights: Flights<CacheHit>;

  constructor(options: AnswerCacheOptions) {
    this.options = options;
    this.flights = new Flights(options.timers);
  }

  /**
   * Begins one request's use of the cache.
   * @param cacheControl the client's header
   * @returns `undefined` for a request that is not cached
   */
  visit(request: CacheRequest, cacheControl: string | undefined): CacheVisit | undefined {
    const wish: ClientWish = clientWish(cacheControl);
    if (!wish.mayWrite) return undefined;
    const { tenantId, settings, embedder } = this.options;
    const embedderId = settings.mode === 'exact' ? undefined : embedder?.id;
    const question = cacheQuestion(request, { tenantId, settings, embedderId });
    // What has no text to be compared can only be found as a whole.
    if (question === undefined || (settings.mode === 'semantic' && question.prompt === undefined)) return undefined;
    return new CacheVisit(this, question, wish.mayRead);
  }
}
