import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { eventually, startProcess, startUpstream } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { gwctlArgs } from './built-gwctl.test-support.ts';
import { gwctlHome, startFakeApi } from './fake-api.test-support.ts';
import { ownRelease } from './release.ts';

const globals = (url: string): string[] => ['--api-url', url, '--token', 't'];
const summary = { create: 1, update: 0, unchanged: 0, unmanaged: 0, total: 1 };
const result = {
  status: 'partial_failure',
  dry_run: false,
  validation: { valid: true, errors: [], warnings: [], counts: {} },
  diff: { summary, changes: [{ action: 'create', resource_type: 'routes', id: 'r1', name: 'r', fields: [] }] },
  counts: { created: 0, updated: 0, unchanged: 0, skipped: 1, failed: 1 },
  results: [
    {
      action: 'failed',
      resource_type: 'routes',
      id: null,
      name: 'r',
      error: { code: 'name_exists', message: 'is taken' },
    },
    { action: 'skipped', resource_type: 'services', id: 's1', name: 's' },
  ],
  snapshot: { id: 'snap-1' },
  revision: 3,
  duration_ms: 4,
};

describe('import', () => {
  it('sends what the options say, and ends with 3 when only a part was applied', async () => {
    await using api = await startFakeApi({ 'POST /api/v1/admin/config/import': result });
    await using home = await gwctlHome();
    writeFileSync(`${home.path}/b.yaml`, 'tenant_id: acme\n');
    const run = await home.run(
      ...globals(api.url),
      'import',
      'b.yaml',
      '--no-atomic',
      '--overwrite',
      '--snapshot-note',
      'a b',
    );
    expect(run).toEqual({
      exitCode: 3,
      stdout: [
        'routes',
        '  + r',
        '1 to create, 0 to update, 0 unchanged, 0 not in the bundle',
        'failed routes r: is taken [name_exists]',
        'skipped services s: it is there and differs',
        'snapshot snap-1 keeps the state before',
        'partly applied: 0 created, 0 updated, 0 unchanged, 1 skipped, 1 failed',
        '',
      ].join('\n'),
      stderr: '',
    });
    expect(api.requests.at(-1)?.url).toBe(
      '/api/v1/admin/config/import?dry_run=false&overwrite=true&strict=false&snapshot=true&snapshot_note=a+b&atomic=false',
    );
    const document = await home.run(...globals(api.url), 'import', 'b.yaml', '-o', 'json');
    expect(document.exitCode).toBe(3);
    expect(JSON.parse(document.stdout)).toEqual(result);
  });

  it('of a sync, a note without a snapshot makes no sense', async () => {
    await using home = await gwctlHome();
    const run = await home.run('sync', 'b.yaml', '--no-snapshot', '--snapshot-note', 'x');
    expect(run).toEqual({ exitCode: 1, stdout: '', stderr: 'gwctl: give either --snapshot-note or --no-snapshot\n' });
  });
});

describe('--summary', () => {
  const syncRoute = 'POST /api/v1/admin/config/sync';

  it.each([
    [['sync', 'b.yaml', '--apply', '--summary', 'github'], 'gwctl: --summary github needs GITHUB_STEP_SUMMARY, which'],
    [['import', 'b.yaml', '--summary', 'no/such/s.md'], 'gwctl: no/such/s.md cannot be written (ENOENT)'],
    [['snapshots', 'rollback', 's1', '--apply', '--summary', '.'], 'gwctl: . cannot be written: it is a folder'],
    [['diff', 'b.yaml', '--summary', 'no/such/s.md'], 'gwctl: no/such/s.md cannot be written (ENOENT)'],
  ])('that cannot be written stops %j before anything is sent', async (args, stderr) => {
    await using api = await startFakeApi({ [syncRoute]: result });
    await using home = await gwctlHome();
    writeFileSync(`${home.path}/b.yaml`, 'tenant_id: acme\n');
    const run = await home.runWith({ GITHUB_STEP_SUMMARY: '' }, ...globals(api.url), ...args);
    expect(run).toMatchObject({ exitCode: 1, stdout: '' });
    expect(run.stderr).toContain(stderr);
    expect(api.requests).toEqual([]);
  });

  it.each([
    ['success', 0],
    ['partial_failure', 3],
  ])('that is lost after a %s is a warning: the exit code is that of what was done', async (status, exitCode) => {
    await using home = await gwctlHome();
    await using api = await startUpstream((req, res) => {
      if (req.method === 'POST') rmSync(`${home.path}/out`, { recursive: true });
      const body = req.method === 'POST' ? { ...result, status } : { release: ownRelease() };
      res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
    mkdirSync(`${home.path}/out`);
    writeFileSync(`${home.path}/b.yaml`, 'tenant_id: acme\n');
    const run = await home.run(...globals(api.url), 'sync', 'b.yaml', '--apply', '--summary', 'out/s.md');
    expect(run).toMatchObject({ exitCode, stderr: expect.stringMatching(/^warning: the summary is missing: .*\n$/) });
    expect(run.stdout).toMatch(/\n(?:partly )?applied: 0 created/);
  });
});

describe('export', () => {
  const exportRoute = 'GET /api/v1/admin/config/export';

  it('asks for what is wanted, and lays JSON out line by line', async () => {
    await using api = await startFakeApi({ [exportRoute]: { tenant_id: 'acme', routes: [{ name: 'r' }] } });
    await using home = await gwctlHome();
    const run = await home.run(...globals(api.url), 'export', '--tenant-id', 'acme', '--no-ids');
    const text = JSON.stringify({ tenant_id: 'acme', routes: [{ name: 'r' }] }, null, 2);
    expect(run).toEqual({ exitCode: 0, stdout: `${text}\n`, stderr: '' });
    expect(api.requests.at(-1)?.url).toBe('/api/v1/admin/config/export?tenant_id=acme&format=json&ids=false');
    const toFile = await home.run(...globals(api.url), 'export', '--output', 'bundle.json');
    expect(toFile).toEqual({ exitCode: 0, stdout: '', stderr: `exported to bundle.json (${text.length + 1} bytes)\n` });
    expect(readFileSync(`${home.path}/bundle.json`, 'utf8')).toBe(`${text}\n`);
  });

  it('an answer that is cut or no bundle leaves the old file as it was', async () => {
    await using api = await startUpstream((req, res) => {
      if (req.url === '/api/versions') {
        return void res
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ release: ownRelease() }));
      }
      const format = req.url?.includes('format=yaml') === true ? 'yaml' : 'json';
      res.writeHead(200, { 'content-type': `application/${format}` });
      if (format === 'json') return void res.end('{"items":[]}');
      res.write('tenant_id: acme\nroutes:\n');
      setImmediate(() => res.destroy());
    });
    await using home = await gwctlHome();
    writeFileSync(`${home.path}/old.yaml`, 'old');
    const cut = await home.run(...globals(api.url), 'export', '--output', 'old.yaml');
    expect([cut.exitCode, cut.stdout]).toEqual([1, '']);
    expect(cut.stderr).toMatch(/^gwctl: (?:the connection to \S+ failed: .*)\n$/);
    const other = await home.run(...globals(api.url), 'export', '--output', 'old.yaml', '--format', 'json');
    expect(other.stderr).toBe('gwctl: the server gave an answer that this release of gwctl does not know\n');
    expect(readFileSync(`${home.path}/old.yaml`, 'utf8')).toBe('old');
    expect(readdirSync(home.path).filter((name) => name.includes('old'))).toEqual(['old.yaml']);
  });
});

describe('snapshots', () => {
  const snapshot = {
    id: 'snap-1',
    created_at: '2026-01-02T03:04:05.678Z',
    reason: 'pre_sync',
    revision: 7,
    size_bytes: 1234,
    created_by: 'ci',
    note: 'release 42',
  };
  const place = '/api/v1/admin/config/snapshots';

  it('are listed, taken and deleted', async () => {
    await using api = await startFakeApi({
      [`GET ${place}`]: { items: [snapshot], total: 3, skip: 1, limit: 1 },
      [`POST ${place}`]: { ...snapshot, reason: 'manual' },
      [`DELETE ${place}/a%2Fb`]: { deleted: true },
    });
    await using home = await gwctlHome();
    const run = (...args: string[]) => home.run(...globals(api.url), 'snapshots', ...args, '--tenant-id', 'acme');
    expect((await run('list', '--limit', '1', '--offset', '1')).stdout).toBe(
      [
        'ID      CREATED AT                REASON    REVISION  SIZE BYTES  CREATED BY  NOTE',
        'snap-1  2026-01-02T03:04:05.678Z  pre_sync  7         1234        ci          release 42',
        '(1 more: --offset 2)',
        '',
      ].join('\n'),
    );
    expect(api.requests.at(-1)?.url).toBe(`${place}?tenant_id=acme&limit=1&skip=1`);
    expect(await run('create', '--note', 'by hand')).toMatchObject({ exitCode: 0, stderr: '' });
    expect(JSON.parse(String(api.requests.at(-1)?.body))).toEqual({ tenant_id: 'acme', note: 'by hand' });
    expect(await run('delete', 'a/b')).toEqual({ exitCode: 0, stdout: '', stderr: 'snapshot a/b is deleted\n' });
  });

  it.each([
    [[], { dry_run: true, mode: 'restore' }],
    [['--apply', '--mode', 'exact', '--note', 'x'], { dry_run: false, mode: 'exact', note: 'x' }],
  ])('rollback %j sends it once', async (args, body) => {
    await using api = await startFakeApi({ [`POST ${place}/snap-1/rollback`]: { ...result, status: 'success' } });
    await using home = await gwctlHome();
    const run = await home.run(...globals(api.url), 'snapshots', 'rollback', 'snap-1', ...args);
    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    expect(run.stdout).toContain('0 not in the snapshot\n');
    const posts = api.requests.filter(({ method }) => method === 'POST');
    expect(posts.map((request) => JSON.parse(String(request.body)) as unknown)).toEqual([body]);
  });
});

describe('writes that nobody saw the end of', () => {
  const commands = [
    ['sync', 'b.yaml', '--apply'],
    ['import', 'b.yaml'],
    ['snapshots', 'create'],
    ['snapshots', 'rollback', 'snap-1', '--apply'],
  ];
  const doubt = 'it may have been carried out: run gwctl diff or gwctl get';
  const release = JSON.stringify({ release: ownRelease() });

  it.each(commands.map((args) => [args]))('%j: the server dies in the middle', async (args) => {
    await using api = await startUpstream((req, res) => {
      if (req.method === 'GET') res.writeHead(200, { 'content-type': 'application/json' }).end(release);
      else res.destroy();
    });
    await using home = await gwctlHome();
    writeFileSync(`${home.path}/b.yaml`, 'tenant_id: acme\n');
    const run = await home.run(...globals(api.url), ...args);
    expect([run.exitCode, run.stdout]).toEqual([1, '']);
    expect(run.stderr).toMatch(new RegExp(`^gwctl: the connection to \\S+ failed: .*; ${doubt}\n$`));
    expect(api.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });

  it.each(commands.slice(1).map((args) => [args]))('%j: Ctrl-C in the middle', async (args) => {
    await using api = await startUpstream((req, res) => {
      if (req.method === 'GET') res.writeHead(200, { 'content-type': 'application/json' }).end(release);
    });
    await using home = await gwctlHome();
    writeFileSync(`${home.path}/b.yaml`, 'tenant_id: acme\n');
    await using child = await startProcess({
      args: [...gwctlArgs, ...globals(api.url), ...args],
      cwd: home.path,
      env: { GWCTL_CONFIG: home.config },
    });
    await eventually(() => api.requests.some(({ method }) => method === 'POST'), { timeoutMs: 60_000 });
    expect(await child.kill('SIGINT')).toEqual({ code: 130, signal: null });
    expect(child.stdout()).toBe('');
    expect(child.stderr()).toMatch(/^gwctl: interrupted; the write may have been carried out/);
  });

  it('a redirect is not followed', async () => {
    await using api = await startUpstream((req, res) => {
      if (req.url === '/api/versions') res.writeHead(200, { 'content-type': 'application/json' }).end(release);
      else res.writeHead(307, { location: '/elsewhere' }).end();
    });
    await using home = await gwctlHome();
    writeFileSync(`${home.path}/b.yaml`, 'tenant_id: acme\n');
    for (const args of [['import', 'b.yaml'], ['export'], ['snapshots', 'list']]) {
      const run = await home.run(...globals(api.url), ...args);
      const stderr = `gwctl: ${api.url} redirects elsewhere; redirects are not followed\n`;
      expect(run).toEqual({ exitCode: 1, stdout: '', stderr });
    }
    expect(api.requests.filter(({ url }) => url === '/elsewhere')).toEqual([]);
  });
});
