import { AnswerCache, type AnswerCacheOptions } from '../cache/answer-cache.ts';
import type { AnswerStore } from '../cache/answer-store.ts';
import type { Embedder } from '../cache/embedding/embedder.ts';
import { AnswerMemory } from '../cache/memory/answer-memory.ts';
import { readCache } from '../cache/read-cache.ts';
import type { JsonObject } from '../json.ts';
import { hashVector } from '../routing/semantic/hash-vector.ts';
import type { Transport } from '../transport.ts';
import { nodeTransport } from './node-transport.test-support.ts';
import { startTestRouter, systemClock, type TestRouter, type TestRouterOptions } from './router.test-support.ts';
import { systemTimers } from './router-options.ts';

/** Vectors of words: what the built-in source gives. */
export const wordVectors: Embedder = {
  id: 'hash/256',
  dimensions: 256,
  isBuiltIn: true,
  embed: (text) => hashVector(text, 256).values,
};

/** What a test says of its cache. */
export interface CachedOptions extends TestRouterOptions, Partial<Pick<AnswerCacheOptions, 'embedder' | 'onTrouble'>> {
  readonly config?: JsonObject;
  readonly store?: AnswerStore;
}

/** A router with a cache in memory. */
export interface CachedRouter extends TestRouter {
  readonly answers: AnswerCache;
  /** Requests that providers got. */
  calls(): number;
}

/** Starts a router with the route `public` and a cache in front of it. */
export async function startCached(options: CachedOptions = {}): Promise<CachedRouter> {
  const { config = {}, store, embedder = wordVectors, onTrouble, ...rest } = options;
  const settings = readCache(config, 'c1');
  if (settings === undefined) throw new Error('the cache is off');
  const { clock = systemClock, tenantId = 'acme' } = rest;
  const answers = new AnswerCache({
    tenantId,
    settings,
    store: store ?? new AnswerMemory({ clock }).storeOf(tenantId),
    embedder,
    clock,
    timers: rest.timers ?? systemTimers,
    ...(onTrouble && { onTrouble }),
  });
  const test = await startTestRouter({ providers: { first: {} }, ...rest, cache: answers });
  const calls = (): number => Object.values(test.providers).reduce((sum, { requests }) => sum + requests.length, 0);
  return { ...test, answers, calls };
}

/** Holds the end of each answer back until it is let go. */
export class HeldTransport implements Transport {
  readonly #waiting: (() => void)[] = [];
  #isOpen = false;

  /** Calls that wait for their end. */
  get held(): number {
    return this.#waiting.length;
  }

  open(...[request, listener]: Parameters<Transport['open']>): ReturnType<Transport['open']> {
    let isAborted = false;
    const call = nodeTransport.open(request, {
      onHead: (...head) => listener.onHead(...head),
      onData: (bytes) => listener.onData(bytes),
      onEnd: () => {
        const end = (): void => void (isAborted || listener.onEnd());
        if (this.#isOpen) end();
        else this.#waiting.push(end);
      },
      onFailure: (error) => listener.onFailure(error),
    });
    return { resume: () => call.resume(), abort: () => ((isAborted = true), call.abort()) };
  }

  /** Lets those go that wait, and all that come. */
  release(): void {
    this.#isOpen = true;
    for (const end of this.#waiting.splice(0)) end();
  }
}
