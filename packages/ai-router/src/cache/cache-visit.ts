import { AnswerStoreError, type CacheEntry, type KeptAnswer, type LikeEntry } from './answer-store.ts';
import type { AnswerCache, CacheHit } from './answer-cache.ts';
import type { CacheQuestion } from './cache-question.ts';
import { EmbeddingError } from './embedding/embedder.ts';
import { sameForm } from './guard/same-form.ts';
import { QuestionGuard } from './guard/same-question.ts';
import { StoreBudget } from './store-budget.ts';

/** Why a request fails that its cache's settings let not go on. Source: spec, AI gateway, rule 6. */
export interface CacheFailure {
  readonly kind: 'failed';
  readonly part: 'embedding' | 'index';
  readonly status: 502 | 503;
}

/** What came of a look. */
export type CacheFinding = ({ readonly kind: 'hit' } & CacheHit) | { readonly kind: 'miss' } | CacheFailure;

const miss: CacheFinding = Object.freeze({ kind: 'miss' });

/** Nothing is looked for any more: the answer was put. */
const kept: CacheFinding = Object.freeze({ kind: 'miss' });

/** A new answer, in the form of the client. */
export type NewAnswer = Pick<KeptAnswer, 'body' | 'provider' | 'model'>;

type Vector = Float32Array | undefined;

/** One request's use of a cache. Whoever has one ends it by `keep` or `leave`, so that nobody waits in vain. */
export class CacheVisit {
  readonly #cache: AnswerCache;
  readonly #question: CacheQuestion;
  readonly #mayRead: boolean;
  readonly #budget: StoreBudget;
  #leads = false;
  #isOver = false;
  #vector: Vector;
  #isVectorKnown = false;

  constructor(cache: AnswerCache, question: CacheQuestion, mayRead: boolean) {
    this.#cache = cache;
    this.#question = question;
    this.#mayRead = mayRead;
    this.#budget = new StoreBudget(cache.options.clock, cache.options.timers);
  }

  /** Whether what was kept may be given; else only the new answer is kept. */
  get mayRead(): boolean {
    return this.#mayRead;
  }

  /** Looks for an answer. A promise only where something has to be waited for. @param signal fires when the client left */
  find(signal: AbortSignal): CacheFinding | Promise<CacheFinding> {
    if (!this.#mayRead) return miss;
    const { flights } = this.#cache;
    const { key } = this.#question;
    const following = flights.follow(key, signal);
    if (following !== undefined) {
      return following.then((hit) => (hit === undefined ? this.#look(signal) : { kind: 'hit', ...hit }));
    }
    const finding = this.#look(signal);
    if (finding instanceof Promise) {
      this.#leads = flights.lead(key);
      return finding.then((found) => this.#told(found));
    }
    if (finding.kind === 'miss') this.#leads = flights.lead(key);
    return finding;
  }

  /** Keeps an answer and gives it to who waits. */
  keep({ body, provider, model }: NewAnswer): void {
    if (this.#isOver) return;
    const { clock, settings } = this.#cache.options;
    const storedAtMs = Math.floor(clock.nowMs());
    const answer = { body, provider, model, storedAtMs, expiresAtMs: storedAtMs + settings.ttlMs };
    this.#land({ type: 'exact', answer });
    if (this.#isVectorKnown || this.#question.prompt === undefined) return this.#put(answer);
    // The client did not want what was kept, so that nobody needed the vector before. Without one it is found as a whole.
    const putting = this.#whenVector(undefined, () => (this.#put(answer), kept));
    if (!(putting instanceof Promise)) return putting === kept ? undefined : this.#put(answer);
    putting
      .then((finding) => finding === kept || this.#put(answer))
      .catch(() => this.#cache.options.onTrouble?.('store'));
  }

  /** There is no answer to be kept. Does nothing where there was one. */
  leave(): void {
    if (!this.#isOver) this.#land(undefined);
  }

  #land(hit: CacheHit | undefined): void {
    this.#isOver = true;
    if (this.#leads) this.#cache.flights.land(this.#question.key, hit);
    this.#leads = false;
  }

  /** Who waits gets what was found at once. */
  #told(finding: CacheFinding): CacheFinding {
    if (finding.kind !== 'miss' && !this.#isOver) this.#land(finding.kind === 'hit' ? finding : undefined);
    return finding;
  }

  #look(signal: AbortSignal): CacheFinding | Promise<CacheFinding> {
    const { store, settings } = this.#cache.options;
    if (settings.mode === 'semantic') return this.#search(signal);
    return this.#asked(
      () => store.get(this.#question.key, signal),
      signal,
      (answer) => {
        if (answer === undefined || !this.#isFresh(answer)) return this.#search(signal);
        return { kind: 'hit', type: 'exact', answer };
      },
    );
  }

  #search(signal: AbortSignal): CacheFinding | Promise<CacheFinding> {
    const { prompt, partition } = this.#question;
    if (prompt === undefined || partition === undefined) return miss;
    const { store, settings, embedder } = this.#cache.options;
    const { similarityMin, searchLimit: limit } = settings;
    return this.#whenVector(signal, (vector) => {
      if (vector === undefined) return miss;
      const guard = new QuestionGuard(prompt, embedder?.isBuiltIn === false);
      return this.#asked(
        () => store.findLike({ partition, vector, similarityMin, limit }, signal),
        signal,
        (entries: readonly LikeEntry[]) => {
          const found = guarded(entries).find((entry) => this.#isFresh(entry.answer) && guard.isSame(entry.prompt));
          if (found === undefined) return miss;
          return { kind: 'hit', type: 'semantic', answer: found.answer, similarity: found.similarity };
        },
      );
    });
  }

  /** Whether the settings of today let it be given: they may have been longer when it was kept. */
  #isFresh({ storedAtMs }: KeptAnswer): boolean {
    const { clock, settings } = this.#cache.options;
    return clock.nowMs() - storedAtMs < settings.ttlMs;
  }

  #whenVector(
    signal: AbortSignal | undefined,
    proceed: (vector: Vector) => CacheFinding | Promise<CacheFinding>,
  ): CacheFinding | Promise<CacheFinding> {
    const { prompt = '' } = this.#question;
    const take = (vector: Vector): CacheFinding | Promise<CacheFinding> => {
      this.#vector = vector;
      this.#isVectorKnown = true;
      return proceed(vector);
    };
    const { embedder } = this.#cache.options;
    let vector: Vector | Promise<Vector>;
    try {
      vector = embedder?.embed(embedder.isBuiltIn ? sameForm(prompt) : prompt, signal);
    } catch (error) {
      return this.#noVector(error, signal);
    }
    return vector instanceof Promise
      ? vector.then(take, (error: unknown) => this.#noVector(error, signal))
      : take(vector);
  }

  #noVector(error: unknown, signal: AbortSignal | undefined): CacheFinding {
    const { settings, onTrouble } = this.#cache.options;
    this.#isVectorKnown = true;
    if (signal?.aborted === true) return miss;
    onTrouble?.('embedding');
    if (settings.embeddingFailsOpen) return miss;
    return { kind: 'failed', part: 'embedding', status: error instanceof EmbeddingError ? error.status : 503 };
  }

  /** Asks the store; one that fails has nothing. */
  #asked<Given>(
    ask: () => Given | Promise<Given>,
    signal: AbortSignal,
    proceed: (given: Given) => CacheFinding | Promise<CacheFinding>,
  ): CacheFinding | Promise<CacheFinding> {
    let given: Given | Promise<Given>;
    try {
      given = ask();
    } catch (error) {
      return this.#storeFailed(error, signal);
    }
    if (!(given instanceof Promise)) return proceed(given);
    return this.#budget.within(given).then(proceed, (error: unknown) => this.#storeFailed(error, signal));
  }

  #storeFailed(error: unknown, signal: AbortSignal): CacheFinding {
    if (signal.aborted) return miss;
    const isIndex = error instanceof AnswerStoreError && error.code === 'no_index';
    this.#cache.options.onTrouble?.(isIndex ? 'index' : 'store');
    return isIndex ? { kind: 'failed', part: 'index', status: 503 } : miss;
  }

  #put(answer: KeptAnswer): void {
    const { store, settings, onTrouble } = this.#cache.options;
    const { key, prompt = '', partition = key } = this.#question;
    // What nobody could find by its text is not kept for that.
    if (settings.mode === 'semantic' && this.#vector === undefined) return;
    const entry: CacheEntry = { key, partition, prompt, vector: this.#vector, answer };
    try {
      const putting = store.put(entry);
      putting?.catch(() => onTrouble?.('store'));
    } catch {
      onTrouble?.('store');
    }
  }
}

/** Characters of kept texts that the guard looks at for one request: it takes about a microsecond for 10. */
const GUARDED_LENGTH_MAX = 16 * 1024;

/** The likest entries whose texts are short enough together. */
function guarded(entries: readonly LikeEntry[]): readonly LikeEntry[] {
  let length = 0;
  const tooMany = entries.findIndex(({ prompt }) => (length += prompt.length) > GUARDED_LENGTH_MAX);
  return tooMany === -1 ? entries : entries.slice(0, tooMany);
}
