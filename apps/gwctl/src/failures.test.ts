import { existsSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { freePort, startProcess, startUpstream } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { gwctlHome, problem, startFakeApi } from './fake-api.test-support.ts';
import { ownRelease } from './release.ts';

const json = { 'content-type': 'application/json' };
const bundle = 'tenant_id: acme\n';

describe('a server that does not help', () => {
  it('no context at all', async () => {
    await using home = await gwctlHome();
    expect(await home.run('get', 'gateways')).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: 'gwctl: no context is set: run gwctl login, or give --api-url and --token before the command\n',
    });
  });

  it.each([[['status']], [['get', 'gateways']], [['sync', 'b.yaml', '--apply']]])(
    'nobody listens: %j says so in one line',
    async (args) => {
      await using home = await gwctlHome();
      writeFileSync(`${home.path}/b.yaml`, bundle);
      const url = `http://127.0.0.1:${await freePort()}`;
      expect(await home.run('--api-url', url, '--token', 't', ...args)).toEqual({
        exitCode: 1,
        stdout: '',
        stderr: `gwctl: ${url} refused the connection: is it running?\n`,
      });
    },
  );

  it('a server that hangs is given up after --timeout', async () => {
    await using api = await startUpstream({ stream: () => undefined });
    await using home = await gwctlHome();
    const run = await home.run('--api-url', api.url, '--token', 't', '--timeout', '0.3', 'get', 'gateways');
    expect(run).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: `gwctl: ${api.url} did not answer within 0.3 seconds\n`,
    });
  });

  it.each([
    [['create', 'gateway', '--file', 'b.yaml']],
    [['delete', 'gateway', 'g1']],
    [['sync', 'b.yaml', '--apply']],
  ])('a write that got no answer may have happened, and %j says so', async (args) => {
    await using api = await startUpstream((req, res) => {
      if (req.url === '/api/versions') res.writeHead(200, json).end(JSON.stringify({ release: ownRelease() }));
    });
    await using home = await gwctlHome();
    writeFileSync(`${home.path}/b.yaml`, bundle);
    const globals = ['--api-url', api.url, '--token', 't', '--timeout', '1'];
    const unanswered = `gwctl: ${api.url} did not answer within 1 seconds`;
    expect((await home.run(...globals, ...args)).stderr).toBe(
      `${unanswered}; it may have been carried out: run gwctl diff or gwctl get\n`,
    );
    expect((await home.run(...globals, 'sync', 'b.yaml')).stderr).toBe(`${unanswered}\n`);
  });

  it.each([
    ['text/html', '<h1>It works!</h1>'],
    ['application/json', '{"method":"GET","path":"/"}'],
  ])('a web server that answers everything with %s is not taken for a control plane', async (type, body) => {
    await using api = await startUpstream((_req, res) => void res.writeHead(200, { 'content-type': type }).end(body));
    await using home = await gwctlHome();
    const stderr = `gwctl: ${api.url} does not answer like a Portcullis control plane: check --api-url\n`;
    for (const args of [['status'], ['get', 'gateways'], ['get', 'gateways', 'g1'], ['delete', 'gateways', 'g1']]) {
      expect(await home.run('--api-url', api.url, '--token', 't', ...args)).toEqual({
        exitCode: 1,
        stdout: '',
        stderr,
      });
    }
  });

  it('a list without its items is an answer that gwctl does not know', async () => {
    await using api = await startFakeApi({ 'GET /api/v1/admin/gateways': { gateways: [] } });
    await using home = await gwctlHome();
    expect(await home.run('--api-url', api.url, '--token', 't', 'get', 'gateways')).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: 'gwctl: the server gave an answer that this release of gwctl does not know\n',
    });
  });

  it('a missing tenant says which option gives it', async () => {
    await using api = await startFakeApi({
      'GET /api/v1/admin/gateways': problem(400, 'tenant_required', 'tenant_id is required'),
    });
    await using home = await gwctlHome();
    expect((await home.run('--api-url', api.url, '--token', 't', 'get', 'gateways')).stderr).toBe(
      'gwctl: 400 tenant_id is required (give --tenant-id, or log in with one)\n',
    );
  });

  it('a token of two lines is refused and never shown', async () => {
    await using home = await gwctlHome();
    const run = await home.run('--api-url', 'http://127.0.0.1:1', '--token', 'gwadm_secret\nx', 'get', 'gateways');
    expect(run).toEqual({ exitCode: 1, stdout: '', stderr: 'gwctl: --token is not a token\n' });
    const contexts = { c: { api_url: 'http://127.0.0.1:1', token: 'gwadm_secret\nx' } };
    writeFileSync(home.config, JSON.stringify({ current: 'c', contexts }), { mode: 0o600 });
    expect((await home.run('get', 'gateways')).stderr).toBe('gwctl: what the context holds is not a token\n');
  });

  it('an expired token tells to log in again', async () => {
    await using api = await startFakeApi({
      'GET /api/v1/admin/gateways': problem(401, 'unauthenticated', 'The token is missing, expired or revoked'),
    });
    await using home = await gwctlHome();
    expect(await home.run('--api-url', api.url, '--token', 't', 'get', 'gateways')).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: 'gwctl: 401 The token is missing, expired or revoked (run gwctl login again, or give another --token)\n',
    });
  });

  it('a redirect is not followed', async () => {
    await using api = await startUpstream((_req, res) => void res.writeHead(302, { location: '/elsewhere' }).end());
    await using home = await gwctlHome();
    const run = await home.run('--api-url', api.url, '--token', 't', 'get', 'gateways');
    expect(run.stderr).toBe(`gwctl: ${api.url} redirects elsewhere; redirects are not followed\n`);
  });
});

describe('a server of another release', () => {
  const other = { 'GET /api/versions': { release: '9.9.9' }, 'GET /api/v1/admin/gateways': { items: [], total: 0 } };

  it('is read with a warning, and not written to', async () => {
    await using api = await startFakeApi(other);
    await using home = await gwctlHome();
    writeFileSync(`${home.path}/b.yaml`, bundle);
    const get = await home.run('--api-url', api.url, '--token', 't', 'get', 'gateways');
    expect(get).toMatchObject({ exitCode: 0 });
    expect(get.stderr).toMatch(/^warning: \S+ is of release 9\.9\.9, gwctl is \S+\n$/);
    const sync = await home.run('--api-url', api.url, '--token', 't', 'sync', 'b.yaml', '--apply');
    expect(sync).toMatchObject({ exitCode: 1, stdout: '' });
    expect(sync.stderr).toMatch(/writing is refused \(--allow-version-mismatch does it anyway\)\n$/);
    expect(api.requests.filter(({ method }) => method === 'POST')).toEqual([]);
    await home.run('--api-url', api.url, '--token', 't', '--allow-version-mismatch', 'sync', 'b.yaml', '--apply');
    expect(api.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });
});

describe('a file that does not help', () => {
  const broken = 'tenant_id: acme\ngateways:\n\t- name: x\n';
  it.each([
    ['missing.yaml', undefined, 'gwctl: missing.yaml does not exist\n'],
    ['broken.yaml', broken, 'gwctl: broken.yaml:3:1: tabs must not indent\n'],
    ['broken.json', '{"a":1,\n"a":2}', 'gwctl: broken.json:2:1: a key is given twice in one object\n'],
    ['twice', 'a: 1\n---\nb: 1\n', 'gwctl: twice:2:1: only one document is allowed\n'],
    ['binary.yaml', Buffer.from([0xff, 0xfe, 0x00]), 'gwctl: binary.yaml is not UTF-8 text\n'],
    ['.', undefined, 'gwctl: . cannot be read (EISDIR)\n'],
  ])('%s', async (file, content, stderr) => {
    await using home = await gwctlHome();
    if (content !== undefined) writeFileSync(`${home.path}/${file}`, content);
    expect(await home.run('validate', file)).toEqual({ exitCode: 1, stdout: '', stderr });
  });
});

describe('standard output that does not take the data', () => {
  it.skipIf(!existsSync('/dev/full'))('is one sentence and exit code 1 (needs /dev/full)', async () => {
    await using home = await gwctlHome();
    writeFileSync(home.config, '{"current":null,"contexts":{}}', { mode: 0o600 });
    const main = fileURLToPath(new URL('main.ts', import.meta.url));
    const command = `"$0" --conditions=@portcullis/source "$1" context list -o json > /dev/full`;
    await using child = await startProcess({
      command: 'sh',
      args: ['-c', command, process.execPath, main],
      env: { GWCTL_CONFIG: home.config },
    });
    expect(await child.exited).toEqual({ code: 1, signal: null });
    expect(child.stderr()).toBe('gwctl: the output cannot be written (ENOSPC)\n');
  });
});

describe('a command line that is wrong', () => {
  it.each([
    [['frobnicate'], /unknown command 'frobnicate'/],
    [['sync'], /missing required argument 'file'/],
    [['create', 'gateways'], /required option '--file <file>' not specified/],
    [['status', '-o', 'xml'], /Allowed choices are table, json, yaml/],
    [['status', '--timeout', '0'], /a number of seconds above 0/],
    [['status', '--frob'], /unknown option '--frob'/],
  ])('%j ends with 1 and says why', async (args, stderr) => {
    await using home = await gwctlHome();
    const run = await home.run(...args);
    expect(run).toMatchObject({ exitCode: 1, stdout: '' });
    expect(run.stderr).toMatch(stderr);
  });

  it('--help and --version print to standard output and end with 0', async () => {
    await using home = await gwctlHome();
    expect(await home.run('--version')).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    });
    const help = await home.run('sync', '--help');
    expect(help).toMatchObject({ exitCode: 0, stderr: '' });
    expect(help.stdout).toContain('--no-overwrite');
  });
});
