import { pluginCatalogue } from '@portcullis/plugins';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readConfiguration, recordsOf } from '../data-planes/read-configuration.test-support.ts';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { type Answer, startTestService, type TestService } from '../testing/test-service.test-support.ts';
import { addressesFor, isAddressName } from './address-leaves.ts';

const admin = '/api/v1/admin';
const canary = 'canary-that-goes-to-one-server-only';
const evil = 'https://evil.test';

describeOnEachDatabase('a secret that a mask keeps', (context) => {
  let service: TestService;
  let node = '';
  const call = (method: string, path: string, body?: unknown): Promise<Answer> =>
    service.call(method, `${admin}${path}${path.includes('?') ? '&' : '?'}tenant_id=acme`, body);
  const make = async (path: string, body: object): Promise<Answer['body']> => {
    const answer = await call('POST', path, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body;
  };
  const refusedAt = (answer: Answer) => [
    answer.body.code,
    answer.body.errors?.map((error: Answer['body']) => error.pointer),
  ];
  const delivered = async (family: string): Promise<string> => {
    const { body } = await service.call('GET', '/api/v1/data-plane/config', undefined, { token: node });
    return JSON.stringify(recordsOf(readConfiguration(body), family));
  };

  beforeAll(async () => {
    service = await startTestService(context.url());
    await service.addTenant('acme');
    await make('/gateways', { id: 'edge', name: 'edge' });
    node = (await make('/data-planes', { gateway_id: 'edge', name: 'node' })).token;
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    for (const path of ['/plugins', '/vaults', '/cache-store-configs', '/gateways/edge/routes']) {
      for (const { id } of (await call('GET', `${path}?limit=200`)).body.items) await call('DELETE', `${path}/${id}`);
    }
  });

  it('of a vault stays with its server', async () => {
    const config = { address: 'https://vault.test', token: canary };
    await make('/vaults', { prefix: 'prod', driver: 'hashicorp', config });
    expect(refusedAt(await call('PATCH', '/vaults/prod', { config: { address: evil } }))).toEqual([
      'secret_required',
      ['/config/token'],
    ]);
    const { body } = await call('GET', '/vaults/prod');
    const moved = { ...body, config: { ...body.config, address: evil } };
    expect(refusedAt(await call('PUT', '/vaults/prod', moved))).toEqual(['secret_required', ['/config/token']]);
    expect((await call('PATCH', '/vaults/prod', { config: { mount: 'kv' } })).status).toBe(200);
    const again = await call('PATCH', '/vaults/prod', { config: { address: evil, token: 'another' } });
    expect(again.status).toBe(200);
  });

  it('of a cache store stays with its server', async () => {
    const store = { name: 'shared', driver: 'redis', url: 'redis://cache.test:6379', password: canary };
    await make('/cache-store-configs', store);
    const at = '/cache-store-configs/shared';
    expect(refusedAt(await call('PATCH', at, { url: 'redis://evil.test:6379' }))).toEqual([
      'secret_required',
      ['/password'],
    ]);
    // What is wrong in itself is said first.
    expect(refusedAt(await call('PATCH', at, { url: 7 }))).toEqual(['validation_failed', ['/url']]);
    expect((await call('PATCH', at, { prefix: 'x:' })).status).toBe(200);
  });

  it('of a plugin stays with the address beside it, and with the plugin', async () => {
    const config = { client_id: 'gate', client_secret: canary, introspection_url: 'https://idp.test/introspect' };
    const { id } = await make('/plugins', { name: 'oauth2', config });
    const at = `/plugins/${id}`;
    expect(refusedAt(await call('PATCH', at, { config: { introspection_url: evil } }))).toEqual([
      'secret_required',
      ['/config/client_secret'],
    ]);
    expect((await call('PATCH', at, { config: { client_id: 'other' }, priority: 5 })).status).toBe(200);
    expect(await delivered('plugins')).toContain(canary);
    const log = await make('/plugins', {
      name: 'http_log',
      config: { endpoint: 'https://logs.test/in', headers: { authorization: canary } },
    });
    const led = await call('PATCH', `/plugins/${log.id}`, { config: { endpoint: evil } });
    expect(refusedAt(led)).toEqual(['secret_required', ['/config/headers/authorization']]);
    const renamed = { name: 'apm_vendor', config: { ...log.config, api_key: log.config.headers.authorization } };
    expect((await call('PATCH', `/plugins/${log.id}`, renamed)).status).toBe(422);
    expect(await delivered('plugins')).not.toContain('evil');
  });

  it('of one entry of a list cannot be put into another, and stays when entries change places', async () => {
    const provider = (name: string, base_url: string, api_key: string) => ({
      name,
      type: 'openai_compatible',
      base_url,
      api_key,
    });
    const providers = [
      provider('good', 'https://good.test/v1', canary),
      provider('own', 'https://own.test/v1', 'known'),
    ];
    const made = await make('/plugins', { name: 'ai_proxy', config: { providers } });
    const [good, own] = made.config.providers;
    const at = `/plugins/${made.id}`;
    const swapped = [good, { ...own, api_key: good.api_key }];
    expect(refusedAt(await call('PATCH', at, { config: { providers: swapped } }))).toEqual([
      'secret_required',
      ['/config/providers/1/api_key'],
    ]);
    const led = [{ ...good, base_url: `${evil}/v1` }, own];
    expect(refusedAt(await call('PATCH', at, { config: { providers: led } }))).toEqual([
      'secret_required',
      ['/config/providers/0/api_key'],
    ]);
    const third = provider('third', 'https://third.test/v1', 'new');
    expect((await call('PATCH', at, { config: { providers: [own, third, good] } })).status).toBe(200);
    expect(JSON.parse(await delivered('plugins'))[0].config.providers[2]).toMatchObject({ api_key: canary });
  });

  it('of a provider without an address stays with the vendor', async () => {
    const config = { providers: [{ name: 'p', type: 'openai', api_key: canary }] };
    const { id } = await make('/plugins', { name: 'ai_proxy', config });
    const [provider] = (await call('GET', `/plugins/${id}`)).body.config.providers;
    const led = { providers: [{ ...provider, type: 'mistral' }] };
    expect(refusedAt(await call('PATCH', `/plugins/${id}`, { config: led }))).toEqual([
      'secret_required',
      ['/config/providers/0/api_key'],
    ]);
    const models = { providers: [{ ...provider, models: ['gpt-5'] }] };
    expect((await call('PATCH', `/plugins/${id}`, { config: models })).status).toBe(200);
  });

  it('of a custom package stays with what its author calls the server', async () => {
    const text = { type: 'string' };
    const config_schema = {
      type: 'object',
      properties: { serverHost: text, target: text, note: text, token: { ...text, 'x-secret': true } },
    };
    await make('/plugin-packages', {
      name: 'my_sink',
      version: '1.0.0',
      config_schema,
    });
    const config = { serverHost: 'good', target: 'good.example:1', note: 'of ours', token: canary };
    const { id } = await make('/plugins', { name: 'my_sink', config });
    const patch = (change: object) => call('PATCH', `/plugins/${id}`, { config: change });
    for (const change of [{ serverHost: 'evil' }, { target: 'evil.example:1' }, { note: '10.0.0.1' }]) {
      expect(refusedAt(await patch(change))).toEqual(['secret_required', ['/config/token']]);
    }
    expect((await patch({ note: 'of theirs' })).status).toBe(200);
    expect(await delivered('plugins')).toContain(canary);
  });

  it('of an inline plugin stays with its address, while the route may change', async () => {
    const plugins = [
      { name: 'http_log', config: { endpoint: 'https://logs.test/in', headers: { authorization: canary } } },
    ];
    const made = await make('/gateways/edge/routes', { name: 'r', path: '/r', hosts: ['a.test'], plugins });
    const at = '/gateways/edge/routes/r';
    expect((await call('PATCH', at, { hosts: ['b.test'], path: '/q', plugins: made.plugins })).status).toBe(200);
    const [entry] = made.plugins;
    const led = [{ ...entry, config: { ...entry.config, endpoint: evil } }];
    expect(refusedAt(await call('PATCH', at, { plugins: led }))).toEqual([
      'secret_required',
      ['/plugins/0/config/headers/authorization'],
    ]);
  });

  it('of a bundle stays with its address', async () => {
    await make('/vaults', {
      prefix: 'prod',
      driver: 'hashicorp',
      config: { address: 'https://vault.test', token: canary },
    });
    const exported = (await call('GET', '/config/export')).body;
    exported.vaults[0].config.address = evil;
    for (const path of ['import?overwrite=true&dry_run=true', 'import?overwrite=true', 'sync?dry_run=true', 'diff']) {
      const { body } = await service.call('POST', `${admin}/config/${path}`, exported);
      expect([path, body.validation?.valid ?? false, body.errors ?? body.validation.errors]).toEqual([
        path,
        false,
        [
          {
            resource_type: 'vaults',
            index: 0,
            id: exported.vaults[0].id,
            name: 'prod',
            pointer: '/vaults/0/config/token',
            code: 'secret_required',
            message: expect.any(String),
          },
        ],
      ]);
    }
    // What differs is left alone there, so no secret is asked for.
    const skipped = await service.call('POST', `${admin}/config/import`, exported);
    expect(skipped.body).toMatchObject({ status: 'success', counts: { skipped: 1 } });
    expect((await call('GET', '/vaults/prod')).body.config.address).toBe('https://vault.test');
    exported.vaults[0].config.address = 'https://vault.test';
    exported.vaults[0].config.mount = 'kv';
    const kept = await service.call('POST', `${admin}/config/import?overwrite=true`, exported);
    expect(kept.body, JSON.stringify(kept.body)).toMatchObject({ status: 'success' });
    expect(await delivered('vaults')).toContain(canary);
  });
});

it('what decides where a secret goes is known by its name or by its form, in all but the other entries of a list', () => {
  const config = {
    name: 'x',
    token: 'secret',
    list: [
      { base_url: 'a', key: 'k1' },
      { base_url: 'b', key: 'k2' },
    ],
    nested: { target: 'tcp://c', retries: 3, secret_ref: 'vault://prod/x' },
    brokers: ['d:1', 'e:2'],
  };
  const of = addressesFor(config);
  const brokers = ['brokers', ['d:1', 'e:2']];
  const target = ['nested/target', 'tcp://c'];
  expect(of('/token')).toEqual([brokers, ['list/0/base_url', 'a'], ['list/1/base_url', 'b'], target]);
  expect(of('/list/1/key')).toEqual([brokers, ['list/*/base_url', 'b'], target]);
  expect(of('/list/0/base_url')).toEqual([brokers, target]);
  expect(addressesFor(Object.fromEntries(Object.entries(config).toReversed()))('/token')).toEqual(of('/token'));
  expect(addressesFor(undefined)('/x')).toEqual([]);
});

it.each(['serverHost', 'apiURL', 'baseURLs', 'HTTPHost', 'bootstrapServers', 'smtp-port', 'host2', 'Type', 'vendor'])(
  'is known by the name %s',
  (name) => expect(isAddressName(name)).toBe(true),
);

it.each(['grant_type', 'hostile', 'important', 'models', 'content-type', 'curler'])('is not meant by %s', (name) =>
  expect(isAddressName(name)).toBe(false),
);

describe('texts of custom packages', () => {
  const counts = (note: unknown): boolean =>
    (addressesFor({ note, token: 't' }, new Set(['/token']))('/token') as unknown[]).length > 0;

  it.each(
    [
      [
        'a.example',
        'a.example.',
        'a.example:1',
        'host:80',
        '10.0.0.1',
        '10.0.0.1:80',
        '::1',
        '[::1]:80',
        '//a.example/x',
      ],
      [
        'user@a.example',
        'bücher.example',
        'a.example/path?x',
        ['b', 'a.example'],
        'one, a.example',
        'xn--bcher-kva.example',
      ],
    ]
      .flat()
      .map((text) => [text]),
  )('%j is a host', (text) => expect(counts(text)).toBe(true));

  it.each([
    ['1.5'],
    ['gpt'],
    ['a sentence. And one more.'],
    [''],
    [7],
    [true],
    [null],
    ['a'.repeat(100_000)],
    ['v1.2'],
  ])('%j is none', (text) => expect(counts(text)).toBe(false));

  it('are none where they are secrets', () => {
    const of = addressesFor({ token: 'a.b.c', other: 'd.e.f' }, new Set(['/token', '/other']));
    expect(of('/token')).toEqual([]);
  });
});

describe('built-in plugins with secrets', () => {
  /** Names of the fields of a schema, at any depth. */
  const namesIn = (schema: unknown): string[] => {
    if (typeof schema !== 'object' || schema === null) return [];
    const own = 'properties' in schema ? Object.keys(schema.properties as object) : [];
    return [...own, ...Object.values(schema).flatMap(namesIn)];
  };
  const addresses = [...pluginCatalogue.values()]
    .map((plugin) => ({ name: plugin.name, schema: plugin.jsonSchema() }))
    .filter(({ schema }) => JSON.stringify(schema).includes('"x-secret":true'))
    .map(({ name, schema }) => [name, [...new Set(namesIn(schema).filter(isAddressName))].sort()] as const);

  it('have these fields that say where a secret goes: a new one belongs here, with a name that is known', () => {
    expect(Object.fromEntries(addresses)).toEqual({
      // Without a base URL each type of provider is called at its own vendor's.
      ai_proxy: ['base_url', 'provider', 'region', 'type'],
      ai_rag_injector: ['retrieval_url'],
      api_key_auth: [],
      apm_vendor: ['apm_endpoint', 'endpoint', 'intake_url', 'site'],
      audit_event_stream: ['audit_endpoint', 'endpoint'],
      basic_auth: [],
      cloud_guardrails: ['endpoint_url', 'region'],
      http_log: ['endpoint', 'http_endpoint'],
      llm_as_judge: ['judge_url'],
      oauth2: ['introspection_url'],
      session_cookie_auth: [],
      stream_log: ['bootstrap_servers'],
    });
  });
});
