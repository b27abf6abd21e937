/*
 * Where the vectors come from that semantic caches compare prompts by: the router's own hashing, or a provider of embeddings.
 */

/** Makes vectors of texts. */
export interface Embedder {
  /** Of every vector that it gives. */
  readonly dimensions: number;
  /** Who made a vector: vectors of different sources are never compared. Make it a part of what partitions are named after. */
  readonly id: string;
  /** Whether it is the router's own hashing: it works without I/O and never fails, and knows words only, not what they mean. */
  readonly isBuiltIn: boolean;
  /**
   * The vector of a text, of length 1. `undefined` for a text that has none that would tell it from others: it is too long
   * ({@link EMBEDDED_LENGTH_MAX}), or has no words. Such a request takes no part in semantic caching.
   * @param signal ends the wait of this caller; others that wait for the same text go on
   * @throws EmbeddingError, or rejects with it, when the source fails
   */
  embed(text: string, signal?: AbortSignal): Float32Array | undefined | Promise<Float32Array | undefined>;
}

/** Characters of a text that has a vector. Of a longer one the end would not count, and texts that differ there would be one. */
export const EMBEDDED_LENGTH_MAX = 4096;

/** An embedding that could not be had. The message is fit for clients: it names no address and holds nothing of the text or the answer. */
export class EmbeddingError extends Error {
  override readonly name = 'EmbeddingError';
  /** 502 when the source answered with an error or with something that is no vector, 503 when it did not answer. Source: spec, Status codes. */
  readonly status: 502 | 503;

  constructor(status: 502 | 503, message: string, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
  }
}
