import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { gwctlHome, problem, startFakeApi } from './fake-api.test-support.ts';
import type { Answers } from './fake-api.test-support.ts';

const quickstart = fileURLToPath(new URL('../../../examples/quickstart.yaml', import.meta.url));
const bundle = 'tenant_id: acme\ngateways:\n  - name: edge\n';
const missing = {
  resource_type: 'routes',
  index: 0,
  id: null,
  name: 'orders',
  pointer: '/routes/0/service_name',
  code: 'reference_not_found',
  message: 'no such record in services',
};
const changes = [
  {
    action: 'create',
    resource_type: 'gateways',
    id: 'g1',
    name: 'edge',
    fields: [{ path: '/name', op: 'add', new: 'edge' }],
  },
  {
    action: 'update',
    resource_type: 'plugins',
    id: 'p1',
    name: 'cors',
    fields: [
      { path: '/config/secret', op: 'replace', old: '[redacted]', new: '[redacted]', secret_changed: true },
      { path: '/priority', op: 'replace', old: 0, new: 5 },
      { path: '/labels/a', op: 'remove', old: 'x' },
      { path: '/labels/b', op: 'add', new: 'y' },
    ],
  },
];
const diff = {
  tenant_id: 'acme',
  in_sync: false,
  summary: { create: 1, update: 1, unchanged: 2, unmanaged: 3, total: 7 },
  changes,
  unmanaged: [],
  warnings: [],
  errors: [],
};
const changeText = [
  'gateways',
  '  + edge',
  'plugins',
  '  ~ cors',
  '      ~ /config/secret: (secret changed)',
  '      ~ /priority: 0 -> 5',
  '      - /labels/a: "x"',
  '      + /labels/b: "y"',
  '1 to create, 1 to update, 2 unchanged, 3 not in the bundle',
];
const inSync = {
  ...diff,
  in_sync: true,
  changes: [],
  summary: { create: 0, update: 0, unchanged: 2, unmanaged: 0, total: 2 },
};
const syncAnswer = (status: string, errors: unknown[] = []) => ({
  status,
  dry_run: status === 'dry_run',
  validation: { valid: errors.length === 0, errors, warnings: [], counts: {} },
  diff,
  counts: { created: 1, updated: 1, unchanged: 2, skipped: 0, failed: errors.length },
  results: [],
  revision: 5,
  duration_ms: 3,
});

async function withApi(answers: Answers) {
  const server = await startFakeApi(answers);
  const home = await gwctlHome();
  const run = (...args: string[]) => home.run('--api-url', server.url, '--token', 'gwadm_1_secret', ...args);
  const file = (name: string, text: string): string => {
    writeFileSync(`${home.path}/${name}`, text);
    return name;
  };
  const dispose = async () => {
    await home[Symbol.asyncDispose]();
    await server.close();
  };
  return { run, file, server, [Symbol.asyncDispose]: dispose };
}

describe('validate', () => {
  it('accepts the bundle of the quick start without a server', async () => {
    await using home = await gwctlHome();
    expect(await home.run('validate', quickstart, '--strict')).toEqual({
      exitCode: 0,
      stdout: 'valid (7 records)\n',
      stderr: '',
    });
  });

  it('names every mistake with its place in the file', async () => {
    await using home = await withApi({});
    const text = [
      'tenant_id: acme',
      'gateways:',
      '  - { name: edge, hots: [] }',
      'services:',
      '  - { name: s, gateway_name: other }',
      'routes:',
      '  - name: orders',
      '    gateway_name: other',
      '    service_name: gone',
      '    methods: [get]',
      'targets:',
      '  - { target: "h:1", gateway_name: other, upstream_name: pool }',
      '  - { name: "h:1", gateway_name: other, upstream_name: pool }',
    ].join('\n');
    const run = await home.run('validate', home.file('b.yaml', text));
    expect(run).toMatchObject({ exitCode: 1, stderr: '' });
    expect(run.stdout.split('\n')).toEqual([
      'b.yaml:3:25: error /gateways/0/hots (edge): is not a known field [unknown_field]',
      'b.yaml:5:5: error /services/0 (s): exactly one of url, upstream_id is required [exactly_one_of]',
      'b.yaml:10:15: error /routes/0/methods/0 (orders): must be an HTTP method in upper case [format]',
      'b.yaml:13:5: error /targets/1/port (h:1): is given to another record of the bundle too: b.yaml:12:5 [duplicate]',
      ...[0, 1].flatMap((index) => [
        `b.yaml:${12 + index}:${[36, 34][index]}: warning /targets/${index}/gateway_name (h:1): not in the bundle: it must exist in gateways already [reference_outside_bundle]`,
        `b.yaml:${12 + index}:${[58, 56][index]}: warning /targets/${index}/upstream_name (h:1): not in the bundle: it must exist in upstreams already [reference_outside_bundle]`,
      ]),
      'invalid: 4 mistakes (5 records)',
      '',
    ]);
  });

  it('-o json prints one document, and strict insists on what the bundle refers to', async () => {
    await using home = await withApi({});
    const file = home.file('b.json', '{"tenant_id":"acme","routes":[{"name":"r","gateway_id":"g","service_id":"s"}]}');
    const loose = await home.run('validate', file, '-o', 'json');
    expect(JSON.parse(loose.stdout)).toMatchObject({ valid: true, errors: [], warnings: [{}, {}] });
    const strict = await home.run('validate', file, '--strict', '-o', 'json');
    expect(strict.exitCode).toBe(1);
    expect(JSON.parse(strict.stdout)).toMatchObject({ errors: [{ pointer: '/routes/0/service_id' }], warnings: [{}] });
  });
});

describe('validate of a large document', () => {
  it('ends within seconds, with pointers in place of lines and a bounded list', async () => {
    await using home = await withApi({});
    const routes = Array.from({ length: 20_000 }, (_, index) => ({
      name: `r${index}`,
      gateway_id: 'g',
      path: 'wrong here',
    }));
    const run = await home.run('validate', home.file('big.json', JSON.stringify({ tenant_id: 'acme', routes })));
    expect(run.exitCode).toBe(1);
    expect(run.stdout.split('\n')).toHaveLength(103);
    expect(run.stdout).toMatch(/^big\.json: error \/routes\/0\/path \(r0\): must begin with/);
    expect(run.stdout).toContain('\n… and more than 900 more\ninvalid: more than 1000 mistakes (20000 records)\n');
  });
});

describe('diff', () => {
  it('ends with 2 when the live state differs, and shows how', async () => {
    await using home = await withApi({ 'POST /api/v1/admin/config/diff': diff });
    const run = await home.run('diff', home.file('b.yaml', bundle), '--tenant-id', 'acme');
    expect(run).toEqual({ exitCode: 2, stdout: `${changeText.join('\n')}\n`, stderr: '' });
    const request = home.server.requests.at(-1);
    expect(request?.url).toBe('/api/v1/admin/config/diff?tenant_id=acme');
    expect(request?.headers['content-type']).toBe('application/yaml');
    expect(String(request?.body)).toBe(bundle);
  });

  it('ends with 0 when nothing differs, and with 1 when the bundle is wrong', async () => {
    await using same = await withApi({ 'POST /api/v1/admin/config/diff': inSync });
    expect(await same.run('diff', same.file('b.yaml', bundle))).toMatchObject({ exitCode: 0 });
    await using wrong = await withApi({ 'POST /api/v1/admin/config/diff': { ...diff, errors: [missing] } });
    expect(await wrong.run('diff', wrong.file('b.yaml', bundle))).toMatchObject({ exitCode: 1 });
  });
});

describe('sync', () => {
  it('is a dry run without --apply', async () => {
    await using home = await withApi({ 'POST /api/v1/admin/config/sync': syncAnswer('dry_run') });
    const run = await home.run('sync', home.file('b.yaml', bundle));
    const verdict = 'dry run: nothing was changed (--apply does it)';
    expect(run).toEqual({ exitCode: 0, stdout: `${[...changeText, verdict].join('\n')}\n`, stderr: '' });
    expect(home.server.requests.at(-1)?.url).toBe(
      '/api/v1/admin/config/sync?dry_run=true&overwrite=true&strict=true&snapshot=true',
    );
  });

  it('that may not overwrite says what it would skip', async () => {
    await using home = await withApi({ 'POST /api/v1/admin/config/sync': syncAnswer('dry_run') });
    const run = await home.run('sync', home.file('b.yaml', bundle), '--no-overwrite');
    const skipped = 'of the changes, 1 would be skipped: they overwrite';
    expect(run.stdout).toContain(`\ndry run: nothing was changed; ${skipped} (--apply does it)\n`);
  });

  it('--apply sends the bundle once, with its options', async () => {
    await using home = await withApi({ 'POST /api/v1/admin/config/sync': syncAnswer('success') });
    const json = home.file('b.json', '{"tenant_id":"acme"}');
    const run = await home.run('sync', json, '--apply', '--no-overwrite', '--no-strict', '--tenant-id', 'acme');
    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    expect(run.stdout).toMatch(/\napplied: 1 created, 1 updated, 2 unchanged, 0 skipped, 0 failed\n$/);
    const posts = home.server.requests.filter(({ method }) => method === 'POST');
    expect(posts.map(({ url, headers }) => [url, headers['content-type']])).toEqual([
      [
        '/api/v1/admin/config/sync?tenant_id=acme&dry_run=false&overwrite=false&strict=false&snapshot=true',
        'application/json',
      ],
    ]);
  });

  it.each([
    ['partial_failure', 3, 'partly applied: 1 created'],
    ['failed', 1, 'failed: nothing was changed'],
  ])('the answer %s ends with %i', async (status, exitCode, verdict) => {
    await using home = await withApi({ 'POST /api/v1/admin/config/sync': syncAnswer(status, [missing]) });
    const run = await home.run('sync', home.file('b.yaml', bundle), '--apply');
    expect(run).toMatchObject({ exitCode, stderr: '' });
    expect(run.stdout).toContain(verdict);
    expect(run.stdout).toContain('b.yaml:1:1: error /routes/0/service_name (orders): no such record in services');
  });

  it.each([
    [changes, `These changes would have been made:\n${changeText.join('\n')}\n`],
    [[], ''],
  ])('a failed sync shows its changes as what would have been', async (planned, text) => {
    const failed = { ...syncAnswer('failed'), diff: { ...diff, changes: planned } };
    await using home = await withApi({ 'POST /api/v1/admin/config/sync': failed });
    const run = await home.run('sync', home.file('b.yaml', bundle), '--apply');
    expect(run.stdout).toBe(`${text}failed: nothing was changed\n`);
  });

  it('never sends a write again, whatever the answer', async () => {
    await using home = await withApi({ 'POST /api/v1/admin/config/sync': problem(503, 'unavailable', 'try later') });
    const run = await home.run('sync', home.file('b.yaml', bundle), '--apply');
    expect(run).toEqual({ exitCode: 1, stdout: '', stderr: 'gwctl: 503 try later\n' });
    expect(home.server.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });

  it('an answer of an unknown shape is said to be one', async () => {
    await using home = await withApi({ 'POST /api/v1/admin/config/sync': { done: true } });
    expect((await home.run('sync', home.file('b.yaml', bundle), '--apply')).stderr).toBe(
      'gwctl: the server gave an answer that this release of gwctl does not know; it may have been carried out: run gwctl diff or gwctl get\n',
    );
  });
});
