import { existsSync, writeFileSync } from 'node:fs';
import { startUpstream } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { gwctlHome, startFakeApi } from './fake-api.test-support.ts';
import { ownRelease } from './release.ts';

const json = { 'content-type': 'application/json' };
const bundle = 'tenant_id: acme\n';

describe('an answer of another shape', () => {
  const config = '/api/v1/admin/config';
  const summary = { create: 0, update: 0, unchanged: 0, unmanaged: 0, total: 0 };
  const page = (items: unknown): unknown => ({ items, total: 1 });
  const diff = { tenant_id: 'acme', in_sync: true, summary, changes: [], unmanaged: [], errors: [], warnings: [] };
  const gateways = 'GET /api/v1/admin/gateways';
  const unknown = 'gwctl: the server gave an answer that this release of gwctl does not know';

  it.each<[string[], string, unknown]>([
    [['get', 'gateways'], gateways, page([null])],
    [['get', 'gateways'], gateways, page('x')],
    [['get', 'gateways', '--all'], gateways, page({})],
    [['get', 'gateway', 'g'], `${gateways}/g`, []],
    [['snapshots', 'list'], `GET ${config}/snapshots`, page([null])],
    [['diff', 'b.yaml'], `POST ${config}/diff`, { ...diff, summary: null }],
    [['diff', 'b.yaml'], `POST ${config}/diff`, { ...diff, changes: [{ action: 'update' }] }],
    [['sync', 'b.yaml'], `POST ${config}/sync`, { status: 'dry_run', diff: null, counts: null }],
    [
      ['match', 'http://h/', '--gateway-id', 'g'],
      'POST /api/v1/admin/gateways/g/routes/match',
      { outcome: 'x', candidates: [null], plugins: [] },
    ],
  ])('is one sentence for %j', async (args, route, body) => {
    await using api = await startFakeApi({ [`${gateways}/g`]: { id: 'g' }, [route]: body });
    await using home = await gwctlHome();
    writeFileSync(`${home.path}/b.yaml`, bundle);
    const run = await home.run('--api-url', api.url, '--token', 't', ...args);
    expect(run).toEqual({ exitCode: 1, stdout: '', stderr: `${unknown}\n` });
  });

  it.each<[string[], string, unknown]>([
    [['sync', 'b.yaml', '--apply'], `POST ${config}/sync`, { status: 'success', diff: null, counts: null }],
    [['import', 'b.yaml'], `POST ${config}/import`, {}],
    [['create', 'gateway', '--file', 'b.yaml'], 'POST /api/v1/admin/gateways', []],
  ])('of a write leaves a doubt, and %j says so', async (args, route, body) => {
    await using api = await startFakeApi({ [route]: body });
    await using home = await gwctlHome();
    writeFileSync(`${home.path}/b.yaml`, bundle);
    const run = await home.run('--api-url', api.url, '--token', 't', ...args);
    const stderr = `${unknown}; it may have been carried out: run gwctl diff or gwctl get\n`;
    expect(run).toEqual({ exitCode: 1, stdout: '', stderr });
  });

  it('is a failure of its section in status', async () => {
    const health = { 'GET /health': { status: 'ok', release: ownRelease() }, 'GET /ready': { status: 'ready' } };
    await using api = await startFakeApi({ ...health, [gateways]: page([null]) });
    await using home = await gwctlHome();
    const run = await home.runWith({ GWCTL_TENANT_ID: 'acme' }, '--api-url', api.url, '--token', 't', 'status');
    expect(run).toMatchObject({ exitCode: 1, stderr: '' });
    expect(run.stdout).toContain('gateways  failed  the server gave an answer that this release');
  });

  it('to a login is refused: a token that is none, and a time that no date can say', async () => {
    await using api = await startUpstream((req, res, { body }) => {
      const { username } = JSON.parse(body.toString() || '{}') as { username?: string };
      const grant = username === 'ada' ? { access_token: 'a b' } : { access_token: 'abc', refresh_token: 'r' };
      res.writeHead(req.url === '/auth/login' ? 200 : 404, json).end(JSON.stringify({ ...grant, expires_in: 1e300 }));
    });
    await using home = await gwctlHome();
    const login = (name: string) =>
      home.run('--api-url', api.url, 'login', '--username', name, '--password', 'p', '--tenant-id', 'acme');
    expect(await login('ada')).toMatchObject({
      exitCode: 1,
      stderr: `gwctl: ${api.url} answered the login without an access token\n`,
    });
    expect(existsSync(home.config)).toBe(false);
    expect(await login('eve')).toMatchObject({ exitCode: 0 });
    expect(home.stored().contexts['default']).toEqual({ api_url: api.url, token: 'abc', tenant_id: 'acme' });
  });
});
