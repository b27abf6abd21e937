import { InvalidConfigError } from '../../config/problems.ts';
import { adapterOf } from '../../providers/adapters.ts';
import { providerDefaults } from '../../providers/provider-schema.ts';
import type { Provider, ProviderType } from '../../providers/provider.ts';
import type { EmbeddingSource } from '../cache-settings.ts';

/** Hosts of clouds, whose paths and forms are not OpenAI's. All others are taken to speak as OpenAI does. */
const CLOUDS: readonly (readonly [RegExp, ProviderType])[] = [
  [/\.(?:openai|cognitiveservices|services\.ai)\.azure\.(?:com|us|cn)$/, 'azure_openai'],
  [/^bedrock-runtime[.-].*\.amazonaws\.com(?:\.cn)?$/, 'bedrock'],
  [/^(?:[a-z0-9-]+-)?aiplatform\.googleapis\.com$/, 'vertex'],
  [/^generativelanguage\.googleapis\.com$/, 'gemini'],
  [/^api\.cohere\.(?:com|ai)$/, 'cohere'],
  [/^api\.mistral\.ai$/, 'mistral'],
];

/** The end of a base of Vertex AI that names a project and its place. */
const VERTEX_PLACE = /\/projects\/([^/]+)\/locations\/([^/]+)$/;

/**
 * The provider that a source means, as its embeddings are asked for: with the source's path, key and time-out in place of its own.
 * @throws InvalidConfigError for a provider that is not there, or that has no embeddings
 */
export function providerOfSource(source: EmbeddingSource, providers: readonly Provider[]): Provider {
  const { baseUrl, path, keyReference, timeoutMs } = source;
  const base = baseUrl === undefined ? named(source, providers) : providerAt(baseUrl);
  const own = path ?? pathOf(base);
  const { path: _path, deploymentId: _deployment, ...rest } = base;
  const provider: Provider = {
    ...rest,
    timeoutMs,
    connectTimeoutMs: Math.min(timeoutMs, base.connectTimeoutMs),
    ...(own !== undefined && { path: own }),
    ...(keyReference !== undefined && { secrets: { apiKey: { from: 'reference', reference: keyReference } } }),
  };
  if (!adapterOf(provider.type).forms.has('embeddings'))
    throw mistake(`is of type ${provider.type}, which has no embeddings`);
  return provider;
}

function named({ provider: name }: EmbeddingSource, providers: readonly Provider[]): Provider {
  const provider = providers.find((one) => one.name === name);
  if (provider === undefined) throw mistake('names no provider that is there');
  return provider;
}

/** A provider's own path is that of its chats, unless it says where model and method belong. */
function pathOf({ path }: Provider): string | undefined {
  return path?.includes('{method}') === true ? path : undefined;
}

function providerAt(given: string): Provider {
  const url = new URL(given);
  const type = CLOUDS.find(([host]) => host.test(url.hostname))?.[1] ?? 'openai_compatible';
  const base = url.href.replace(/\/+$/, '');
  const [place = '', project, region] = (type === 'vertex' && VERTEX_PLACE.exec(base)) || [];
  return {
    name: 'embedding',
    type,
    baseUrl: base.slice(0, base.length - place.length),
    ...(project !== undefined && region !== undefined && { project, region }),
    secrets: {},
    headers: [],
    models: [],
    modelMap: new Map(),
    ...providerDefaults,
    supports: { streamUsage: true, tools: true, jsonSchema: true },
  };
}

function mistake(message: string): InvalidConfigError {
  return new InvalidConfigError('cache', [{ pointer: '/embedding_provider', message }]);
}
