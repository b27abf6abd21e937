import type { AnswerStore } from '../answer-store.ts';
import { MongoAnswerStore } from './mongodb/mongo-answer-store.ts';
import type { VectorForm } from './mongodb/vector-stages.ts';
import { PostgresAnswerStore } from './postgres/postgres-answer-store.ts';
import { RedisAnswerStore } from './redis/redis-answer-store.ts';
import { FollowedCopies } from './scan/followed-copies.ts';
import { SteadyStore } from './steady-store.ts';
import {
  type AnswerStorePorts,
  INDEX_NAME_DEFAULT,
  SHARED_SPACE,
  type StoreSettings,
  VECTOR_PATH_DEFAULT,
} from './store-options.ts';
import { withoutIndex } from './without-index.ts';

/** Forms of vector search that only MongoDB, or what speaks as it does, has. */
const forms: ReadonlyMap<string, VectorForm> = new Map<string, VectorForm>([
  ['atlas', 'atlas'],
  ['mongodb_vector', 'atlas'],
  ['document_db_atlas', 'document_db'],
]);

/**
 * The store that a cache's settings ask for, of what the host has.
 * - `memory`: the process's own.
 * - `scan`: entries are compared one by one, wherever they are: in the database of the host, else in its Redis, else in memory.
 * - `mongo_scan`: the same in MongoDB, and where there is none as `scan`.
 * - `atlas`, `mongodb_vector`, `document_db_atlas`: vector search of MongoDB in its two forms.
 * - `native`, `auto`: the vector index of the database that the host has.
 *
 * Where what is asked for is not there, entries are compared one by one if the settings allow it; else each search fails with `no_index`. Looking up whole
 * requests works in any case. Source: spec, cache config; ai, Caches.
 */
export function createAnswerStore(settings: StoreSettings, ports: AnswerStorePorts): AnswerStore {
  const { vectorBackend: backend, allowsScanFallback: allowsScan } = settings;
  const { sql, documents } = ports;
  if (backend === 'memory') return ports.memory;
  if (backend === 'scan') return scanning(settings, ports);
  if (documents !== undefined && backend === 'mongo_scan') return mongo(settings, ports, undefined);
  const form = forms.get(backend);
  if (documents !== undefined && form !== undefined) return mongo(settings, ports, form);
  const isNative = backend === 'native' || backend === 'auto';
  if (isNative && sql !== undefined) return postgres(settings, ports, true);
  if (isNative && documents !== undefined) return mongo(settings, ports, 'atlas');
  const store = scanning(settings, ports);
  // Who asks for a scan needs no index.
  return allowsScan || backend === 'mongo_scan' ? store : withoutIndex(store);
}

/** One for a process, all tenants together. By clock: a process has one, and tests have one each. */
const copies = new WeakMap<AnswerStorePorts['clock'], FollowedCopies>();

function copiesOf(clock: AnswerStorePorts['clock']): FollowedCopies {
  const known = copies.get(clock);
  if (known !== undefined) return known;
  const made = new FollowedCopies();
  copies.set(clock, made);
  return made;
}

function scanning(settings: StoreSettings, ports: AnswerStorePorts): AnswerStore {
  const { space, memory, sharedStore, sql, documents, clock } = ports;
  if (sql !== undefined) return postgres(settings, ports, false);
  if (documents !== undefined) return mongo(settings, ports, undefined);
  if (sharedStore === undefined || space === SHARED_SPACE) return memory;
  return new SteadyStore(new RedisAnswerStore({ store: sharedStore, clock, copies: copiesOf(clock) }), clock);
}

function postgres(
  { allowsScanFallback: allowsScan }: StoreSettings,
  { space, sql, memory, clock }: AnswerStorePorts,
  usesIndex: boolean,
): AnswerStore {
  if (sql === undefined) return memory;
  return new SteadyStore(
    new PostgresAnswerStore({ sql, space, clock, usesIndex, allowsScan, copies: copiesOf(clock) }),
    clock,
  );
}

function mongo(
  settings: StoreSettings,
  { space, documents, memory, clock }: AnswerStorePorts,
  form: VectorForm | undefined,
): AnswerStore {
  if (documents === undefined) return memory;
  const store = new MongoAnswerStore({
    documents,
    space,
    clock,
    copies: copiesOf(clock),
    form,
    indexName: settings.vectorIndexName ?? INDEX_NAME_DEFAULT,
    vectorPath: settings.vectorPath ?? VECTOR_PATH_DEFAULT,
    dimensions: settings.vectorDimensions,
    candidatesMax: settings.vectorCandidatesMax,
    allowsScan: settings.allowsScanFallback,
  });
  return new SteadyStore(store, clock);
}
