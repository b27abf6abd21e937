import type { ProviderConfig, UnnamedProviderConfig } from './provider-config.ts';
import type { ProviderType } from './provider.ts';

/** What is wrong with a field beside others. */
export interface ProviderMistake {
  readonly field: keyof ProviderConfig;
  readonly message: string;
}

/** Regions become parts of host names, so nothing else may look like one. Source: security, `region`. */
const AWS_REGION = /^[a-z]{2}(?:-[a-z]+)+-\d$/;
const GOOGLE_REGION = /^(?:global|[a-z]+-[a-z]+\d{1,2})$/;

/** Types whose addresses name the model. */
const MODEL_IN_PATH: ReadonlySet<ProviderType> = new Set<ProviderType>(['bedrock', 'gemini', 'vertex']);

/** The secrets of a config, by the field that holds them. */
export const secretNames = ['api_key', 'access_key_id', 'secret_access_key', 'session_token'] as const;

/** Checks between fields. */
export function checkProvider(config: UnnamedProviderConfig): readonly ProviderMistake[] {
  return [...secretsOnce(config), ...fieldsOfType(config)];
}

function secretsOnce(config: UnnamedProviderConfig): readonly ProviderMistake[] {
  return secretNames.flatMap((name) => {
    const given = [name, `${name}_env` as const, `${name}_ref` as const].filter((field) => config[field] !== undefined);
    const [first, field] = given;
    return field === undefined ? [] : [{ field, message: `must not be there beside ${first}` }];
  });
}

function fieldsOfType(config: UnnamedProviderConfig): readonly ProviderMistake[] {
  const mistakes: ProviderMistake[] = [];
  const { type, region } = config;
  const add = (field: keyof ProviderConfig, message: string): void => void mistakes.push({ field, message });
  const has = (name: (typeof secretNames)[number]): boolean =>
    [name, `${name}_env` as const, `${name}_ref` as const].some((field) => config[field] !== undefined);
  if ((type === 'azure_openai' || type === 'openai_compatible') && config.base_url === undefined) {
    add('base_url', `is required for ${type}`);
  }
  if (config.path !== undefined && /\{/.test(config.path) && !MODEL_IN_PATH.has(type)) {
    add('path', `must not hold {model} or {method} for ${type}`);
  }
  if (type === 'bedrock') {
    if (region === undefined) add('region', 'is required for bedrock');
    else if (!AWS_REGION.test(region)) add('region', 'must be a region of AWS, for instance eu-west-1');
    if (has('access_key_id') !== has('secret_access_key')) {
      add('secret_access_key', 'must be there with access_key_id, and only with it');
    }
    if (has('session_token') && !has('access_key_id')) add('session_token', 'must be there only with access_key_id');
  } else {
    for (const name of ['access_key_id', 'secret_access_key', 'session_token'] as const) {
      if (has(name)) add(name, 'is for bedrock alone');
    }
  }
  if (type === 'vertex') {
    if (region !== undefined && !GOOGLE_REGION.test(region)) {
      add('region', 'must be a region of Google Cloud, for instance europe-west4, or global');
    }
    if ((region === undefined) !== (config.project === undefined))
      add('region', 'must be there with project, and only with it');
  } else if (type !== 'bedrock' && region !== undefined) add('region', 'is for bedrock and vertex alone');
  return mistakes;
}
