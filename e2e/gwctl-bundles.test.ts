import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { startStack, superAdministrator } from './support/stack.ts';
import type { Stack } from './support/stack.ts';

type Bundle = Record<string, Record<string, unknown>[]> & { tenant_id: unknown };

const files = {
  'config/gateway.yaml': {
    tenant_id: 'acme',
    gateways: [{ name: 'shop', hosts: ['b.example.com', 'a.example.com'] }],
    upstreams: [{ name: 'pool', gateway_name: 'shop' }],
    targets: [{ target: '127.0.0.1:9001', gateway_name: 'shop', upstream_name: 'pool' }],
  },
  'config/routes/orders.json': {
    services: [{ name: 'orders', gateway_name: 'shop', upstream_name: 'pool' }],
    routes: [{ name: 'orders', gateway_name: 'shop', service_name: 'orders', path: '/orders', methods: ['GET'] }],
  },
  'config/consumers.yml': {
    consumers: [{ username: 'ada' }],
    consumer_credentials: [
      { name: 'main', consumer_name: 'ada', type: 'hmac', key_id: 'ada', secret: 'canary-secret' },
    ],
    plugins: [{ name: 'rate_limiter', gateway_name: 'shop', config: { limit: 5, window_seconds: 60 } }],
  },
};

describe('gwctl carries a configuration there and back', () => {
  let stack: Stack;
  let revision: number;
  let before: string;

  beforeAll(async () => {
    stack = await startStack();
    await stack.admin.call('POST', '/api/v1/admin/tenants', { name: 'Acme', slug: 'acme' });
    const { username, password } = superAdministrator;
    const login = ['login', '--username', username, '--password', password, '--tenant-id', 'acme'];
    await gwctl(0, '--api-url', stack.adminUrl, ...login);
    await mkdir(stack.folder.join('config/routes'), { recursive: true });
    for (const [name, document] of Object.entries(files)) {
      await writeFile(place(name), name.endsWith('.json') ? JSON.stringify(document, null, 2) : stringify(document));
    }
  });
  afterAll(() => stack[Symbol.asyncDispose]());

  const place = (name: string): string => stack.folder.join(name);
  /** Runs gwctl, which must end with a code. */
  const gwctl = async (code: number, ...args: string[]): Promise<string> => {
    const run = await stack.gwctl(...args);
    expect(run.code, `gwctl ${args.join(' ')}\n${run.stdout}${run.stderr}`).toBe(code);
    return run.stdout;
  };
  const exported = async (name: string, ...args: string[]): Promise<string> => {
    await gwctl(0, 'export', '--output', place(name), ...args);
    return readFile(place(name), 'utf8');
  };
  /** The export with a change: another path, one route more, one service less. */
  const edited = async (): Promise<string> => {
    const bundle = JSON.parse(await readFile(place('before.json'), 'utf8')) as Bundle;
    const [route = {}] = bundle['routes'] ?? [];
    bundle['routes'] = [
      { ...route, path: '/v2/orders' },
      { ...route, id: 'carts', name: 'carts', path: '/carts' },
    ];
    await writeFile(place('edited.json'), JSON.stringify(bundle));
    return place('edited.json');
  };

  it('imports a folder, of which nothing is there yet', async () => {
    const text = await gwctl(0, 'import', place('config'), '--created-by', 'ci');
    expect(text).toContain('gateways\n  + shop\n');
    expect(text).toMatch(/\napplied: 8 created, 0 updated, 0 unchanged, 0 skipped, 0 failed\n$/);
    expect(await gwctl(0, 'import', place('config'))).toMatch(/\napplied: 0 created, 0 updated, 8 unchanged, /);
  });

  it.each([
    ['before.json', [], 'json'],
    ['before.yaml', [], 'yaml'],
    ['names.yml', ['--no-ids'], 'yaml'],
    ['named-otherwise', ['--format', 'yaml', '--no-ids'], 'yaml'],
  ] as const)('exports it to %s, which does not differ from what is live', async (name, args, form) => {
    const text = await exported(name, ...args);
    const bundle = (form === 'json' ? JSON.parse(text) : parse(text)) as Bundle;
    expect(bundle['tenant_id']).toBe('acme');
    expect(bundle['routes']).toHaveLength(1);
    expect(args.length === 0).toBe('id' in (bundle['routes']?.[0] ?? {}));
    expect(text).not.toContain('canary');
    expect(text).toContain('[redacted]');
    expect((await stat(place(name))).mode & 0o777).toBe(0o600);
    expect(await gwctl(0, 'validate', place(name), '--strict')).toContain('valid (8 records)\n');
    expect(await gwctl(0, 'diff', place(name))).toBe('0 to create, 0 to update, 8 unchanged, 0 not in the bundle\n');
    expect(await gwctl(0, 'diff', place(name), '--current', place('before.json'))).toContain('8 unchanged');
  });

  it('prints what it would write, the same bytes every time', async () => {
    before = await readFile(place('before.json'), 'utf8');
    expect(await gwctl(0, 'export')).toBe(before);
    expect(await gwctl(0, 'export', '-o', 'yaml')).toBe(await readFile(place('before.yaml'), 'utf8'));
    const written = await gwctl(0, 'export', '--output', stack.folder.path, '-o', 'json');
    expect(JSON.parse(written)).toEqual({ file: place('acme.json'), format: 'json', bytes: Buffer.byteLength(before) });
    expect(await readFile(place('acme.json'), 'utf8')).toBe(before);
  });

  it('shows an edit with exit code 2, with and without the server', async () => {
    const file = await edited();
    const changes = [
      'routes',
      '  ~ orders',
      '      ~ /path: "/orders" -> "/v2/orders"',
      '  + carts',
      '1 to create, 1 to update, 7 unchanged, 0 not in the bundle\n',
    ].join('\n');
    expect(await gwctl(2, 'diff', file)).toBe(changes);
    expect(await gwctl(2, 'diff', file, '--current', place('before.yaml'))).toBe(changes);
    const document = await gwctl(2, 'diff', file, '-o', 'json', '--summary', place('summary.md'));
    expect(await gwctl(2, 'diff', file, '-o', 'json')).toBe(document);
    revision = (JSON.parse(document) as { live_revision: number }).live_revision;
    expect(await readFile(place('summary.md'), 'utf8')).toContain('| routes | 1 | 1 | 0 |');
  });

  it('a sync is a dry run first, and then done', async () => {
    const file = place('edited.json');
    expect(await gwctl(0, 'sync', file)).toMatch(/\ndry run: nothing was changed \(--apply does it\)\n$/);
    expect(await gwctl(0, 'sync', file, '-o', 'json')).toBe(await gwctl(0, 'sync', file, '-o', 'json'));
    await gwctl(2, 'diff', file);
    const options = ['--apply', '--snapshot-note', 'before v2', '--created-by', 'ci'];
    const text = await gwctl(0, 'sync', file, ...options, '--expected-revision', String(revision));
    expect(text).toMatch(/\nsnapshot \S+ keeps the state before\napplied: 1 created, 1 updated, 7 unchanged, /);
    await gwctl(0, 'diff', file);
    const refused = await stack.gwctl('sync', file, '--apply', '--expected-revision', String(revision));
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(/^gwctl: 409 /);
  });

  it('a rollback is a dry run first, and then restores the export byte for byte', async () => {
    const list = JSON.parse(await gwctl(0, 'snapshots', 'list', '-o', 'json', '--limit', '1')) as {
      items: { id: string; note: string; reason: string; created_by: string }[];
    };
    const [snapshot] = list.items;
    expect(snapshot).toMatchObject({ note: 'before v2', reason: 'pre_sync', created_by: 'ci' });
    const id = snapshot?.id ?? '';
    expect(await gwctl(0, 'snapshots', 'list')).toContain(`${id}  `);
    expect(await gwctl(0, 'snapshots', 'show', id, '-o', 'yaml')).toContain('note: before v2\n');
    const dry = await gwctl(0, 'snapshots', 'rollback', id, '--mode', 'exact');
    expect(dry).toContain('  - carts\n');
    expect(dry).toMatch(/1 to update, 1 to delete, .*\ndry run: nothing was changed \(--apply does it\)\n$/);
    expect(await gwctl(0, 'snapshots', 'rollback', id)).toContain('1 not in the snapshot\n');
    await gwctl(0, 'diff', place('edited.json'));
    const done = await gwctl(0, 'snapshots', 'rollback', id, '--mode', 'exact', '--apply', '--note', 'v2 was bad');
    expect(done).toMatch(/\napplied: 0 created, 1 updated, 1 deleted, /);
    expect(await exported('after.json')).toBe(before);
    expect(await gwctl(0, 'snapshots', 'list')).toContain('v2 was bad');
  });

  it('takes and deletes snapshots', async () => {
    const made = JSON.parse(await gwctl(0, 'snapshots', 'create', '--note', 'by hand', '-o', 'json')) as { id: string };
    expect(made).toMatchObject({ note: 'by hand', reason: 'manual' });
    expect(JSON.parse(await gwctl(0, 'snapshots', 'delete', made.id, '-o', 'json'))).toEqual({
      id: made.id,
      deleted: true,
    });
    expect((await stack.gwctl('snapshots', 'show', made.id)).stderr).toMatch(/^gwctl: 404 /);
  });

  it('an import that is not atomic keeps what it can, says what it could not, and ends with 3', async () => {
    const service = { gateway_name: 'shop', url: 'http://127.0.0.1:9002' };
    const services = [
      { ...service, name: 'good' },
      { ...service, name: 'bad', url: 'nonsense' },
    ];
    await writeFile(place('half.json'), JSON.stringify({ tenant_id: 'acme', services }));
    await gwctl(1, 'import', place('half.json'));
    await gwctl(2, 'diff', place('before.json'), '--current', place('config'));
    const text = await gwctl(3, 'import', place('half.json'), '--no-atomic', '--snapshot');
    expect(text).toMatch(/\nfailed services bad: .*\n.*\npartly applied: 1 created, .* 1 failed\n$/);
    expect(await gwctl(0, 'get', 'services', '--gateway-id', 'shop')).toContain('good');
  });
});
