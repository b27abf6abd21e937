import type { AiOperation } from '../../operation.ts';
import type { AdapterCall, ProviderAdapter } from '../adapter.ts';
import { createOpenAiAdapter, openAiPaths } from '../openai/openai-adapter.ts';
import { endsWithPath, pathSegment, requestUrl } from '../request/request-url.ts';

/** The last version with a date that is not a preview; responses came after it. Source: Azure OpenAI, API version lifecycle. */
const API_VERSION = '2024-10-21';
const API_VERSION_OF_RESPONSES = '2025-04-01-preview';

/** The base of the API without dated versions: the deployment is the body's `model` there. */
const UNDATED = '/openai/v1';

/**
 * Azure OpenAI. Bases are those of resources (`https://NAME.openai.azure.com`), with or without `/openai`: the address names the deployment,
 * which is `deployment_id`, else the model. With a base that ends with `/openai/v1` it is the body that names it. Responses have no address
 * of a deployment in either. Source: Azure OpenAI, REST API reference.
 */
export const azureOpenAiAdapter: ProviderAdapter = createOpenAiAdapter({
  forms: new Set<AiOperation>(['chat', 'completions', 'embeddings', 'responses']),
  url,
  authorization: (key) => ['api-key', key],
  modelField: (call) => (isNamedByAddress(call) ? undefined : deploymentOf(call)),
  takesStreamOptions: true,
});

function url(call: AdapterCall, key: readonly [string, string] | undefined): string {
  const { operation, provider } = call;
  const { apiVersion } = provider;
  if (endsWithPath(provider, UNDATED)) {
    const version = apiVersion === undefined ? undefined : (['api-version', apiVersion] as const);
    return requestUrl(provider, openAiPaths[operation], version, key);
  }
  const start = endsWithPath(provider, '/openai') ? '' : '/openai';
  const deployment = isNamedByAddress(call) ? `/deployments/${pathSegment(deploymentOf(call))}` : '';
  const version = apiVersion ?? (operation === 'responses' ? API_VERSION_OF_RESPONSES : API_VERSION);
  return requestUrl(provider, start + deployment + openAiPaths[operation], ['api-version', version], key);
}

function isNamedByAddress({ operation, provider }: AdapterCall): boolean {
  return operation !== 'responses' && !endsWithPath(provider, UNDATED);
}

function deploymentOf({ provider, model }: AdapterCall): string {
  return provider.deploymentId ?? model;
}
