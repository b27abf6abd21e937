import * as v from 'valibot';
import { modelPatternsField, nameField, numberField, wholeNumberField } from '../config/fields.ts';
import type { ProviderConfig, UnnamedProviderConfig } from './provider-config.ts';
import {
  baseUrlField,
  headerNameField,
  headerValueField,
  parameterNameField,
  pathField,
  providerNameField,
  referenceField,
  regionField,
  secretField,
  tokenField,
  upstreamModelField,
  variableField,
} from './provider-fields.ts';
import { checkProvider } from './provider-checks.ts';
import { providerTypes } from './provider.ts';

/** What holds for a provider whose config says nothing else. Source: ai, Provider object. */
export const providerDefaults: Readonly<
  Record<'timeoutMs' | 'connectTimeoutMs' | 'firstByteTimeoutMs' | 'streamIdleTimeoutMs' | 'responseBytesMax', number>
> = {
  timeoutMs: 60_000,
  connectTimeoutMs: 5000,
  firstByteTimeoutMs: 30_000,
  streamIdleTimeoutMs: 60_000,
  responseBytesMax: 32 * 1024 * 1024,
};

/** Longest time-out: answers of models that think long are expected within it. */
const TIMEOUT_MS_MAX = 3_600_000;
const CONNECT_TIMEOUT_MS_MAX = 60_000;
const RESPONSE_BYTES_MAX = 256 * 1024 * 1024;
const HEADERS_MAX = 50;
const MODELS_MAPPED_MAX = 1000;
/** For a million tokens, in any currency. */
const PRICE_MAX = 1_000_000_000;

/**
 * A provider as a config writes it. Fields that hold secrets carry `x-secret` in their metadata. Nothing is transformed: `readProvider` makes
 * of it what adapters know. Source: ai, Provider object.
 */
export const providerSchema: v.GenericSchema<ProviderConfig> = v.pipe(
  v.strictObject(
    { name: providerNameField('Name of the provider. PROVIDER/MODEL names a target'), ...entries() },
    mistakeOf,
  ),
  v.rawCheck(({ dataset, addIssue }) => {
    if (dataset.typed) for (const issue of mistakesBetween(dataset.value)) addIssue(issue);
  }),
);

/** The same where the name may stand outside, as the key of a map. */
export const unnamedProviderSchema: v.GenericSchema<UnnamedProviderConfig> = v.pipe(
  v.strictObject(
    { name: v.optional(providerNameField('Name of the provider. Default: the name of the entry')), ...entries() },
    mistakeOf,
  ),
  v.rawCheck(({ dataset, addIssue }) => {
    if (dataset.typed) for (const issue of mistakesBetween(dataset.value)) addIssue(issue);
  }),
);

function mistakeOf(issue: v.StrictObjectIssue): string {
  if (issue.expected === 'never') return 'is no field of a provider';
  return issue.expected === 'Object' ? 'must be an object' : 'is required';
}

function mistakesBetween(config: UnnamedProviderConfig): { message: string; path: [v.ObjectPathItem] }[] {
  const input = { ...config };
  return checkProvider(config).map(({ field, message }) => ({
    message,
    path: [{ type: 'object', origin: 'value', input, key: field, value: config[field] }],
  }));
}

function entries() {
  return {
    type: v.pipe(
      v.picklist(providerTypes, `must be one of ${providerTypes.join(', ')}`),
      v.description('How the provider speaks'),
    ),
    base_url: v.optional(
      baseUrlField("Where its API begins. Required for azure_openai and openai_compatible; else the vendor's own"),
    ),
    path: v.optional(
      pathField(
        'In place of the path that the vendor has for the operation. May hold {model} for vendors whose paths name it',
      ),
    ),
    ...secrets('api_key', 'Key of the API'),
    ...secrets('access_key_id', 'ID of the access key of AWS'),
    ...secrets('secret_access_key', 'Secret access key of AWS'),
    ...secrets('session_token', 'Session token of AWS, with temporary access keys'),
    auth: v.optional(auth()),
    headers: v.optional(
      v.pipe(
        v.record(headerNameField('Header'), headerValueField('Value'), 'must be a map from header name to value'),
        v.maxEntries(HEADERS_MAX, `must have at most ${HEADERS_MAX} entries`),
        v.description('Headers of each request'),
      ),
    ),
    organization: v.optional(tokenField('Organization of OpenAI')),
    project: v.optional(tokenField('Project of OpenAI or Google Cloud')),
    api_version: v.optional(tokenField('Version of the API, for azure_openai and anthropic')),
    deployment_id: v.optional(tokenField('Deployment of Azure OpenAI. Default: the model')),
    region: v.optional(regionField('Region, for bedrock and vertex')),
    models: v.optional(modelPatternsField('Models that it serves. Default: any')),
    model_map: v.optional(
      v.pipe(
        v.record(nameField('Model'), upstreamModelField(), 'must be a map from model to model'),
        v.maxEntries(MODELS_MAPPED_MAX, `must have at most ${MODELS_MAPPED_MAX} entries`),
        v.description('What it calls models that targets and clients call otherwise'),
      ),
    ),
    timeout_ms: timeout('For a whole answer, in milliseconds', TIMEOUT_MS_MAX, providerDefaults.timeoutMs),
    connect_timeout_ms: timeout(
      'For connecting, in milliseconds',
      CONNECT_TIMEOUT_MS_MAX,
      providerDefaults.connectTimeoutMs,
    ),
    first_byte_timeout_ms: timeout(
      'To the first event of a stream, in milliseconds',
      TIMEOUT_MS_MAX,
      providerDefaults.firstByteTimeoutMs,
    ),
    stream_idle_timeout_ms: timeout(
      'Between two pieces of a stream, in milliseconds',
      TIMEOUT_MS_MAX,
      providerDefaults.streamIdleTimeoutMs,
    ),
    max_response_bytes: v.optional(
      wholeNumberField('Bytes of a whole answer', 1024, RESPONSE_BYTES_MAX),
      providerDefaults.responseBytesMax,
    ),
    supports: v.optional(supports()),
    pricing: v.optional(pricing()),
    enabled: v.optional(v.pipe(v.boolean('must be true or false'), v.description('Whether it is used')), true),
    tls_verify: v.optional(
      v.pipe(
        v.literal(true, 'must be true: certificates of providers are always verified'),
        v.description('Certificates of providers are always verified'),
      ),
    ),
  };
}

function secrets<const Field extends string>(field: Field, description: string) {
  const value = v.optional(secretField(description));
  const variable = v.optional(variableField(`${description}: the variable of the gateway that holds it`));
  const reference = v.optional(referenceField(`${description}: where it is, as vault://PREFIX/SECRET or env://NAME`));
  return { [field]: value, [`${field}_env`]: variable, [`${field}_ref`]: reference } as Record<Field, typeof value> &
    Record<`${Field}_env`, typeof variable> &
    Record<`${Field}_ref`, typeof reference>;
}

function auth() {
  return v.pipe(
    strict({
      header_name: v.optional(headerNameField('Header that carries the key')),
      header_value: v.optional(headerValueField('Its value, with {key} where the key belongs. Default: the key')),
      param_name: v.optional(parameterNameField('Parameter that carries the key')),
      param_value: v.optional(headerValueField('Its value, with {key} where the key belongs. Default: the key')),
      param_location: v.optional(
        v.pipe(v.picklist(['query', 'body'], 'must be query or body'), v.description('Where the parameter is')),
        'query',
      ),
    }),
    v.check(
      ({ header_name, header_value }) => header_value === undefined || header_name !== undefined,
      'header_value needs header_name',
    ),
    v.check(
      ({ param_name, param_value }) => param_value === undefined || param_name !== undefined,
      'param_value needs param_name',
    ),
    v.description("How the key is sent, where that is not the vendor's own way"),
  );
}

function supports() {
  const flag = (description: string) =>
    v.optional(v.pipe(v.boolean('must be true or false'), v.description(description)), true);
  return v.pipe(
    strict({
      stream_usage: flag('Whether it takes stream_options.include_usage'),
      tools: flag('Whether its models call tools'),
      json_schema: flag('Whether it answers by a JSON Schema'),
    }),
    v.description('What it can do'),
  );
}

function pricing() {
  return v.pipe(
    strict({
      input_per_million: numberField('Price of a million tokens of prompts', 0, PRICE_MAX),
      output_per_million: numberField('Price of a million tokens of answers', 0, PRICE_MAX),
      cached_input_per_million: v.optional(
        numberField('Price of a million tokens of prompts that it had in its cache', 0, PRICE_MAX),
      ),
    }),
    v.description("Prices, in a currency of the operator's choice"),
  );
}

function timeout(description: string, max: number, fallback: number) {
  return v.optional(wholeNumberField(description, 1, max), fallback);
}

function strict<Entries extends v.ObjectEntries>(given: Entries) {
  return v.strictObject(given, (issue) => {
    if (issue.expected === 'never') return 'is no field of this object';
    return issue.expected === 'Object' ? 'must be an object' : 'is required';
  });
}
