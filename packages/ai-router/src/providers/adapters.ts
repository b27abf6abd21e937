import { randomUUID } from 'node:crypto';
import type { ProviderAdapter } from './adapter.ts';
import { anthropicAdapter } from './anthropic/anthropic-adapter.ts';
import { azureOpenAiAdapter } from './azure_openai/azure-openai-adapter.ts';
import { createBedrockAdapter } from './bedrock/bedrock-adapter.ts';
import { createCohereAdapter } from './cohere/cohere-adapter.ts';
import { UnsupportedRequestError } from './errors.ts';
import { createGeminiAdapter, createVertexAdapter } from './gemini/gemini-adapter.ts';
import { mistralAdapter } from './mistral/mistral-adapter.ts';
import { createOllamaAdapter } from './ollama/ollama-adapter.ts';
import { openAiAdapter } from './openai/openai-adapter.ts';
import type { ProviderType } from './provider.ts';
import { withRequirements } from './requirements.ts';

/** Adapters are constants without state, so that one serves all providers of a type. */
const adapters: ReadonlyMap<ProviderType, ProviderAdapter> = new Map<ProviderType, ProviderAdapter>([
  ['anthropic', withRequirements(anthropicAdapter)],
  ['azure_openai', withRequirements(azureOpenAiAdapter)],
  ['bedrock', withRequirements(createBedrockAdapter(randomUUID))],
  ['cohere', withRequirements(createCohereAdapter(randomUUID))],
  ['gemini', withRequirements(createGeminiAdapter(randomUUID))],
  ['mistral', withRequirements(mistralAdapter)],
  ['ollama', withRequirements(createOllamaAdapter(randomUUID))],
  ['openai', withRequirements(openAiAdapter)],
  ['openai_compatible', withRequirements(openAiAdapter)],
  ['vertex', withRequirements(createVertexAdapter(randomUUID))],
]);

/**
 * How providers of a type are spoken to.
 * @throws UnsupportedRequestError for a type without an adapter
 */
export function adapterOf(type: ProviderType): ProviderAdapter {
  const adapter = adapters.get(type);
  if (adapter === undefined) throw new UnsupportedRequestError(`providers of type ${type} are not supported`);
  return adapter;
}
