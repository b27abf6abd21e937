import { describe, expect, it } from 'vitest';
import { gwctlHome, startFakeApi } from './fake-api.test-support.ts';

const gateways = { 'GET /api/v1/admin/gateways': { items: [], total: 0, skip: 0, limit: 50 } };
const get = ['get', 'gateways', '-o', 'json'];

/** Two control planes, contexts for both, and what the second one was last asked. */
async function withTwo() {
  const [first, second] = [await startFakeApi(gateways), await startFakeApi(gateways)];
  const home = await gwctlHome();
  const contexts = {
    first: { api_url: first.url, token: 'first-token', tenant_id: 'one' },
    second: { api_url: second.url, token: 'second-token' },
  };
  home.write({ current: 'first', contexts });
  const tokens = (server: typeof first) => [...new Set(server.requests.map(({ headers }) => headers.authorization))];
  const dispose = async () => {
    await home[Symbol.asyncDispose]();
    await first.close();
    await second.close();
  };
  return { ...home, first, second, tokens, [Symbol.asyncDispose]: dispose };
}

describe('environment variables', () => {
  it('stand for options, where there is no context', async () => {
    await using api = await startFakeApi(gateways);
    await using home = await gwctlHome();
    const env = { GWCTL_API_URL: api.url, GWCTL_TOKEN: 'env-token', GWCTL_TENANT_ID: 'acme', GWCTL_TIMEOUT: '20' };
    expect(await home.runWith(env, ...get)).toMatchObject({ exitCode: 0, stderr: '' });
    expect(api.requests.at(-1)).toMatchObject({ url: '/api/v1/admin/gateways?tenant_id=acme' });
    expect(api.requests.at(-1)?.headers.authorization).toBe('Bearer env-token');
    await home.runWith(env, '--token', 'option-token', ...get, '--tenant-id', 'other');
    expect(api.requests.at(-1)).toMatchObject({ url: '/api/v1/admin/gateways?tenant_id=other' });
    expect(api.requests.at(-1)?.headers.authorization).toBe('Bearer option-token');
  });

  it('beat the current context, and an empty one is none', async () => {
    await using home = await withTwo();
    await home.runWith({ GWCTL_API_URL: home.second.url, GWCTL_TOKEN: 'env-token' }, ...get);
    expect(home.tokens(home.second)).toEqual(['Bearer env-token']);
    expect(home.first.requests).toEqual([]);
    await home.runWith({ GWCTL_API_URL: '', GWCTL_TOKEN: '', GWCTL_TENANT_ID: '', GWCTL_TIMEOUT: '' }, ...get);
    expect(home.tokens(home.first)).toEqual(['Bearer first-token']);
    expect(home.first.requests.at(-1)?.url).toBe('/api/v1/admin/gateways?tenant_id=one');
  });

  it('GWCTL_CONTEXT names a context, and --context beats it and what else the environment says', async () => {
    await using home = await withTwo();
    await home.runWith({ GWCTL_CONTEXT: 'second' }, ...get);
    expect(home.tokens(home.second)).toEqual(['Bearer second-token']);
    const env = { GWCTL_API_URL: home.second.url, GWCTL_TOKEN: 'env-token', GWCTL_CONTEXT: 'nowhere' };
    await home.runWith(env, '--context', 'first', ...get);
    expect(home.tokens(home.first)).toEqual(['Bearer first-token']);
    expect((await home.runWith({ GWCTL_CONTEXT: 'third' }, ...get)).stderr).toBe(
      'gwctl: no context is called third; there are: first, second\n',
    );
  });

  it('a time limit that is none is said', async () => {
    await using home = await withTwo();
    expect(await home.runWith({ GWCTL_TIMEOUT: 'soon' }, ...get)).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: 'gwctl: GWCTL_TIMEOUT must be a number of seconds above 0, at most 3600\n',
    });
  });
});

describe('a token of the environment', () => {
  it('goes to the address of the environment and no other', async () => {
    await using home = await withTwo();
    const env = { GWCTL_API_URL: home.first.url, GWCTL_TOKEN: 'env-token' };
    const run = await home.runWith(env, '--api-url', home.second.url, ...get);
    expect(run.stderr).toBe(`gwctl: no token for ${home.second.url}: run gwctl login, or give --token\n`);
    expect(home.second.requests).toEqual([]);
  });

  it('goes where the command line or a context that the environment names says', async () => {
    await using home = await withTwo();
    await home.runWith({ GWCTL_TOKEN: 'env-token' }, '--api-url', home.second.url, ...get);
    await home.runWith({ GWCTL_TOKEN: 'env-token', GWCTL_CONTEXT: 'second' }, ...get);
    expect(home.tokens(home.second)).toEqual(['Bearer env-token']);
  });

  it('does not go to whichever context happens to be current', async () => {
    await using home = await withTwo();
    const run = await home.runWith({ GWCTL_TOKEN: 'env-token' }, ...get);
    expect(run).toMatchObject({ exitCode: 1, stdout: '' });
    expect(run.stderr).toMatch(
      /^gwctl: GWCTL_TOKEN comes without an address and is not sent to that of context first: [^\n]+\n$/,
    );
    expect(home.first.requests).toEqual([]);
  });

  it('is not stored by a login, which says that it stands in the way', async () => {
    await using home = await withTwo();
    const run = await home.runWith({ GWCTL_TOKEN: 'env-token' }, 'login', '--token', 'other', '--context-name', 'new');
    expect(run.stderr).toContain('warning: GWCTL_TOKEN is set and may be used in place of this login\n');
    expect(home.stored().contexts['new']).toEqual({ api_url: 'http://127.0.0.1:8001', token: 'other' });
  });
});
