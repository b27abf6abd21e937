import { entityFamilies } from '@portcullis/resources';
import { describe, expect, it } from 'vitest';
import { writeMethods } from './api/entities.ts';
import { problem, routeOf } from './fake-api.test-support.ts';
import { api, routes, withApi } from './records.test-support.ts';

/** What the catalogue does not offer: command, entity, and what the refusal says. */
const impossible = entityFamilies.flatMap((family) => [
  ...(writeMethods(family).includes('POST') ? [] : [['create', family.name, 'created']]),
  ...(writeMethods(family).some((method) => method === 'PATCH' || method === 'PUT')
    ? []
    : [['update', family.name, 'changed']]),
  ...(writeMethods(family).includes('DELETE') ? [] : [['delete', family.name, 'deleted']]),
]) as [string, string, string][];

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
    expect(await home.runWithInput('{name: flow, path: /flow}', ...args)).toMatchObject({ exitCode: 0, stderr: '' });
    expect(JSON.parse(String(home.server.requests.at(-1)?.body))).toEqual({ name: 'flow', path: '/flow' });
    expect(await home.runWithInput('{"name":', ...args)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/^gwctl: standard input:\d+:\d+: [^\n]+\n$/),
    });
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

  it('update --replace sends PUT, where the family knows it', async () => {
    await using home = await withApi({ ...api, 'PUT /api/v1/admin/gateways/g1/routes/r1': routes[0] });
    const file = home.file('route.yaml', 'name: orders\npath: /v2\n');
    const args = ['update', 'route', 'r1', '--gateway-id', 'edge', '--file', file, '--replace'];
    expect(await home.run(...args)).toMatchObject({ exitCode: 0, stderr: '' });
    expect(home.server.requests.map(routeOf).at(-1)).toBe('PUT /api/v1/admin/gateways/g1/routes/r1');
    expect((await home.run('update', 'users', 'ada', '--file', file, '--replace')).stderr).toBe(
      'gwctl: users cannot be replaced as a whole: leave --replace out\n',
    );
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
