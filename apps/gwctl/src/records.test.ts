import { writeFileSync } from 'node:fs';
import { entityFamilies } from '@portcullis/resources';
import { startUpstream } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { answer, gwctlHome } from './fake-api.test-support.ts';
import { api, withApi } from './records.test-support.ts';
import { ownRelease } from './release.ts';

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
    [['delete', 'gateway', ''], 'gwctl: an empty text names no gateway\n'],
    [['get', 'routes', '--gateway-id', ''], 'gwctl: an empty text names no gateway\n'],
    [['delete', 'route', '..', '--gateway-id', 'edge'], 'gwctl: .. names no route\n'],
    [['get', 'gateway', '.'], 'gwctl: . names no gateway\n'],
    [['get', 'routes', '--gateway-id', '..'], 'gwctl: .. names no gateway\n'],
    [['snapshots', 'delete', '..'], 'gwctl: .. names no snapshot\n'],
    [['get', 'routes', 'gone', '--gateway-id', 'edge'], 'gwctl: 404 there is no such record\n'],
  ])('%j fails with one line', async (args, stderr) => {
    await using home = await withApi();
    expect(await home.run(...args)).toEqual({ exitCode: 1, stdout: '', stderr });
  });

  it('a name that is nearly one asks whether that was meant', async () => {
    await using home = await withApi();
    expect((await home.run('get', 'rotues')).stderr).toMatch(
      /^gwctl: no entity is called rotues; did you mean routes\?\n/,
    );
    expect((await home.run('gte', 'routes')).stderr).toContain("unknown command 'gte'\n(Did you mean get?)");
  });

  it('--all follows the pages, and keeps a record that moved between them once', async () => {
    const pages = [
      { items: [{ id: 'a' }, { id: 'b' }], total: 4 },
      { items: [{ id: 'b' }, { id: 'c' }], total: 4 },
    ];
    await using server = await startUpstream((req, res) => {
      const { pathname, searchParams } = new URL(req.url ?? '', 'http://x');
      const page = pages[Number(searchParams.get('skip')) / 2];
      const body = pathname === '/api/versions' ? { release: ownRelease() } : page;
      res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
    await using home = await gwctlHome();
    const globals = ['--api-url', server.url, '--token', 't', '-o', 'json'];
    const run = await home.run(...globals, 'get', 'consumers', '--all', '--sort', 'username');
    expect(JSON.parse(run.stdout)).toEqual({
      items: [{ id: 'a' }, { id: 'b' }, { id: 'c' }],
      total: 4,
      skip: 0,
      limit: 3,
    });
    expect(server.requests.map(({ url }) => url).slice(1)).toEqual([
      '/api/v1/admin/consumers?limit=200&skip=0&sort=username',
      '/api/v1/admin/consumers?limit=200&skip=2&sort=username',
    ]);
    expect(await home.run('get', 'consumers', '--all', '--limit', '5')).toMatchObject({ exitCode: 1, stdout: '' });
  });

  it('entities says where records live and what can be done with them', async () => {
    await using home = await gwctlHome();
    const run = await home.run('entities', '-o', 'json');
    const { items } = JSON.parse(run.stdout) as { items: { entity: string }[] };
    expect(items).toHaveLength(entityFamilies.length);
    expect(items.find(({ entity }) => entity === 'targets')).toEqual({
      ...{ entity: 'targets', singular: 'target', addressed_by: ['id'], scope: 'gateway' },
      ...{ list_needs: ['--gateway-id', '--upstream-id'], commands: ['get', 'create', 'update', 'delete'] },
    });
    expect((await home.run('entities')).stdout).toMatch(/^ENTITY +SINGULAR +BY +LIVES IN +LIST NEEDS +COMMANDS\n/);
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
