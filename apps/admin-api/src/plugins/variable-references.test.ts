import { pluginCatalogue } from '@portcullis/plugins';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { type Answer, startTestService, type TestService } from '../testing/test-service.test-support.ts';
import { allowVariables, variableProblems } from './variable-references.ts';

const admin = '/api/v1/admin';

describe('variables that a config names', () => {
  afterEach(() => allowVariables(undefined));
  const places = (config: unknown, tenantId?: string) =>
    variableProblems(config, '/config', tenantId).map(({ pointer }) => pointer);
  const config = { api_key_env: 'JUDGE_KEY', list: [{ api_key_ref: 'env://OPENAI_KEY', url_env: 'DATABASE_URL' }] };

  it('are those that the operator lists for the tenant', () => {
    allowVariables(
      new Map([
        ['acme', new Set(['JUDGE_KEY'])],
        ['globex', new Set(['OPENAI_KEY'])],
      ]),
    );
    expect(places(config, 'acme')).toEqual(['/config/list/0/api_key_ref', '/config/list/0/url_env']);
    expect(places(config, 'globex')).toEqual(['/config/api_key_env', '/config/list/0/url_env']);
    expect(places(config, 'other')).toHaveLength(3);
    expect(places(config)).toEqual(['/config/list/0/url_env']);
  });

  it.each([
    'DATABASE_URL',
    'APP_DATABASE_URL',
    'PORTCULLIS_SECRET_KEYS',
    'portcullis_token',
    'PGPASSWORD',
    'NODE_OPTIONS',
    'PATH',
  ])('are never %s where nobody said which there are', (name) => {
    expect(places({ api_key_env: name }, 'acme')).toEqual(['/config/api_key_env']);
    expect(places({ api_key_ref: `env://${name}` }, 'acme')).toEqual(['/config/api_key_ref']);
    expect(places({ api_key_env: 'OPENAI_KEY' }, 'acme')).toEqual([]);
  });

  it('are in fields of built-in plugins that nothing else is called like', () => {
    const named = [...pluginCatalogue.values()].flatMap((plugin) =>
      [...JSON.stringify(plugin.jsonSchema()).matchAll(/"(\w+_env)":\{/g)].map(([, field]) => field),
    );
    expect([...new Set(named)].toSorted((left = '', right = '') => left.localeCompare(right))).toEqual([
      'access_key_id_env',
      'api_key_env',
      'secret_access_key_env',
      'session_token_env',
    ]);
  });
});

describeOnEachDatabase('a variable that the tenant may not read', (context) => {
  let service: TestService;
  const call = (method: string, path: string, body?: object): Promise<Answer> =>
    service.call(method, `${admin}${path}?tenant_id=acme`, body);
  const judge = (api_key_env: string) => ({
    name: 'llm_as_judge',
    config: { judge_url: 'https://judge.test/v1/chat/completions', model: 'm', criteria: 'be kind', api_key_env },
  });
  const refused = ({ status, body }: Answer) => [status, body.errors?.map((error: Answer['body']) => error.pointer)];

  beforeAll(async () => {
    service = await startTestService(context.url(), {
      settings: { PORTCULLIS_ENV_ALLOW: 'acme:JUDGE_KEY;globex:GLOBEX_KEY' },
    });
    await service.addTenant('acme');
    await call('POST', '/gateways', { id: 'edge', name: 'edge' });
  });
  afterAll(async () => {
    await service.stop();
    allowVariables(undefined);
  });

  it.each(['DATABASE_URL', 'GLOBEX_KEY'])('is refused in plugins, routes, AI records and bundles: %s', async (name) => {
    expect(refused(await call('POST', '/plugins', judge(name)))).toEqual([422, ['/config/api_key_env']]);
    const route = { name: 'r', path: '/r', plugins: [judge('JUDGE_KEY'), judge(name)] };
    expect(refused(await call('POST', '/gateways/edge/routes', route))).toEqual([
      422,
      ['/plugins/1/config/api_key_env'],
    ]);
    const embedding = { base_url: 'https://embed.test', model: 'm', api_key_env: name };
    const record = { kind: 'cache', name: 'c', config: { embedding_provider: embedding } };
    expect(refused(await call('POST', '/ai-gateway/records', record))).toEqual([
      422,
      ['/config/embedding_provider/api_key_env'],
    ]);
    const bundle = { tenant_id: 'acme', plugins: [judge(name)] };
    const imported = await service.call('POST', `${admin}/config/import`, bundle);
    expect(JSON.stringify(imported.body)).toContain('PORTCULLIS_ENV_ALLOW');
    expect((await call('GET', '/plugins')).body.total).toBe(0);
  });

  it.each(['DATABASE_URL', 'GLOBEX_KEY'])('is refused as the secret of a credential: %s', async (name) => {
    await call('POST', '/consumers', { id: 'kim', username: 'kim' });
    const credential = (variable: string) => ({
      consumer_id: 'kim',
      type: 'jwt',
      key: 'k',
      secret: `env://${variable}`,
    });
    expect(refused(await call('POST', '/consumer-credentials', credential(name)))).toEqual([422, ['/secret']]);
    const bundle = {
      tenant_id: 'acme',
      consumers: [{ id: 'kim', username: 'kim' }],
      consumer_credentials: [credential(name)],
    };
    const imported = await service.call('POST', `${admin}/config/import`, bundle);
    expect(JSON.stringify(imported.body)).toContain('PORTCULLIS_ENV_ALLOW');
    const { status, body } = await call('POST', '/consumer-credentials', credential('JUDGE_KEY'));
    expect([status, body.secret]).toEqual([201, 'env://JUDGE_KEY']);
    expect((await call('DELETE', '/consumers/kim')).status).toBe(204);
  });

  it('is taken where the operator lists it', async () => {
    const { status, body } = await call('POST', '/plugins', judge('JUDGE_KEY'));
    expect([status, body.config?.api_key_env]).toEqual([201, 'JUDGE_KEY']);
    expect((await call('DELETE', `/plugins/${body.id}`)).status).toBe(204);
  });
});
