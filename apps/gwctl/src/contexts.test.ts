import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { gwctlHome, problem, startFakeApi } from './fake-api.test-support.ts';

const token = 'gwadm_0192f_AbCdEfGhIjKlMnOpQrStUvWxYz';

describe('login', () => {
  it('--token makes a current context in a file that only its owner may read', async () => {
    await using home = await gwctlHome();
    const run = await home.run('--api-url', 'http://127.0.0.1:8001', '--token', token, 'login', '--tenant-id', 'acme');
    expect(run).toEqual({
      exitCode: 0,
      stdout: '',
      stderr: 'context default (http://127.0.0.1:8001, gwadm_0192f_[redacted]) is now current\n',
    });
    expect(statSync(home.config).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(home.config, 'utf8'))).toEqual({
      current: 'default',
      contexts: { default: { api_url: 'http://127.0.0.1:8001', token, tenant_id: 'acme' } },
    });
  });

  it('--username and --password log in and keep the access token and the own tenant', async () => {
    await using api = await startFakeApi({
      'POST /auth/login': {
        access_token: 'eyJ.access.token',
        refresh_token: 'r',
        token_type: 'Bearer',
        expires_in: 900,
      },
      'GET /api/v1/tenants/current': { slug: 'acme', name: 'Acme', status: 'active' },
    });
    await using home = await gwctlHome();
    const run = await home.run(
      'login',
      ...['--api-url', api.url, '--username', 'ada', '--password', 'correct horse', '--context-name', 'work'],
    );
    expect(run).toMatchObject({ exitCode: 0, stdout: '' });
    expect(api.requests.map(({ url }) => url)).toEqual(['/auth/login', '/api/v1/tenants/current']);
    expect(JSON.parse(String(api.requests[0]?.body))).toEqual({ username: 'ada', password: 'correct horse' });
    expect(api.requests[1]?.headers.authorization).toBe('Bearer eyJ.access.token');
    expect(home.stored()).toMatchObject({
      current: 'work',
      contexts: { work: { token: 'eyJ.access.token', tenant_id: 'acme', refresh_token: 'r' } },
    });
  });

  it('--password-stdin takes the password from standard input, without the end of its line', async () => {
    await using api = await startFakeApi({ 'POST /auth/login': { access_token: 'eyJ.access.token' } });
    await using home = await gwctlHome();
    const args = ['login', '--api-url', api.url, '--username', 'ada', '--tenant-id', 'acme', '--password-stdin'];
    expect(await home.runWithInput('correct horse\n', ...args)).toMatchObject({ exitCode: 0 });
    expect(JSON.parse(String(api.requests[0]?.body))).toMatchObject({ password: 'correct horse' });
  });

  it('--token-stdin takes the token from standard input, so that no list of processes shows it', async () => {
    await using home = await gwctlHome();
    const run = await home.runWithInput(`${token}\n`, 'login', '--token-stdin', '-o', 'json');
    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    expect(JSON.parse(run.stdout)).toEqual({
      ...{ context: 'default', current: true },
      ...{ api_url: 'http://127.0.0.1:8001', tenant_id: null },
    });
    expect(home.stored().contexts['default']).toMatchObject({ token });
  });

  it('--no-use leaves the present context current', async () => {
    await using home = await gwctlHome();
    await home.run('login', '--token', token, '--context-name', 'first');
    const run = await home.run('login', '--token', token, '--context-name', 'second', '--no-use');
    expect(run.stderr).toContain('is saved; current is first\n');
    expect(JSON.parse(readFileSync(home.config, 'utf8'))).toMatchObject({ current: 'first' });
  });

  it.each([
    ['a wrong password', ['--username', 'ada', '--password', 'x'], 'gwctl: 401 The credentials are not valid\n'],
    [
      'no password and no terminal',
      ['--username', 'ada'],
      'gwctl: there is no terminal to ask for the password: give --password-stdin\n',
    ],
    ['nothing', [], 'gwctl: give --token, or --username and --password\n'],
    [
      'a token and a user',
      ['--token', token, '--username', 'ada'],
      'gwctl: give either --token, or --username and --password\n',
    ],
    [
      'a password given twice',
      ['--username', 'ada', '--password', 'x', '--password-stdin'],
      'gwctl: give either --password or --password-stdin\n',
    ],
    [
      'an empty standard input',
      ['--username', 'ada', '--password-stdin'],
      'gwctl: no password came on standard input\n',
    ],
    ['a token of two lines', ['--token', 'a\nb'], 'gwctl: --token is not a token\n'],
    ['an empty token', ['--token-stdin'], 'gwctl: what came on standard input is not a token\n'],
    ['a token given twice', ['--token', token, '--token-stdin'], 'gwctl: give either --token or --token-stdin\n'],
  ])('%s fails and writes nothing', async (_, args, stderr) => {
    await using api = await startFakeApi({
      'POST /auth/login': problem(401, 'unauthenticated', 'The credentials are not valid'),
    });
    await using home = await gwctlHome();
    expect(await home.run('--api-url', api.url, 'login', ...args)).toEqual({ exitCode: 1, stdout: '', stderr });
    expect(() => statSync(home.config)).toThrow('ENOENT');
  });

  it('an address that is none fails', async () => {
    await using home = await gwctlHome();
    const run = await home.run('--api-url', 'localhost:8001', 'login', '--token', token);
    expect(run).toMatchObject({ exitCode: 1, stdout: '' });
    expect(run.stderr).toMatch(/^gwctl: the API address must be http:\/\/ or https:\/\/[^\n]*\n$/);
  });
});

describe('context', () => {
  const withTwo = async () => {
    const home = await gwctlHome();
    const contexts = {
      a: { api_url: 'http://a:1', token, tenant_id: 'acme' },
      b: { api_url: 'http://b:2', token: 'short' },
    };
    writeFileSync(home.config, JSON.stringify({ current: 'a', contexts }), { mode: 0o600 });
    return home;
  };

  it('list shows every context and no token', async () => {
    await using home = await withTwo();
    expect((await home.run('context', 'list')).stdout).toBe(
      [
        'CURRENT  NAME  API URL     TENANT  TOKEN',
        '*        a     http://a:1  acme    gwadm_0192f_[redacted]',
        '         b     http://b:2  -       [redacted]',
        '',
      ].join('\n'),
    );
  });

  it('show, use and delete work on the named context', async () => {
    await using home = await withTwo();
    const shown = await home.run('context', 'show', 'b', '-o', 'json');
    expect(JSON.parse(shown.stdout)).toEqual({
      name: 'b',
      current: false,
      api_url: 'http://b:2',
      tenant_id: null,
      token: '[redacted]',
      expires_at: null,
      renews: false,
    });
    expect(JSON.parse((await home.run('context', 'use', 'a', '-o', 'json')).stdout)).toEqual({
      context: 'a',
      current: true,
    });
    expect((await home.run('context', 'use', 'b')).stderr).toBe('context b is now current\n');
    expect((await home.run('context', 'show', '-o', 'yaml')).stdout).toContain('name: b\n');
    expect((await home.run('context', 'delete', 'b')).stderr).toBe('context b is deleted; none is current now\n');
    expect(await home.run('context', 'show')).toMatchObject({ exitCode: 1 });
    expect((await home.run('context', 'use', 'zz')).stderr).toBe('gwctl: no context is called zz; there are: a\n');
  });

  it("a context's token never goes to another address", async () => {
    await using api = await startFakeApi({ 'GET /health': { status: 'ok' }, 'GET /ready': { status: 'ready' } });
    await using home = await withTwo();
    await home.run('--api-url', api.url, 'status');
    expect(api.requests.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined]);
    expect((await home.run('--api-url', api.url, 'get', 'gateways')).stderr).toBe(
      `gwctl: no token for ${api.url}: run gwctl login, or give --token\n`,
    );
  });
});

describe('the configuration file', () => {
  it('that others may read is warned of', async () => {
    await using home = await gwctlHome();
    writeFileSync(home.config, '{"current":null,"contexts":{}}', { mode: 0o644 });
    const run = await home.run('context', 'list');
    expect(run).toMatchObject({ exitCode: 0 });
    expect(run.stderr).toBe(`warning: ${home.config} can be read by others and holds tokens: chmod 600 it\n`);
  });

  it.each(['{"current":', '[]', '{"contexts":{"a":{"api_url":5}}}', '{"current":7,"contexts":{}}'])(
    'that reads %s is a clear error and stays as it is',
    async (text) => {
      await using home = await gwctlHome();
      writeFileSync(home.config, text, { mode: 0o600 });
      const run = await home.run('login', '--token', token);
      expect(run).toMatchObject({ exitCode: 1, stdout: '' });
      expect(run.stderr).toMatch(/^gwctl: \S+ is not a gwctl configuration: correct it, or remove it[^\n]*\n$/);
      expect(readFileSync(home.config, 'utf8')).toBe(text);
    },
  );
});
