import { writeFileSync } from 'node:fs';
import { catalogue } from '@portcullis/resources';
import { describe, expect, it } from 'vitest';
import { writeMethods } from './api/entities.ts';
import { answer, gwctlHome, problem, routeOf, startFakeApi } from './fake-api.test-support.ts';
import type { Answers } from './fake-api.test-support.ts';

const gateway = { id: 'g1', tenant_id: 'acme', name: 'edge', hosts: [], updated_at: '2026-01-01T00:00:00.000Z' };
const routes = [
  { id: 'r1', gateway_id: 'g1', name: 'orders', path: '/orders', methods: ['GET', 'POST'], plugins: [{ name: 'x' }] },
  { id: 'r2', gateway_id: 'g1', name: 'evil\u001B[31m', enabled: false, methods: [] },
];
const api = {
  'GET /health': { status: 'ok', release: '0.1.0' },
  'GET /ready': { status: 'ready', checks: { database: 'ok' } },
  'GET /api/v1/admin/gateways': { items: [gateway], total: 1, skip: 0, limit: 50 },
  'GET /api/v1/admin/gateways/edge': gateway,
  'GET /api/v1/admin/gateways/g1/routes': { items: routes, total: 7, skip: 0, limit: 2 },
  'GET /api/v1/admin/gateways/g1/routes/orders': routes[0],
  'POST /api/v1/admin/gateways/g1/routes': answer(201, routes[0]),
  'PATCH /api/v1/admin/gateways/g1/routes/r1': routes[0],
  'DELETE /api/v1/admin/gateways/g1/routes/r1': answer(204),
  'GET /api/v1/admin/gateways/g1/upstreams/pool': { id: 'u1', name: 'pool' },
  'GET /api/v1/admin/gateways/g1/targets': {
    items: [{ id: 't1', name: 'h:1', weight: 100 }],
    total: 1,
    skip: 0,
    limit: 50,
  },
  'GET /api/v1/admin/plugins': { items: [], total: 0, skip: 0, limit: 50 },
};

/** What the catalogue does not offer: command, entity, and what the refusal says. */
const impossible = catalogue.flatMap((family) => [
  ...(writeMethods(family).includes('POST') ? [] : [['create', family.name, 'created']]),
  ...(writeMethods(family).some((method) => method === 'PATCH' || method === 'PUT')
    ? []
    : [['update', family.name, 'changed']]),
  ...(writeMethods(family).includes('DELETE') ? [] : [['delete', family.name, 'deleted']]),
]) as [string, string, string][];

/** gwctl with a context of the tenant acme at a server that gives these answers. */
async function withApi(answers: Answers = api) {
  const server = await startFakeApi(answers);
  const home = await gwctlHome();
  const contexts = { c: { api_url: server.url, token: 'gwadm_1_secret', tenant_id: 'acme' } };
  writeFileSync(home.config, JSON.stringify({ current: 'c', contexts }), { mode: 0o600 });
  const file = (name: string, text: string): string => {
    writeFileSync(`${home.path}/${name}`, text);
    return name;
  };
  const dispose = async () => {
    await home[Symbol.asyncDispose]();
    await server.close();
  };
  return { ...home, server, file, [Symbol.asyncDispose]: dispose };
}

describe('status', () => {
  it('prints health, readiness and gateways', async () => {
    await using home = await withApi();
    expect(await home.run('status')).toEqual({
      exitCode: 0,
      stderr: '',
      stdout: [
        `API       ${home.server.url}`,
        'health    ok',
        'ready     ready',
        'gateways  1',
        '',
        'ID  NAME  UPDATED AT',
        'g1  edge  2026-01-01T00:00:00.000Z',
        '',
      ].join('\n'),
    });
  });

  it('-o json has health, ready and gateways, and one section that fails does not hide the others', async () => {
    await using home = await withApi({ ...api, 'GET /ready': answer(503, { status: 'not_ready' }) });
    const run = await home.run('status', '-o', 'json');
    expect(run.exitCode).toBe(1);
    expect(JSON.parse(run.stdout)).toMatchObject({
      health: { ok: true, status: 'ok' },
      ready: { ok: false, error: '503 HTTP status 503' },
      gateways: { ok: true, items: [{ id: 'g1' }] },
    });
  });

  it('says that gateways are not listed when no tenant is known', async () => {
    await using home = await withApi();
    const run = await home.run('--api-url', home.server.url, '--token', 't', '--context', 'c', 'status', '-o', 'json');
    expect(JSON.parse(run.stdout)).toMatchObject({ gateways: { ok: true } });
    writeFileSync(home.config, '{"current":null,"contexts":{}}');
    const without = await home.run('--api-url', home.server.url, 'status', '-o', 'json');
    expect(JSON.parse(without.stdout)).toMatchObject({ gateways: null });
  });
});

describe('get', () => {
  it('finds the gateway by its name and prints a table that no record can colour', async () => {
    await using home = await withApi();
    const run = await home.run(
      'get',
      'routes',
      '--gateway-id',
      'edge',
      '--selector',
      'a=b',
      '--limit',
      '2',
      '--offset',
      '0',
    );
    expect(run).toEqual({
      exitCode: 0,
      stderr: '',
      stdout: [
        'ID  NAME       ENABLED  PATH     PATHS  METHODS   SERVICE ID',
        'r1  orders     -        /orders  -      GET,POST  -',
        'r2  evil\uFFFD[31m  false    -        -      -         -',
        '(5 more: --offset 2)',
        '',
      ].join('\n'),
    });
    expect(home.server.requests.at(-1)?.url).toBe(
      '/api/v1/admin/gateways/g1/routes?tenant_id=acme&labels=a%3Db&limit=2&skip=0',
    );
  });

  it.each([['route'], ['routes']])('%s is the same entity; one record prints whole', async (entity) => {
    await using home = await withApi();
    const run = await home.run('get', entity, 'orders', '--gateway-id', 'edge', '-o', 'yaml');
    expect(run.stdout).toContain('id: r1\n');
    expect(run.stdout).toContain('methods:\n  - GET\n');
  });

  it('lists targets of an upstream that is named', async () => {
    await using home = await withApi();
    const run = await home.run('get', 'targets', '--gateway-id', 'edge', '--upstream-id', 'pool');
    expect(run.stdout).toBe(
      'ID  NAME  UPSTREAM ID  WEIGHT  PRIORITY  ENABLED\nt1  h:1   -            100     -         -\n',
    );
    expect(home.server.requests.at(-1)?.url).toBe('/api/v1/admin/gateways/g1/targets?tenant_id=acme&upstream_id=u1');
  });

  it('uses the path that the catalogue declares', async () => {
    await using home = await withApi();
    expect(await home.run('get', 'plugins', '-o', 'json')).toMatchObject({ exitCode: 0, stderr: '' });
  });

  it.each([
    [['get', 'routes'], 'gwctl: routes live in a gateway: give --gateway-id with its ID or name\n'],
    [['get', 'targets', '--gateway-id', 'edge'], 'gwctl: listing targets needs --upstream-id with an ID or a name\n'],
    [
      ['get', 'routes', '--gateway-id', 'edge', '--consumer-id', 'x'],
      'gwctl: --consumer-id does not apply to routes\n',
    ],
    [['get', 'routes', 'gone', '--gateway-id', 'edge'], 'gwctl: 404 there is no such record\n'],
  ])('%j fails with one line', async (args, stderr) => {
    await using home = await withApi();
    expect(await home.run(...args)).toEqual({ exitCode: 1, stdout: '', stderr });
  });

  it('an unknown entity lists the known ones', async () => {
    await using home = await withApi();
    const run = await home.run('get', 'ships');
    expect(run).toMatchObject({ exitCode: 1, stdout: '' });
    expect(run.stderr).toMatch(
      /^gwctl: no entity is called ships\nEntities:\n(?: {2}[a-z-]+(?:, [a-z-]+)? \(by ID(?: or name)?\)\n)+$/,
    );
    expect(run.stderr).toContain('  consumer-credentials, consumer-credential (by ID)\n');
    expect(run.stderr).toContain('  routes, route (by ID or name)\n');
  });
});

describe('create, update and delete', () => {
  it('create sends the record of a YAML file once', async () => {
    await using home = await withApi();
    const file = home.file('route.yaml', 'name: orders\npath: /orders\n');
    const run = await home.run('create', 'route', 'r1', '--gateway-id', 'edge', '--file', file, '-o', 'json');
    expect(JSON.parse(run.stdout)).toMatchObject({ id: 'r1' });
    const posts = home.server.requests.filter(({ method }) => method === 'POST');
    expect(posts.map(({ url }) => url)).toEqual(['/api/v1/admin/gateways/g1/routes?tenant_id=acme']);
    expect(JSON.parse(String(posts[0]?.body))).toEqual({ id: 'r1', name: 'orders', path: '/orders' });
  });

  it('create reads the record from standard input with --file -', async () => {
    await using home = await withApi();
    const args = ['create', 'route', '--gateway-id', 'edge', '--file', '-'];
    expect(await home.runWithInput('name: orders\n', ...args)).toMatchObject({ exitCode: 0, stderr: '' });
    expect(JSON.parse(String(home.server.requests.at(-1)?.body))).toEqual({ name: 'orders' });
    expect(await home.runWithInput('name: [\n', ...args)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/^gwctl: standard input:\d+:\d+: [^\n]+\n$/),
    });
  });

  it('update sends only the fields of the file, to the id that the file names', async () => {
    await using home = await withApi();
    const file = home.file('route.json', '{"id":"r1","path":"/v2"}');
    expect(await home.run('update', 'routes', '--gateway-id', 'edge', '--file', file)).toMatchObject({ exitCode: 0 });
    expect(home.server.requests.map(routeOf).at(-1)).toBe('PATCH /api/v1/admin/gateways/g1/routes/r1');
  });

  it('delete says what it did', async () => {
    await using home = await withApi();
    expect(await home.run('delete', 'route', 'r1', '--gateway-id', 'edge')).toEqual({
      exitCode: 0,
      stdout: '',
      stderr: 'route r1 is deleted\n',
    });
    const document = await home.run('delete', 'route', 'r1', '--gateway-id', 'edge', '-o', 'json');
    expect(document).toMatchObject({ exitCode: 0, stderr: '' });
    expect(JSON.parse(document.stdout)).toEqual({ entity: 'routes', id: 'r1', deleted: true });
  });

  it('a refused record shows every mistake', async () => {
    await using home = await withApi({
      ...api,
      'POST /api/v1/admin/gateways/g1/routes': problem(422, 'validation_failed', '2 fields are invalid', [
        { pointer: '/path', code: 'required', message: 'is required' },
        { pointer: '/methods/0', code: 'regex', message: 'must be an HTTP method in upper case' },
      ]),
    });
    const file = home.file('route.yaml', 'name: orders\n');
    expect(await home.run('create', 'route', '--gateway-id', 'edge', '--file', file)).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: [
        'gwctl: 422 2 fields are invalid',
        '  /path is required (required)',
        '  /methods/0 must be an HTTP method in upper case (regex)',
        '',
      ].join('\n'),
    });
  });

  it.each(impossible)('%s %s is refused before any request', async (command, entity, message) => {
    await using home = await withApi();
    const id = command === 'create' ? [] : ['x'];
    const file = command === 'delete' ? [] : ['--file', home.file('named.yaml', 'id: x\n')];
    const run = await home.run(command, entity, ...id, ...file);
    expect(run.stderr).toMatch(new RegExp(`^gwctl: ${entity} cannot be ${message}`));
    expect(home.server.requests).toEqual([]);
  });

  it('a family that cannot be changed, an id that contradicts and a record without one fail before any request', async () => {
    await using home = await withApi();
    const named = home.file('named.yaml', 'id: a\n');
    const list = home.file('list.yaml', '- a\n');
    const runs = [
      await home.run('update', 'api-tokens', 'x', '--file', named),
      await home.run('create', 'gateways', 'b', '--file', named),
      await home.run('update', 'gateways', '--file', home.file('nameless.yaml', 'name: x\n')),
      await home.run('create', 'gateways', '--file', list),
    ];
    expect(runs.map(({ stderr }) => stderr)).toEqual([
      'gwctl: api-tokens cannot be changed: delete and create instead\n',
      'gwctl: named.yaml has another id than b\n',
      'gwctl: which one? give its ID, or an id in nameless.yaml\n',
      'gwctl: list.yaml does not hold a record: expected fields and values\n',
    ]);
    expect(home.server.requests).toEqual([]);
  });
});
