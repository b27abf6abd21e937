import type { LimitStore } from '../../policy/shared-limits.ts';
import type { AnswerStore } from '../answer-store.ts';
import type { CacheDocuments, CacheSql } from './data-ports.ts';

/** Where entries are, and how vectors are compared. Source: spec, cache config. */
export const vectorBackends = [
  'memory',
  'scan',
  'mongo_scan',
  'auto',
  'atlas',
  'document_db_atlas',
  'mongodb_vector',
  'native',
] as const;

/** See {@link vectorBackends}. */
export type VectorBackend = (typeof vectorBackends)[number];

/** What a store is asked to be. Numbers are clamped to their bounds, never refused. */
export interface AnswerStoreConfig {
  /** Whose answers it keeps: a tenant, or {@link SHARED_SPACE} for all tenants that share theirs. Nothing of one space is ever found in another. */
  readonly space: string;
  /** Default `auto`. */
  readonly backend?: VectorBackend | undefined;
  /** Name of the vector index of MongoDB. Default {@link INDEX_NAME_DEFAULT}. */
  readonly indexName?: string | undefined;
  /** Field of MongoDB's documents that holds the vector. Default {@link VECTOR_PATH_DEFAULT}. */
  readonly vectorPath?: string | undefined;
  /** Of its vectors; see {@link clampedDimensions}. */
  readonly dimensions: number;
  /** Entries that an approximate index looks at; see {@link clampedCandidates}. */
  readonly numCandidates?: number | undefined;
  /** Whether entries may be compared one by one where there is no vector index. Default true. */
  readonly allowsScanFallback?: boolean | undefined;
}

/** What stores are made of. */
export interface AnswerStorePorts {
  /** The store in this process's memory, for backends that are there, and for hosts that have nothing else. */
  readonly memory: AnswerStore;
  /** What the processes of a tenant's gateways know together: Redis. Its keys are the tenant's: it is not used for {@link SHARED_SPACE}. */
  readonly sharedStore?: LimitStore | undefined;
  /** PostgreSQL. */
  readonly sql?: CacheSql | undefined;
  /** MongoDB, or what speaks as it does. */
  readonly documents?: CacheDocuments | undefined;
  readonly clock: { nowMs(): number; monotonicMs(): number };
}

/** The space of tenants that share their answers; no tenant is called so. Source: decisions, 22. */
export const SHARED_SPACE = '*';

export const INDEX_NAME_DEFAULT = 'portcullis_ai_cache';
export const VECTOR_PATH_DEFAULT = 'vector';

/** Source: spec, Limits. */
export const DIMENSIONS_MIN = 8;
export const DIMENSIONS_MAX = 512;
export const SEARCH_LIMIT_MAX = 100;

/** As many as MongoDB takes. */
export const CANDIDATES_MAX = 10_000;

/** Candidates for each entry that is wanted, where a config says no number. */
const CANDIDATES_PER_RESULT = 20;

/** Within 8 to 512. */
export function clampedDimensions(given: number): number {
  return clamped(given, DIMENSIONS_MIN, DIMENSIONS_MAX);
}

/** Within 1 to 100. */
export function clampedSearchLimit(given: number): number {
  return clamped(given, 1, SEARCH_LIMIT_MAX);
}

/** At least as many as are wanted, and at most {@link CANDIDATES_MAX}. */
export function clampedCandidates(given: number | undefined, limit: number): number {
  return clamped(given ?? limit * CANDIDATES_PER_RESULT, limit, CANDIDATES_MAX);
}

function clamped(given: number, min: number, max: number): number {
  return Number.isNaN(given) ? min : Math.min(max, Math.max(min, Math.trunc(given)));
}
