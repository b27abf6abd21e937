import { type Provider, type ProviderType, type SecretName } from './provider.ts';
import { secretNames } from './provider-checks.ts';
import type { ProviderConfig } from './provider-config.ts';
import { providerDefaults } from './provider-schema.ts';

/** Where the vendors' own APIs begin. */
const BASE_URLS: ReadonlyMap<ProviderType, string> = new Map<ProviderType, string>([
  ['openai', 'https://api.openai.com/v1'],
  ['anthropic', 'https://api.anthropic.com/v1'],
  ['gemini', 'https://generativelanguage.googleapis.com/v1beta'],
  ['mistral', 'https://api.mistral.ai/v1'],
  ['cohere', 'https://api.cohere.com/v2'],
  ['ollama', 'http://localhost:11434'],
]);

/**
 * What a config says that `providerSchema` accepted, with its defaults. Whether it is `enabled` is the caller's to ask.
 */
export function readProvider(config: ProviderConfig): Provider {
  const { name, type, path, organization, project, region, auth, supports, pricing } = config;
  return {
    name,
    type,
    baseUrl: baseUrlOf(config),
    ...(path === undefined ? {} : { path }),
    secrets: readSecrets(config),
    ...(auth === undefined ? {} : { auth: readAuth(auth) }),
    headers: Object.entries(config.headers ?? {}).flat(),
    ...(organization === undefined ? {} : { organization }),
    ...(project === undefined ? {} : { project }),
    ...(config.api_version === undefined ? {} : { apiVersion: config.api_version }),
    ...(config.deployment_id === undefined ? {} : { deploymentId: config.deployment_id }),
    ...(region === undefined ? {} : { region }),
    models: config.models ?? [],
    modelMap: new Map(Object.entries(config.model_map ?? {})),
    timeoutMs: config.timeout_ms ?? providerDefaults.timeoutMs,
    connectTimeoutMs: config.connect_timeout_ms ?? providerDefaults.connectTimeoutMs,
    firstByteTimeoutMs: config.first_byte_timeout_ms ?? providerDefaults.firstByteTimeoutMs,
    streamIdleTimeoutMs: config.stream_idle_timeout_ms ?? providerDefaults.streamIdleTimeoutMs,
    responseBytesMax: config.max_response_bytes ?? providerDefaults.responseBytesMax,
    supports: {
      streamUsage: supports?.stream_usage ?? true,
      tools: supports?.tools ?? true,
      jsonSchema: supports?.json_schema ?? true,
    },
    ...(pricing === undefined ? {} : { pricing: readPricing(pricing) }),
  };
}

function baseUrlOf({ type, base_url, region }: ProviderConfig): string {
  // As the WHATWG's URL writes it, so that what is joined with a path is what was checked.
  if (base_url !== undefined) return new URL(base_url).href.replace(/\/+$/, '');
  if (type === 'bedrock' && region !== undefined) {
    return `https://bedrock-runtime.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;
  }
  if (type === 'vertex') {
    const host = region === undefined || region === 'global' ? '' : `${region}-`;
    return `https://${host}aiplatform.googleapis.com/v1`;
  }
  return BASE_URLS.get(type) ?? '';
}

const secretFields = {
  api_key: 'apiKey',
  access_key_id: 'accessKeyId',
  secret_access_key: 'secretAccessKey',
  session_token: 'sessionToken',
} as const;

function readSecrets(config: ProviderConfig): Provider['secrets'] {
  const secrets: { -readonly [Field in keyof Provider['secrets']]: Provider['secrets'][Field] } = {};
  for (const name of secretNames) {
    const secret = secretOf(config[name], config[`${name}_env`], config[`${name}_ref`]);
    if (secret !== undefined) secrets[secretFields[name]] = secret;
  }
  return secrets;
}

function secretOf(
  value: string | undefined,
  variable: string | undefined,
  reference: string | undefined,
): SecretName | undefined {
  if (value !== undefined) return { from: 'value', value };
  if (variable !== undefined) return { from: 'reference', reference: `env://${variable}` };
  return reference === undefined ? undefined : { from: 'reference', reference };
}

function readAuth(auth: NonNullable<ProviderConfig['auth']>): NonNullable<Provider['auth']> {
  return {
    ...(auth.header_name === undefined ? {} : { headerName: auth.header_name }),
    ...(auth.header_value === undefined ? {} : { headerValue: auth.header_value }),
    ...(auth.param_name === undefined ? {} : { paramName: auth.param_name }),
    ...(auth.param_value === undefined ? {} : { paramValue: auth.param_value }),
    paramLocation: auth.param_location ?? 'query',
  };
}

function readPricing(pricing: NonNullable<ProviderConfig['pricing']>): NonNullable<Provider['pricing']> {
  const cached = pricing.cached_input_per_million;
  return {
    inputPerMillion: pricing.input_per_million,
    outputPerMillion: pricing.output_per_million,
    ...(cached === undefined ? {} : { cachedInputPerMillion: cached }),
  };
}
