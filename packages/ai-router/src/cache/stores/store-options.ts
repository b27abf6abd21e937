import type { LimitStore } from '../../policy/shared-limits.ts';
import type { AnswerStore } from '../answer-store.ts';
import type { CacheSettings } from '../cache-settings.ts';
import type { CacheDocuments, CacheSql } from './data-ports.ts';

/** What of a cache's settings its store has to know. */
export type StoreSettings = Pick<
  CacheSettings,
  'vectorBackend' | 'vectorIndexName' | 'vectorPath' | 'vectorDimensions' | 'vectorCandidatesMax' | 'allowsScanFallback'
>;

/** What stores are made of. */
export interface AnswerStorePorts {
  /** Whose answers they are: a tenant, or {@link SHARED_SPACE} for all tenants that share theirs. Nothing of one space is ever found in another. */
  readonly space: string;
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
