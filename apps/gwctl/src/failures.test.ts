import { writeFileSync } from 'node:fs';
import { freePort, startUpstream } from '@portcullis/testkit';
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
    const get = await home.run('--api-url', api.url, '--token', 't', 'get', 'gateways', '-o', 'json');
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
