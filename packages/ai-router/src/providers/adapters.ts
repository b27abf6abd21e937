import type { ProviderAdapter } from './adapter.ts';
import { azureOpenAiAdapter } from './azure_openai/azure-openai-adapter.ts';
import { UnsupportedRequestError } from './errors.ts';
import { openAiAdapter } from './openai/openai-adapter.ts';
import type { ProviderType } from './provider.ts';

/** Adapters are constants without state, so that one serves all providers of a type. */
const adapters: ReadonlyMap<ProviderType, ProviderAdapter> = new Map<ProviderType, ProviderAdapter>([
  ['azure_openai', azureOpenAiAdapter],
  ['openai', openAiAdapter],
  ['openai_compatible', openAiAdapter],
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
