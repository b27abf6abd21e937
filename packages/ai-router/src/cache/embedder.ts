/*
 * What makes vectors of texts. The cache decides when to ask and what a failure means; an embedder only makes a vector or rejects.
 */

/** See the head of this file. */
export interface Embedder {
  /**
   * What its vectors are of, for instance `hash/256` or `openai/text-embedding-3-small/256`: vectors of different names are never compared.
   * No address and no key.
   */
  readonly name: string;
  /** Whether nearness means that the same is asked. Feature hashes only say that words are alike: such answers are guarded more strictly. */
  readonly knowsMeaning: boolean;
  /**
   * The vector of a text: of length 1, always of as many numbers. A promise only where something has to be waited for.
   * @returns `undefined` for a text that says nothing, which is like no other
   * @throws EmbeddingError, or rejects with one
   */
  embed(text: string, signal?: AbortSignal): Float32Array | undefined | Promise<Float32Array | undefined>;
}

/**
 * Why there is no vector.
 * - `unavailable`: the source cannot be reached, did not answer in time, refuses now, or its credential cannot be had.
 * - `malformed`: it answered with something that is no vector, or one of another length.
 */
export type EmbeddingFailure = 'unavailable' | 'malformed';

/** A vector that could not be made. The message names no address and holds nothing of a text or an answer. */
export class EmbeddingError extends Error {
  override readonly name = 'EmbeddingError';
  readonly code: EmbeddingFailure;

  constructor(code: EmbeddingFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
