/*
 * What a cache's config means, with defaults in place and numbers within the bounds to which runtimes clamp.
 */

/** What is compared: the whole request, the meaning of its last user text, or the one after the other. Source: spec, AI gateway records. */
export const cacheModes = ['exact', 'semantic', 'hybrid'] as const;

/** See {@link cacheModes}. */
export type CacheMode = (typeof cacheModes)[number];

/** Where answers and their vectors are. Source: spec, AI gateway records. */
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

/** Who makes vectors of texts: a provider of the config, or an address of its own. */
export interface EmbeddingSource {
  /** Name of a provider; exactly one of this and {@link baseUrl} is there. */
  readonly provider?: string;
  /** Absolute, https, without query. */
  readonly baseUrl?: string;
  readonly model: string;
  /** From the base on, beginning with `/`. Default: the provider's own for embeddings, `/embeddings` where there is none. */
  readonly path?: string;
  /** `vault://…` or `env://NAME`; for {@link baseUrl}, or in place of the provider's own credential. */
  readonly keyReference?: string;
  readonly timeoutMs: number;
}

/** See the head of this file. */
export interface CacheSettings {
  /** What tells it from other caches of the tenant: the record's ID, or the plugin instance's. */
  readonly id: string;
  readonly mode: CacheMode;
  /** How long an answer may be given. */
  readonly ttlMs: number;
  /** Cosine from which on a question is like enough; 0 to 1. */
  readonly similarityMin: number;
  /** `false`: tenants share answers, where the operator lets them. Source: decisions, 22. */
  readonly variesByTenant: boolean;
  readonly variesByConsumer: boolean;
  readonly vectorBackend: VectorBackend;
  /** Name of the database's vector index. */
  readonly vectorIndexName?: string;
  /** Field of an entry's document that holds the vector. */
  readonly vectorPath?: string;
  /** Length of vectors: {@link cacheBounds}. */
  readonly vectorDimensions: number;
  /** Entries that an index looks at; at least {@link searchLimit}. */
  readonly vectorCandidatesMax: number;
  /** Entries that a search gives. */
  readonly searchLimit: number;
  /** `undefined`: the built-in hash vectors. */
  readonly embedding: EmbeddingSource | undefined;
  /** Whether a request goes on without a search when no vector can be had. */
  readonly embeddingFailsOpen: boolean;
  /** Whether entries are compared one by one where there is no vector index. */
  readonly allowsScanFallback: boolean;
}

/** Bounds to which numbers are moved, and defaults. Source: spec, Limits; ai, Caches. */
export const cacheBounds = {
  dimensions: { min: 8, max: 512, default: 256 },
  searchLimit: { min: 1, max: 100, default: 5 },
  candidates: { max: 10_000, perResult: 20 },
  ttlSeconds: { min: 1, max: 31_536_000, default: 300 },
  timeoutMs: { min: 10, max: 600_000, default: 10_000 },
  similarity: { default: 0.92 },
} as const;
