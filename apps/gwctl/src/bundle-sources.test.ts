import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { answer, gwctlHome, startFakeApi } from './fake-api.test-support.ts';
import type { Answers } from './fake-api.test-support.ts';

const inSync = {
  tenant_id: 'acme',
  in_sync: true,
  summary: { create: 0, update: 0, unchanged: 1, unmanaged: 0, total: 1 },
  changes: [],
  unmanaged: [],
  warnings: [],
  errors: [],
};
const diffRoute = 'POST /api/v1/admin/config/diff';

async function withApi(answers: Answers) {
  const server = await startFakeApi(answers);
  const home = await gwctlHome();
  const globals = ['--api-url', server.url, '--token', 'gwadm_1_secret'];
  return {
    server,
    path: home.path,
    run: (...args: string[]) => home.run(...globals, ...args),
    runWithInput: (input: string, ...args: string[]) => home.runWithInput(input, ...globals, ...args),
    runWith: (env: Record<string, string>, ...args: string[]) => home.runWith(env, ...globals, ...args),
    write: (name: string, text: string): void => writeFileSync(`${home.path}/${name}`, text),
    async [Symbol.asyncDispose]() {
      await home[Symbol.asyncDispose]();
      await server.close();
    },
  };
}

describe('a bundle out of files, folders and standard input', () => {
  it('is sent as one document', async () => {
    await using home = await withApi({ [diffRoute]: inSync });
    mkdirSync(`${home.path}/config`);
    home.write('config/b.yaml', 'routes:\n  - name: two\n');
    home.write('config/a.json', '{"tenant_id":"acme","routes":[{"name":"one"}]}');
    const run = await home.runWithInput('routes:\n  - name: three\n', 'diff', 'config', '-');
    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    const request = home.server.requests.at(-1);
    expect(request?.headers['content-type']).toBe('application/json');
    expect(JSON.parse(String(request?.body))).toEqual({
      tenant_id: 'acme',
      routes: [{ name: 'one' }, { name: 'two' }, { name: 'three' }],
    });
  });

  it("a server's mistakes are placed in the file that they are in, and a record given twice in both", async () => {
    const line = { resource_type: 'gateways', id: null, name: 'edge' };
    const duplicate = { code: 'duplicate', message: 'is given to another record of the bundle too' };
    const errors = [{ ...line, index: 1, pointer: '/gateways/1/name', ...duplicate }];
    const warnings = [{ ...line, index: 0, pointer: '/gateways/0', code: 'odd', message: 'is odd' }];
    await using home = await withApi({ [diffRoute]: { ...inSync, errors, warnings } });
    home.write('a.yaml', 'tenant_id: acme\ngateways:\n  - name: edge\n');
    home.write('b.yaml', 'gateways:\n  - name: edge\n');
    const run = await home.run('diff', 'a.yaml', 'b.yaml');
    expect(run).toEqual({
      exitCode: 1,
      stdout: [
        'b.yaml:2:11: error /gateways/1/name (edge): is given to another record of the bundle too: a.yaml:3:5 [duplicate]',
        'a.yaml:3:5: warning /gateways/0 (edge): is odd [odd]',
        '0 to create, 0 to update, 1 unchanged, 0 not in the bundle',
        '',
      ].join('\n'),
      stderr: '',
    });
  });

  it.each([
    [['sync', 'missing', '--apply'], 'gwctl: missing does not exist\n'],
    [['import', 'good.yaml', 'broken.json'], 'gwctl: broken.json:1:8: a value is missing or malformed\n'],
    [['sync', 'good.yaml', 'broken.yaml'], 'gwctl: broken.yaml:2:1: tabs must not indent\n'],
    [['diff', 'empty'], 'gwctl: empty holds no .yaml, .yml or .json files\n'],
    [['diff', 'good.yaml', 'other.yaml'], 'gwctl: other.yaml:1:12: tenant_id is globex, but good.yaml:1:12 has acme\n'],
    [
      ['import', 'good.yaml', '--tenant-id', 'globex'],
      'gwctl: good.yaml:1:12: tenant_id is acme, but the command is for globex (--tenant-id, or the context)\n',
    ],
  ])('%j is refused, and nothing is sent', async (args, stderr) => {
    await using home = await withApi({});
    mkdirSync(`${home.path}/empty`);
    home.write('good.yaml', 'tenant_id: acme\n');
    home.write('other.yaml', 'tenant_id: globex\n');
    home.write('broken.json', '{"a": [}');
    home.write('broken.yaml', 'routes:\n\t- name: x\n');
    expect(await home.run(...args)).toEqual({ exitCode: 1, stdout: '', stderr });
    expect(home.server.requests.filter(({ method }) => method === 'POST')).toEqual([]);
  });
});

describe('documents of diff and dry runs', () => {
  const planned = (id: string) => ({
    ...inSync,
    in_sync: false,
    summary: { create: 2, update: 0, unchanged: 0, unmanaged: 0, total: 2 },
    changes: [
      { action: 'create', resource_type: 'gateways', id, name: 'edge', fields: [] },
      {
        action: 'create',
        resource_type: 'services',
        id: 's1',
        name: 's',
        fields: [{ path: '/gateway_id', op: 'add', new: id }],
      },
    ],
  });

  it.each(['json', 'yaml'])(
    'are the same bytes for the same state (%s), whatever the server made up',
    async (format) => {
      const outputs = new Set<string>();
      for (const [id, time] of [
        ['made-up', 3],
        ['another', 5],
      ] as const) {
        const counts = { created: 0, updated: 0, unchanged: 0, skipped: 0, failed: 0 };
        const validation = { valid: true, errors: [], warnings: [], counts: {} };
        const result = { status: 'dry_run', dry_run: true, validation, diff: planned(id), counts, results: [] };
        await using home = await withApi({
          [diffRoute]: planned(id),
          'POST /api/v1/admin/config/sync': { ...result, snapshot: null, revision: 4, duration_ms: time },
        });
        home.write(
          'b.yaml',
          'tenant_id: acme\nservices:\n  - { id: s1, name: s, gateway_name: edge, url: "http://h" }\n',
        );
        const [diff, sync] = [
          await home.run('diff', 'b.yaml', '-o', format),
          await home.run('sync', 'b.yaml', '-o', format),
        ];
        expect([diff.exitCode, sync.exitCode, diff.stderr, sync.stderr]).toEqual([2, 0, '', '']);
        outputs.add(`${diff.stdout}${sync.stdout}`);
      }
      expect(outputs.size).toBe(1);
      const [output = ''] = outputs;
      expect(output).toContain('new-1');
      expect(output).toContain('s1');
      expect(output).toContain('revision');
    },
  );
});

describe('--summary', () => {
  it('writes a file, or adds to the summary of a workflow step', async () => {
    await using home = await withApi({ [diffRoute]: inSync });
    home.write('b.yaml', 'tenant_id: acme\n');
    expect(await home.run('diff', 'b.yaml', '--summary', 'summary.md')).toMatchObject({ exitCode: 0, stderr: '' });
    const summary = '### Configuration of acme\n\n0 to create, 0 to update, 1 unchanged, 0 not in the bundle\n';
    expect(readFileSync(`${home.path}/summary.md`, 'utf8')).toBe(summary);
    const step = { GITHUB_STEP_SUMMARY: `${home.path}/step.md` };
    home.write('step.md', '# Before\n');
    expect(await home.runWith(step, 'diff', 'b.yaml', '--summary', 'github')).toMatchObject({
      exitCode: 0,
      stderr: '',
    });
    expect(readFileSync(`${home.path}/step.md`, 'utf8')).toBe(`# Before\n${summary}\n`);
    expect(await home.run('diff', 'b.yaml', '--summary', 'github')).toMatchObject({
      exitCode: 1,
      stderr: 'gwctl: --summary github needs GITHUB_STEP_SUMMARY, which GitHub Actions sets\n',
    });
  });
});

describe('a server that refuses', () => {
  it.each([
    [
      answer(409, { code: 'revision_conflict', detail: 'the live state is at revision 8', status: 409 }),
      '409 the live state is at revision 8',
    ],
    [answer(413, { code: 'body_too_large', detail: 'too large', status: 413 }), '413 too large'],
    [
      answer(429, { code: 'rate_limited', detail: 'too many', status: 429 }, { 'retry-after': '7' }),
      '429 too many (wait 7 seconds)',
    ],
  ])('is asked once', async (said, text) => {
    await using home = await withApi({ 'POST /api/v1/admin/config/import': said });
    home.write('b.yaml', 'tenant_id: acme\n');
    const run = await home.run('import', 'b.yaml', '--expected-revision', '7');
    expect(run).toEqual({ exitCode: 1, stdout: '', stderr: `gwctl: ${text}\n` });
    expect(home.server.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });
});
