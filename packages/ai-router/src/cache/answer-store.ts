/*
 * Where answers are kept. The cache decides what may be kept, under which key, and whether a kept answer may be given; a store only keeps, finds and
 * forgets. Every store passes the contract of `answer-store.contract.test-support.ts`.
 */

/** An answer as it is kept: what the client got, in the form of the operation that asked for it. */
export interface KeptAnswer {
  /** JSON text. */
  readonly body: string;
  readonly provider: string;
  readonly model: string;
  /** Milliseconds since 1970-01-01 UTC. */
  readonly storedAtMs: number;
  readonly expiresAtMs: number;
}

/** What is put into a store. */
export interface CacheEntry {
  /** Of the whole request, tenant included: SHA-256 in lower-case hex. */
  readonly key: string;
  /** Of all of the request but its last user text: only entries of one partition are compared. SHA-256 in lower-case hex. */
  readonly partition: string;
  /** The last user text, for the guard against answers to other questions. */
  readonly prompt: string;
  /** Of length 1; absent in a cache that compares requests exactly. */
  readonly vector?: Float32Array | undefined;
  readonly answer: KeptAnswer;
}

/** What is asked of a store's vectors. */
export interface VectorQuery {
  readonly partition: string;
  /** Of length 1. */
  readonly vector: Float32Array;
  /** Cosine from which on an entry is like enough; 0 to 1. */
  readonly similarityMin: number;
  /** Entries at most; 1 to 100. */
  readonly limit: number;
}

/** An entry that is like what was asked. */
export interface LikeEntry {
  readonly key: string;
  readonly prompt: string;
  /** Cosine. */
  readonly similarity: number;
  readonly answer: KeptAnswer;
}

/**
 * See the head of this file. Calls that fail reject with an {@link AnswerStoreError}; the cache treats a store that fails as one that has nothing.
 * Entries past their time are never given.
 */
export interface AnswerStore {
  /** The entry of a key. A promise only where something has to be waited for. */
  get(key: string, signal?: AbortSignal): KeptAnswer | undefined | Promise<KeptAnswer | undefined>;
  /** Entries of a partition, the likest first. */
  findLike(query: VectorQuery, signal?: AbortSignal): readonly LikeEntry[] | Promise<readonly LikeEntry[]>;
  put(entry: CacheEntry): void | Promise<void>;
  /** Frees what it took. */
  dispose?(): void | Promise<void>;
}

/**
 * Why a store failed.
 * - `unavailable`: it is not there, or did not answer in time.
 * - `no_index`: it has no vector index of the name and dimensions that are needed, and may not compare all entries instead.
 */
export type AnswerStoreFailure = 'unavailable' | 'no_index';

/** A store that failed. The message names no address and holds nothing of an entry. */
export class AnswerStoreError extends Error {
  override readonly name = 'AnswerStoreError';
  readonly code: AnswerStoreFailure;

  constructor(code: AnswerStoreFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
