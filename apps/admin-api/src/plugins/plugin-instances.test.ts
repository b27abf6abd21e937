import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { startTestService } from '../testing/test-service.test-support.ts';
import type { Answer, TestService } from '../testing/test-service.test-support.ts';

const admin = '/api/v1/admin';
const keys = { valid_keys: ['canary-key-1', 'canary-key-2'], header_name: 'x-key' };

describeOnEachDatabase('plugin instances', (context) => {
  let service: TestService;
  const call = (method: string, path: string, body?: object): Promise<Answer> =>
    service.call(method, `${admin}${path}${path.includes('?') ? '&' : '?'}tenant_id=acme`, body);
  const make = async (path: string, body: object): Promise<Answer['body']> => {
    const answer = await call('POST', path, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body;
  };
  const instance = (more: object): Promise<Answer> => call('POST', '/plugins', { name: 'correlation_id', ...more });
  const mistakesOf = ({ status, body }: Pick<Answer, 'status' | 'body'>): [number, string[]] => [
    status,
    (body.errors ?? []).map((one: { pointer: string; code: string }) => `${one.pointer} ${one.code}`).toSorted(),
  ];
  const keysStored = async (id: string): Promise<string> => {
    const query = context.database().read.selectFrom('resources').select(['body', 'secrets']).where('id', '=', id);
    return JSON.stringify(await query.execute());
  };

  beforeAll(async () => {
    service = await startTestService(context.url());
    await service.addTenant('acme');
    await service.addTenant('globex');
    await make('/workspaces', { id: 'w', name: 'w' });
    for (const id of ['g1', 'g2']) {
      await make('/gateways', { id, name: id });
      await make(`/gateways/${id}/services`, { id: `${id}-s`, name: 's', url: 'http://s.test' });
      await make(`/gateways/${id}/services`, { id: `${id}-t`, name: 't', url: 'http://t.test' });
      await make(`/gateways/${id}/routes`, { id: `${id}-r`, name: 'r', path: '/r', service_id: `${id}-s` });
    }
    await make('/gateways', { id: 'g3', name: 'g3', workspace_id: 'w' });
    await make('/gateways/g3/routes', { id: 'g3-r', name: 'r', path: '/r' });
    await make('/consumers', { id: 'kim', username: 'kim' });
    await service.call('POST', `${admin}/workspaces`, { tenant_id: 'globex', id: 'foreign', name: 'w' });
  });
  afterAll(() => service.stop());

  it('are under every path that the requirement prints', async () => {
    for (const path of [`${admin}/plugins`, '/admin/plugins', '/plugins', '/api/v1/plugins']) {
      const made = await service.call('POST', path, { tenant_id: 'acme', name: 'correlation_id' });
      expect(made.status, path).toBe(201);
      const at = `${path}/${made.body.id}?tenant_id=acme`;
      expect((await service.call('GET', at)).body, path).toEqual(made.body);
      expect((await service.call('PATCH', at, { priority: 1 })).status, path).toBe(200);
      expect((await service.call('DELETE', at)).status, path).toBe(204);
    }
  });

  it('have the defaults of the requirement', async () => {
    expect((await instance({})).body).toMatchObject({
      tenant_id: 'acme',
      enabled: true,
      scope: 'tenant',
      priority: 0,
      config: {},
      execution: {
        timeout_ms: 5000,
        hook_timeouts_ms: {},
        failure_threshold: 3,
        recovery_timeout_ms: 30_000,
        failure_mode: 'inherit',
        max_concurrency: 32,
      },
    });
  });

  it.each<[object, string]>([
    [{ priority: -100_001 }, '/priority'],
    [{ priority: 100_001 }, '/priority'],
    [{ priority: 0.5 }, '/priority'],
    [{ execution: { timeout_ms: 9 } }, '/execution/timeout_ms'],
    [{ execution: { timeout_ms: 30_001 } }, '/execution/timeout_ms'],
    [{ execution: { hook_timeouts_ms: { request: 9 } } }, '/execution/hook_timeouts_ms/request'],
    [{ execution: { failure_threshold: 101 } }, '/execution/failure_threshold'],
    [{ execution: { recovery_timeout_ms: 99 } }, '/execution/recovery_timeout_ms'],
    [{ execution: { max_concurrency: 257 } }, '/execution/max_concurrency'],
    [{ execution: { failure_mode: 'open' } }, '/execution/failure_mode'],
    [{ trigger: 'never' }, '/trigger'],
    [{ trigger: 'tcp' }, '/trigger'],
    [{ scope: 'world' }, '/scope'],
    [{ name: 'no_such_package' }, '/name'],
    [{ config: { no_such_field: 1 } }, '/config/no_such_field'],
    [{ config: 'x' }, '/config'],
    [{ service: 'x' }, '/service'],
  ])('refuse %o', async (more, pointer) => {
    const answer = await instance(more);
    expect([answer.status, answer.body.errors.map((one: { pointer: string }) => one.pointer)]).toEqual([
      422,
      [pointer],
    ]);
  });

  it('take both edges of every range', async () => {
    for (const priority of [-100_000, 100_000]) expect((await instance({ priority })).body.priority).toBe(priority);
    const low = { timeout_ms: 10, failure_threshold: 1, recovery_timeout_ms: 100, max_concurrency: 1 };
    const high = { timeout_ms: 30_000, failure_threshold: 100, recovery_timeout_ms: 3_600_000, max_concurrency: 256 };
    for (const execution of [low, high])
      expect((await instance({ execution })).body.execution).toMatchObject(execution);
  });

  it.each<[string, string]>([
    ['gateway', '/gateway_id'],
    ['workspace', '/workspace_id'],
    ['service', '/service_id'],
    ['route', '/route_id'],
    ['consumer', '/consumer_id'],
    ['consumer_group', '/consumer_group'],
  ])('of scope %s want its selector', async (scope, pointer) => {
    expect(mistakesOf(await instance({ scope, gateway_id: scope === 'gateway' ? undefined : 'g1' }))).toEqual([
      422,
      [`${pointer} selector_required`],
    ]);
  });

  it.each<[object]>([
    [{ scope: 'gateway', gateway_id: 'g1' }],
    [{ scope: 'gateway', gateway_name: 'g1' }],
    [{ scope: 'workspace', workspace_id: 'w' }],
    [{ scope: 'workspace', workspace_id: 'w', gateway_id: 'g3', route_id: 'g3-r' }],
    [{ scope: 'service', service_id: 'g1-s' }],
    [{ scope: 'service', service_name: 's' }],
    [{ scope: 'service', service_name: 'not-there-yet' }],
    [{ scope: 'route', route_id: 'g1-r', service_id: 'g1-s', gateway_id: 'g1', service_name: 's', route_name: 'r' }],
    [{ scope: 'route', route_name: 'r', gateway_id: 'g2' }],
    [{ scope: 'consumer', consumer_id: 'kim', gateway_id: 'g2', consumer_group: 'gold' }],
    [{ scope: 'consumer_group', consumer_group: 'gold' }],
    [{ scope: 'tenant', route_id: 'g2-r' }],
    [{ scope: 'global' }],
  ])('take %o', async (more) => {
    expect(mistakesOf(await instance(more))).toEqual([201, []]);
  });

  it.each<[object, string]>([
    [{ gateway_id: 'g2', service_id: 'g1-s' }, '/service_id contradiction'],
    [{ gateway_id: 'g2', route_id: 'g1-r' }, '/route_id contradiction'],
    [{ service_id: 'g1-t', route_id: 'g1-r' }, '/route_id contradiction'],
    [{ service_id: 'g2-s', route_id: 'g1-r' }, '/route_id contradiction'],
    [{ service_id: 'g1-s', service_name: 't' }, '/service_name contradiction'],
    [{ route_id: 'g1-r', route_name: 'other' }, '/route_name contradiction'],
    [{ route_id: 'g1-r', service_name: 't' }, '/service_name contradiction'],
    [{ gateway_id: 'g1', gateway_name: 'g2' }, '/gateway_name contradiction'],
    [{ workspace_id: 'w', gateway_id: 'g1' }, '/workspace_id contradiction'],
    [{ workspace_id: 'w', route_id: 'g1-r' }, '/workspace_id contradiction'],
    [{ workspace_id: 'w', service_id: 'g2-s' }, '/workspace_id contradiction'],
    [{ workspace_id: 'nothing' }, '/workspace_id reference_not_found'],
    [{ workspace_id: 'foreign' }, '/workspace_id reference_not_found'],
    [{ consumer_id: 'nobody' }, '/consumer_id reference_not_found'],
  ])('refuse selectors that nothing meets: %o', async (more, mistake) => {
    expect(mistakesOf(await instance(more))).toEqual([422, [mistake]]);
  });

  it.each<[object, string]>([
    [{ gateway_name: 'g1', service_id: 'g2-s' }, '/plugins/1/service_id reference_not_found'],
    [{ gateway_name: 'g1', workspace_id: 'w' }, '/plugins/1/workspace_id contradiction'],
    [{ service_id: 'g1-t', route_id: 'g1-r' }, '/plugins/1/route_id contradiction'],
    [{ route_id: 'new', route_name: 'other' }, '/plugins/1/route_name contradiction'],
    [{ route_id: 'new', service_id: 'g1-s' }, '/plugins/1/route_id contradiction'],
    [{ service_id: 'g1-s', route_id: 'g1-r', id: 'fits' }, ''],
  ])('are said to contradict each other before a bundle is applied: %o', async (selectors, mistake) => {
    const own = { id: 'new', gateway_id: 'g1', name: 'new', path: '/new', service_name: 't' };
    const bundle = {
      tenant_id: 'acme',
      routes: [own],
      plugins: [{ name: 'correlation_id' }, { name: 'correlation_id', ...selectors }],
    };
    const found = mistake === '' ? [] : [mistake];
    const { body } = await call('POST', '/config/diff', bundle);
    expect(mistakesOf({ status: 200, body })).toEqual([200, found]);
    const dry = await call('POST', '/config/sync?dry_run=true', bundle);
    expect(mistakesOf({ status: 200, body: dry.body.validation })).toEqual([200, found]);
    expect((await call('POST', '/config/sync?dry_run=false', bundle)).body.status).toBe(mistake ? 'failed' : 'success');
  });

  it('refuse a change that makes selectors contradict, too', async () => {
    const { body } = await instance({ gateway_id: 'g1', service_id: 'g1-s' });
    expect(mistakesOf(await call('PATCH', `/plugins/${body.id}`, { gateway_id: 'g2' }))).toEqual([
      422,
      ['/service_id contradiction'],
    ]);
    expect((await call('PATCH', `/plugins/${body.id}`, { gateway_id: 'g2', service_id: null })).status).toBe(200);
  });

  it('merge a PATCH into the config, where null removes, and keep secrets that come back masked', async () => {
    const made = await make('/plugins', { name: 'api_key_auth', config: keys });
    const at = `/plugins/${made.id}`;
    expect(made.config.valid_keys.every((key: string) => key.startsWith('[redacted'))).toBe(true);
    const removed = await call('PATCH', at, { config: { header_name: null } });
    expect(removed.body.config).toEqual({ valid_keys: made.config.valid_keys });
    const [first, second] = made.config.valid_keys;
    const reordered = await call('PATCH', at, { config: { valid_keys: [second, 'canary-key-3', first] } });
    expect(reordered.body.config.valid_keys[0]).toBe(second);
    expect(reordered.body.config.valid_keys[2]).toBe(first);
    const emptied = await call('PATCH', at, { config: null });
    expect(emptied.status, 'an empty config has no keys').toBe(422);
    const replaced = await call('PUT', at, { name: 'api_key_auth', config: { valid_keys: [first] }, priority: 5 });
    expect(replaced).toMatchObject({ status: 200, body: { priority: 5, config: { valid_keys: [first] } } });
    expect(mistakesOf(await call('PUT', at, { name: 'api_key_auth', config: { valid_keys: [second] } }))).toEqual([
      422,
      ['/config/valid_keys/0 secret_required'],
    ]);
    expect(await keysStored(made.id)).not.toContain('canary');
    expect((await call('DELETE', at)).status).toBe(204);
    expect((await call('GET', at)).status).toBe(404);
  });

  it('written into a route are checked, sealed and kept the same way', async () => {
    const entry = { name: 'api_key_auth', stage: 'request', config: keys };
    const at = '/gateways/g1/routes/inline';
    const made = await make('/gateways/g1/routes', {
      name: 'inline',
      path: '/i',
      plugins: [{ name: 'correlation_id' }, entry],
    });
    const masks = made.plugins[1].config.valid_keys;
    const swapped = await call('PATCH', at, { plugins: [{ ...entry, config: { valid_keys: masks } }] });
    expect(swapped).toMatchObject({
      status: 200,
      body: { plugins: [{ stage: 'request', config: { valid_keys: masks } }] },
    });
    expect(await keysStored(made.id)).not.toContain('canary');
    const bad = [
      { name: 'correlation_id', scope: 'tenant' },
      { name: 'correlation_id', gateway_id: 'g1' },
    ];
    expect(mistakesOf(await call('PATCH', at, { plugins: bad }))).toMatchObject([
      422,
      [expect.stringContaining('/plugins/0/scope'), expect.stringContaining('/plugins/1/gateway_id')],
    ]);
    const worse = [
      { name: 'correlation_id', config: { no_such_field: 1 } },
      { name: 'no_such_package' },
      { name: 'correlation_id', stage: 'stream' },
      { name: 'correlation_id', stage: 'request', trigger: 'after_response' },
    ];
    const [status, mistakes] = mistakesOf(await call('PATCH', at, { plugins: worse }));
    expect(status).toBe(422);
    expect(mistakes.map((one) => one.split(' ')[0])).toEqual(
      expect.arrayContaining([
        '/plugins/0/config/no_such_field',
        '/plugins/1/name',
        '/plugins/2/stage',
        '/plugins/3/stage',
      ]),
    );
  });

  it('are listed by name, scope, selectors and state', async () => {
    await instance({ scope: 'route', route_id: 'g2-r', consumer_group: 'silver', enabled: false, labels: { x: 'y' } });
    const all = (await call('GET', '/plugins?limit=200')).body.items as Record<string, unknown>[];
    for (const [field, value] of Object.entries({
      name: 'correlation_id',
      scope: 'route',
      enabled: false,
      gateway_id: 'g1',
      workspace_id: 'w',
      service_id: 'g1-s',
      route_id: 'g2-r',
      consumer_id: 'kim',
      consumer_group: 'silver',
      service_name: 's',
      route_name: 'r',
    })) {
      const { body } = await call('GET', `/plugins?limit=200&${field}=${String(value)}`);
      const wanted = all.filter((one) => one[field] === value).map((one) => one['id']);
      expect(wanted.length, field).toBeGreaterThan(0);
      expect(
        body.items.map((one: { id: string }) => one.id),
        field,
      ).toEqual(wanted);
    }
  });

  it('go with what they are for', async () => {
    await make('/workspaces', { id: 'brief', name: 'brief' });
    const { body } = await instance({ scope: 'workspace', workspace_id: 'brief' });
    expect((await call('DELETE', '/workspaces/brief')).status).toBe(204);
    expect((await call('GET', `/plugins/${body.id}`)).status).toBe(404);
  });
});
