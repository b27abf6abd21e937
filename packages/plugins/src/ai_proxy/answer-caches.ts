import {
  AnswerCache,
  AnswerMemory,
  type AnswerStore,
  type CacheSettings,
  type CacheTrouble,
  createAnswerStore,
  createEmbedder,
  type Embedder,
  EmbeddingError,
  InvalidConfigError,
  type Provider,
  SHARED_SPACE,
  systemTimers,
  type VectorBackend,
} from '@portcullis/ai-router';
import { noSharedStore, type Clock, type DataStores, type PluginServices } from '@portcullis/plugin-runtime';
import { warningTimes } from '../shared/warning-times.ts';

/** One for a process: all tenants together have a bound. By clock: a process has one, and tests have one each. */
const memories = new WeakMap<Clock, AnswerMemory>();

/** The memory of a process. */
export function answerMemory(clock: Clock): AnswerMemory {
  const known = memories.get(clock);
  if (known !== undefined) return known;
  const memory = new AnswerMemory({ clock });
  memories.set(clock, memory);
  return memory;
}

/** What is told of failures, and how they are counted. */
const troubles: Readonly<Record<CacheTrouble, string>> = {
  store: 'the store of cached answers fails: requests go on without it',
  index: 'the store of cached answers has no vector index, and may not compare entries one by one',
  embedding: 'no vectors of prompts can be had',
};

/** The caches of one plugin instance: the same settings give the same cache, so that edits of other records lose nothing. */
export class AnswerCaches {
  readonly #services: PluginServices;
  readonly #providers: readonly Provider[];
  /** The tenant's own, in memory. */
  readonly #memory: AnswerStore;
  readonly #onTrouble: (part: CacheTrouble) => void;
  #known: { readonly text: string; readonly cache: AnswerCache } | undefined;

  constructor(services: PluginServices, providers: readonly Provider[], memory: AnswerStore) {
    this.#services = services;
    this.#providers = providers;
    this.#memory = memory;
    this.#onTrouble = troubleTeller(services);
  }

  /** The cache of settings; `undefined` for none. */
  cacheOf(given: CacheSettings | undefined): AnswerCache | undefined {
    if (given === undefined) return undefined;
    const text = JSON.stringify(given);
    if (this.#known?.text !== text) this.#known = { text, cache: this.#made(this.#permitted(given)) };
    return this.#known.cache;
  }

  /** Tenants share answers only where the operator of this gateway lets them, whatever was stored elsewhere. Source: decisions, 22. */
  #permitted(settings: CacheSettings): CacheSettings {
    const { dataStores, log } = this.#services;
    if (settings.variesByTenant || dataStores.sharesAnswers === true) return settings;
    log.warn('tenants do not share cached answers here: the operator does not let them', { cache: settings.id });
    return { ...settings, variesByTenant: true };
  }

  #made(settings: CacheSettings): AnswerCache {
    const { clock, sharedStore, dataStores, instance, log } = this.#services;
    if (isMissing(settings, dataStores)) {
      const details = { cache: settings.id, vector_backend: settings.vectorBackend };
      log.warn('the database that a cache names is not one of this gateway: it keeps its answers elsewhere', details);
    }
    const space = settings.variesByTenant ? instance.tenantId : SHARED_SPACE;
    const store = createAnswerStore(settings, {
      space,
      memory: settings.variesByTenant ? this.#memory : answerMemory(clock).storeOf(SHARED_SPACE),
      ...(sharedStore !== noSharedStore && { sharedStore }),
      ...(dataStores.sql !== undefined && { sql: dataStores.sql }),
      ...(dataStores.documents !== undefined && { documents: dataStores.documents }),
      clock,
    });
    return new AnswerCache({
      tenantId: instance.tenantId,
      settings,
      store,
      embedder: settings.mode === 'exact' ? undefined : this.#embedderOf(settings),
      clock,
      timers: systemTimers,
      onTrouble: this.#onTrouble,
    });
  }

  #embedderOf(settings: CacheSettings): Embedder {
    const { clock, outbound, secrets, log } = this.#services;
    try {
      return createEmbedder(settings, {
        providers: this.#providers,
        transport: outbound,
        readSecret: (reference) => secrets.read(reference),
        clock,
        timers: systemTimers,
      });
    } catch (error) {
      if (!(error instanceof InvalidConfigError)) throw error;
      log.warn('the source of vectors of a cache cannot be used', { cache: settings.id, reason: error.message });
      return noEmbedder(settings.vectorDimensions);
    }
  }
}

/** Whether settings name a kind of database that the host does not have. `auto` and `scan` take what there is. */
function isMissing({ vectorBackend: backend }: CacheSettings, { sql, documents }: DataStores): boolean {
  if (backend === 'native') return sql === undefined && documents === undefined;
  return documents === undefined && OF_MONGODB.has(backend);
}

const OF_MONGODB: ReadonlySet<VectorBackend> = new Set<VectorBackend>([
  'atlas',
  'mongodb_vector',
  'document_db_atlas',
  'mongo_scan',
]);

/** In place of one that cannot be made: whether requests go on without is the cache's to say. */
function noEmbedder(dimensions: number): Embedder {
  const embed = (): never => {
    throw new EmbeddingError(503, 'the source of vectors cannot be used');
  };
  return { id: 'none', dimensions, isBuiltIn: false, embed };
}

function troubleTeller({ clock, log, metrics }: PluginServices): (part: CacheTrouble) => void {
  const parts = (Object.keys(troubles) as CacheTrouble[]).map((part) => {
    const counter = metrics.counter(`cache_${part}_failures`, `How often this failed in the cache: ${part}`);
    return [part, { counter, isTime: warningTimes(() => clock.monotonicMs()) }] as const;
  });
  const tellers = new Map(parts);
  return (part) => {
    const teller = tellers.get(part);
    teller?.counter.add(1);
    if (teller?.isTime() === true) log.warn(troubles[part]);
  };
}
