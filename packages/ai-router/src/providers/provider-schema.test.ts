import { toJsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import type { ProviderConfig } from './provider-config.ts';
import { providerSchema, unnamedProviderSchema } from './provider-schema.ts';
import { providerTypes } from './provider.ts';
import { readProvider } from './read-provider.ts';

const plain = { name: 'p', type: 'openai' } as const;

/** What is wrong with a config, by the field. */
function mistakes(config: unknown): readonly string[] {
  const read = v.safeParse(providerSchema, config);
  return read.success ? [] : read.issues.map((issue) => `${v.getDotPath(issue) ?? ''} ${issue.message}`);
}

describe('fields', () => {
  test.each([
    [{ base_url: 'https://user:pw@host.test/v1' }, 'base_url must be a URL without user, query and fragment'],
    [{ base_url: 'https://@host.test/v1' }, undefined],
    [{ base_url: 'https://host.test/v1?x=1' }, 'base_url must be a URL without user, query and fragment'],
    [{ base_url: 'https://host.test/v1?' }, 'base_url must be a URL without user, query and fragment'],
    [{ base_url: 'https://host.test/#x' }, 'base_url must be a URL without user, query and fragment'],
    [{ base_url: 'https:\\\\host.test' }, 'base_url must be an https: or http: URL'],
    [{ base_url: 'ftp://host.test' }, 'base_url must be an https: or http: URL'],
    [{ base_url: 'https://host.test/a b' }, 'base_url must be an https: or http: URL'],
    [{ path: 'chat' }, 'path must be a path that begins with /'],
    [{ path: '/a/../b' }, 'path must have no . and .. in it'],
    [{ path: '//host.test' }, 'path must be a path that begins with /'],
    [{ path: '/a?b' }, 'path must be a path that begins with /'],
    [{ path: '/a%2e%2e' }, 'path must be a path that begins with /'],
    [{ path: '/{model}:{method}/x' }, 'path must not hold {model} or {method} for openai'],
    [{ type: 'gemini', path: '/{model}:{method}/x' }, undefined],
    [{ api_key: 'a\nb' }, 'api_key must be of visible ASCII characters'],
    [{ api_key: '' }, 'api_key must be of visible ASCII characters'],
    [{ api_key_env: 'A-B' }, 'api_key_env must be the name of a variable'],
    [{ api_key_ref: 'https://x' }, 'api_key_ref must be vault://PREFIX/SECRET or env://NAME'],
    [{ api_key: 'a', api_key_env: 'B' }, 'api_key_env must not be there beside api_key'],
    [{ api_key_env: 'B', api_key_ref: 'vault://a/b' }, 'api_key_ref must not be there beside api_key_env'],
    [{ headers: { Host: 'x' } }, 'headers.Host names a header that the gateway itself sets'],
    [{ headers: { 'X-A': 'x\r\ny' } }, 'headers.X-A must be a header value of ASCII characters'],
    [{ auth: { header_value: 'x' } }, 'auth header_value needs header_name'],
    [{ auth: { param_name: '__proto__' } }, 'auth.param_name must be 1 to 128 of A-Z a-z 0-9 . _ -'],
    [{ tls_verify: false }, 'tls_verify must be true: certificates of providers are always verified'],
    [{ tls_verify: true }, undefined],
    [{ timeout_ms: 0 }, 'timeout_ms must be at least 1'],
    [{ deployment_id: 'a/b' }, 'deployment_id must be 1 to 128 of A-Z a-z 0-9 . _ : -'],
    [{ models: ['a*b'] }, 'models.0 may hold a * only as its last character'],
    [{ pricing: { input_per_million: -1, output_per_million: 1 } }, 'pricing.input_per_million must be at least 0'],
    [{ colour: 'red' }, 'colour is no field of a provider'],
    [{ region: 'eu-west-1' }, 'region is for bedrock and vertex alone'],
    [{ access_key_id: 'A' }, 'access_key_id is for bedrock alone'],
  ])('%j', (fields, mistake) => {
    expect(mistakes({ ...plain, ...fields })[0]).toBe(mistake);
  });

  test('name and type are required', () => {
    expect(mistakes({})).toEqual(['name is required', 'type is required']);
    expect(mistakes({ name: 'a/b', type: 'acme' })).toHaveLength(2);
    expect(v.safeParse(unnamedProviderSchema, { type: 'openai' }).success).toBe(true);
  });
});

describe('fields of types', () => {
  const aws = { name: 'p', type: 'bedrock', region: 'eu-west-1' };
  test.each([
    [{ name: 'p', type: 'azure_openai' }, 'base_url is required for azure_openai'],
    [{ name: 'p', type: 'openai_compatible' }, 'base_url is required for openai_compatible'],
    [{ name: 'p', type: 'bedrock' }, 'region is required for bedrock'],
    [{ ...aws, region: 'us-east-1.evil.test/#' }, 'region must be the name of a region'],
    [{ ...aws, region: 'evil' }, 'region must be a region of AWS, for instance eu-west-1'],
    [{ ...aws, access_key_id: 'A' }, 'secret_access_key must be there with access_key_id, and only with it'],
    [{ ...aws, session_token: 'A' }, 'session_token must be there only with access_key_id'],
    [{ ...aws, access_key_id_ref: 'vault://a/b', secret_access_key_env: 'B' }, undefined],
    [{ name: 'p', type: 'vertex', project: 'x', region: 'europe-west4' }, undefined],
    [{ name: 'p', type: 'vertex', project: 'x', region: 'global' }, undefined],
    [
      { name: 'p', type: 'vertex', project: 'x', region: 'evil' },
      'region must be a region of Google Cloud, for instance europe-west4, or global',
    ],
    [{ name: 'p', type: 'vertex', project: 'x' }, 'region must be there with project, and only with it'],
  ])('%j', (config, mistake) => {
    expect(mistakes(config)[0]).toBe(mistake);
  });
});

/** The texts that a JSON Schema marks as secret, as paths of fields. */
function secretFields(schema: unknown, at = ''): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const own = 'x-secret' in schema && schema['x-secret'] === true ? [at] : [];
  const properties = 'properties' in schema ? Object.entries(schema.properties as object) : [];
  const inner = properties.flatMap(([name, property]) => secretFields(property, `${at}/${name}`));
  return [
    ...own,
    ...inner,
    ...('additionalProperties' in schema ? secretFields(schema.additionalProperties, `${at}/*`) : []),
  ];
}

test('the schema is one of JSON, which marks all secrets', () => {
  const json = toJsonSchema(providerSchema, {
    target: 'draft-2020-12',
    typeMode: 'input',
    errorMode: 'throw',
    ignoreActions: ['check', 'raw_check'],
  });
  expect(secretFields(json).toSorted()).toEqual([
    '/access_key_id',
    '/api_key',
    '/auth/header_value',
    '/auth/param_value',
    '/headers/*',
    '/secret_access_key',
    '/session_token',
  ]);
  expect(json.properties?.['timeout_ms']).toMatchObject({ default: 60_000, minimum: 1 });
});

describe('what is read', () => {
  test('has defaults', () => {
    expect(readProvider(plain)).toEqual({
      name: 'p',
      type: 'openai',
      baseUrl: 'https://api.openai.com/v1',
      secrets: {},
      headers: [],
      models: [],
      modelMap: new Map(),
      timeoutMs: 60_000,
      connectTimeoutMs: 5000,
      firstByteTimeoutMs: 30_000,
      streamIdleTimeoutMs: 60_000,
      responseBytesMax: 32 * 1024 * 1024,
      supports: { streamUsage: true, tools: true, jsonSchema: true },
    });
  });

  test('has all that is given', () => {
    const config = v.parse(providerSchema, {
      ...plain,
      base_url: 'HTTPS://Host.test:8443/v1//',
      path: '/x',
      api_key_env: 'KEY',
      auth: { header_name: 'X', header_value: 'T {key}', param_name: 'q' },
      headers: { 'X-A': 'a', 'X-B': 'b' },
      organization: 'o',
      project: 'pr',
      api_version: '2024-10-21',
      deployment_id: 'd',
      models: ['gpt-*'],
      model_map: { a: 'b' },
      supports: { stream_usage: false },
      pricing: { input_per_million: 1, output_per_million: 2, cached_input_per_million: 0.5 },
      stream_idle_timeout_ms: 5,
    });
    expect(readProvider(config)).toMatchObject({
      baseUrl: 'https://host.test:8443/v1',
      path: '/x',
      secrets: { apiKey: { from: 'reference', reference: 'env://KEY' } },
      auth: { headerName: 'X', headerValue: 'T {key}', paramName: 'q', paramLocation: 'query' },
      headers: ['X-A', 'a', 'X-B', 'b'],
      organization: 'o',
      project: 'pr',
      apiVersion: '2024-10-21',
      deploymentId: 'd',
      models: ['gpt-*'],
      modelMap: new Map([['a', 'b']]),
      supports: { streamUsage: false, tools: true, jsonSchema: true },
      pricing: { inputPerMillion: 1, outputPerMillion: 2, cachedInputPerMillion: 0.5 },
      streamIdleTimeoutMs: 5,
    });
  });

  test('names secrets', () => {
    const { secrets } = readProvider({
      name: 'p',
      type: 'bedrock',
      region: 'eu-west-1',
      access_key_id: 'A',
      secret_access_key_ref: 'vault://a/b',
      session_token_env: 'T',
    });
    expect(secrets).toEqual({
      accessKeyId: { from: 'value', value: 'A' },
      secretAccessKey: { from: 'reference', reference: 'vault://a/b' },
      sessionToken: { from: 'reference', reference: 'env://T' },
    });
  });

  test.each([
    ['bedrock', 'eu-west-1', 'https://bedrock-runtime.eu-west-1.amazonaws.com'],
    ['bedrock', 'cn-north-1', 'https://bedrock-runtime.cn-north-1.amazonaws.com.cn'],
    ['vertex', 'europe-west4', 'https://europe-west4-aiplatform.googleapis.com/v1'],
    ['vertex', 'global', 'https://aiplatform.googleapis.com/v1'],
  ] as const)('%s in %s is at %s', (type, region, baseUrl) => {
    expect(readProvider({ name: 'p', type, region }).baseUrl).toBe(baseUrl);
  });

  test.each(providerTypes)('%s has a base', (type) => {
    const config: ProviderConfig = { name: 'p', type, base_url: 'https://host.test/' };
    expect(readProvider(config).baseUrl).toBe('https://host.test');
  });
});
