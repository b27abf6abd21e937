import { hash } from 'node:crypto';
import { ProviderSlot } from '../../engine/provider-slot.ts';
import { adapterOf } from '../../providers/adapters.ts';
import type { AdapterCall, Credential } from '../../providers/adapter.ts';
import type { Provider } from '../../providers/provider.ts';
import type { EmbeddingSource } from '../cache-settings.ts';
import { endedBy } from '../stores/ended-by.ts';
import { OutagePause } from '../stores/outage-pause.ts';
import { collectAnswer } from './collected-answer.ts';
import type { EmbedderPorts } from './create-embedder.ts';
import { type Embedder, EMBEDDED_LENGTH_MAX, EmbeddingError } from './embedder.ts';
import { askedDimensions } from './model-dimensions.ts';
import { readVector } from './read-vector.ts';
import type { RememberedVectors } from './remembered-vectors.ts';

/** Texts that are asked for at a time; further ones fail at once. */
export const ASKED_MAX = 64;

/** Bytes of an answer: a vector of 65,536 numbers in decimals fits. */
const ANSWER_BYTES_MAX = 2 * 1024 * 1024;

/** Settings of {@link ProviderEmbedder}. */
export interface ProviderEmbedderOptions extends Omit<EmbedderPorts, 'providers'> {
  readonly source: EmbeddingSource;
  readonly provider: Provider;
  readonly dimensions: number;
  /** Whether a provider that failed is left alone for a while: not where requests fail without a vector, because then it has to be asked first. */
  readonly mayPause: boolean;
  readonly remembered: RememberedVectors;
}

/** Vectors that a provider makes, one text a call. */
export class ProviderEmbedder implements Embedder {
  readonly dimensions: number;
  readonly id: string;
  readonly isBuiltIn = false;
  readonly #options: ProviderEmbedderOptions;
  readonly #slot: ProviderSlot;
  readonly #model: string;
  readonly #pause: OutagePause;
  readonly #remembered: RememberedVectors;
  readonly #asked = new Map<string, Promise<Float32Array>>();

  constructor(options: ProviderEmbedderOptions) {
    const { provider, source, dimensions, readSecret, clock } = options;
    this.#options = options;
    this.#slot = new ProviderSlot(provider, adapterOf(provider.type), readSecret);
    this.#model = provider.modelMap.get(source.model) ?? source.model;
    this.#pause = new OutagePause(clock);
    this.#remembered = options.remembered;
    this.dimensions = dimensions;
    this.id = JSON.stringify([provider.type, provider.baseUrl, provider.path, this.#model, dimensions]);
  }

  embed(text: string, signal?: AbortSignal): Float32Array | undefined | Promise<Float32Array | undefined> {
    if (text.length > EMBEDDED_LENGTH_MAX || text.trim() === '') return undefined;
    const key = hash('sha256', text);
    const known = this.#remembered.get(this, key);
    if (known !== undefined) return known;
    let asked = this.#asked.get(key);
    if (asked === undefined) {
      if (this.#options.mayPause && this.#pause.isOn)
        throw new EmbeddingError(503, 'the embedding provider failed a moment ago');
      if (this.#asked.size >= ASKED_MAX) throw new EmbeddingError(503, 'too many texts wait for their embeddings');
      asked = this.#ask(text, key);
      this.#asked.set(key, asked);
    }
    return endedBy(signal, asked, () => new EmbeddingError(503, 'the request ended'));
  }

  async #ask(text: string, key: string): Promise<Float32Array> {
    try {
      const vector = await this.#call(text);
      this.#pause.succeeded();
      this.#remembered.set(this, key, vector);
      return vector;
    } catch (error) {
      const failure =
        error instanceof EmbeddingError ? error : new EmbeddingError(502, 'no embedding can be asked for');
      if (failure.status === 503) this.#pause.failed();
      throw failure;
    } finally {
      this.#asked.delete(key);
    }
  }

  async #call(text: string): Promise<Float32Array> {
    const { provider, dimensions, source, clock } = this.#options;
    const { adapter } = this.#slot;
    const asked = askedDimensions(this.#model, dimensions);
    const form = { encoding_format: 'float', ...(asked !== undefined && { dimensions: asked }) };
    const call: AdapterCall = {
      operation: 'embeddings',
      // Lone surrogates are no text for anybody.
      body: { model: source.model, input: [text.toWellFormed()], ...form },
      model: this.#model,
      stream: false,
      wantsStreamUsage: false,
      provider,
      credential: await this.#credential(),
      nowMs: clock.nowMs(),
    };
    const request = await adapter.prepare(call);
    const { timeoutMs, connectTimeoutMs } = provider;
    const answer = await collectAnswer(
      request,
      { timeoutMs, connectTimeoutMs, bytesMax: ANSWER_BYTES_MAX },
      this.#options,
    );
    return readVector(adapter, call, answer, dimensions);
  }

  async #credential(): Promise<Credential> {
    try {
      return await this.#slot.credential();
    } catch (error) {
      throw new EmbeddingError(503, "the embedding provider's credential cannot be read", { cause: error });
    }
  }
}
