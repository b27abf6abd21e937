import type { SecretReader } from '../../engine/provider-slot.ts';
import type { RouterTimers } from '../../engine/router-options.ts';
import type { Provider } from '../../providers/provider.ts';
import type { Transport } from '../../transport.ts';
import type { CacheSettings } from '../cache-settings.ts';
import type { Embedder } from './embedder.ts';
import { hashEmbedder } from './hash-embedder.ts';
import { ProviderEmbedder } from './provider-embedder.ts';
import { RememberedVectors } from './remembered-vectors.ts';
import { providerOfSource } from './source-provider.ts';

/** What embedders are made of. */
export interface EmbedderPorts {
  /** Those that a source may name. */
  readonly providers: readonly Provider[];
  readonly transport: Transport;
  readonly readSecret: SecretReader;
  readonly clock: { nowMs(): number; monotonicMs(): number };
  readonly timers: RouterTimers;
}

/**
 * Who makes the vectors of a cache: the provider that its settings name, an address of its own, or the router's own hashing.
 * @throws InvalidConfigError for a provider that is not there, or that has no embeddings
 */
export function createEmbedder(
  {
    embedding: source,
    vectorDimensions,
    embeddingFailsOpen: mayPause = true,
  }: Pick<CacheSettings, 'embedding' | 'vectorDimensions'> & Partial<Pick<CacheSettings, 'embeddingFailsOpen'>>,
  ports: EmbedderPorts,
): Embedder {
  if (source === undefined) return hashEmbedder(vectorDimensions);
  const provider = providerOfSource(source, ports.providers);
  const remembered = rememberedOf(ports.clock);
  return new ProviderEmbedder({ ...ports, source, provider, dimensions: vectorDimensions, remembered, mayPause });
}

/** One for a process, all tenants together. By clock: a process has one, and tests have one each. */
const memories = new WeakMap<EmbedderPorts['clock'], RememberedVectors>();

function rememberedOf(clock: EmbedderPorts['clock']): RememberedVectors {
  const known = memories.get(clock);
  if (known !== undefined) return known;
  const made = new RememberedVectors();
  memories.set(clock, made);
  return made;
}
