import { writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { eventually, startProcess, startUpstream } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { gwctlArgs } from './built-gwctl.test-support.ts';
import { answer, gwctlHome, problem, startFakeApi } from './fake-api.test-support.ts';
import { ownRelease } from './release.ts';

const json = { 'content-type': 'application/json' };
const secret = 'gwadm_1_very-secret';

describe('--verbose', () => {
  it('tells method, address, status, time and request ID on standard error; no token and no body', async () => {
    const made = answer(201, { id: 'g1', name: 'shown-on-stdout' }, { 'x-request-id': 'req-7' });
    await using api = await startFakeApi({ 'POST /api/v1/admin/gateways': made });
    await using home = await gwctlHome();
    writeFileSync(`${home.path}/g.yaml`, 'name: body-text\n');
    const globals = ['--api-url', api.url, '--token', secret, '-v', '-o', 'json'];
    const run = await home.run(...globals, 'create', 'gateway', '--file', 'g.yaml');
    expect(JSON.parse(run.stdout)).toEqual({ id: 'g1', name: 'shown-on-stdout' });
    const lines = run.stderr.trimEnd().split('\n');
    expect(lines).toHaveLength(4);
    expect(lines[0]).toBe(`> GET ${api.url}/api/versions`);
    expect(lines[1]).toMatch(/^< 200 after \d+ ms, request ID [0-9a-f-]{36}$/);
    expect(lines[2]).toBe(`> POST ${api.url}/api/v1/admin/gateways`);
    expect(lines[3]).toMatch(/^< 201 after \d+ ms, request ID req-7$/);
    expect(run.stderr).not.toMatch(/very-secret|body-text|authorization/i);
  });

  it('tells a request without an answer, and a login without its password', async () => {
    await using server = await startUpstream((req) => void req.socket.destroy());
    await using home = await gwctlHome();
    const login = ['login', '--username', 'ada', '--password', 'hidden-word'];
    const run = await home.run('--api-url', server.url, '--verbose', ...login);
    expect(run.stderr).toMatch(/^> POST \S+\/auth\/login\n< no answer after \d+ ms, request ID \S+\ngwctl: [^\n]+\n$/);
    expect(run.stderr).not.toContain('hidden-word');
  });
});

describe('a write that fails', () => {
  it.each<[string, (res: ServerResponse) => unknown]>([
    ['503', (res) => res.writeHead(503).end()],
    ['a cut connection', (res) => res.destroy()],
  ])('with %s is never sent again', async (_, fail) => {
    await using server = await startUpstream((req, res) => {
      if (req.method === 'GET') res.writeHead(200, json).end(JSON.stringify({ release: ownRelease() }));
      else fail(res);
    });
    await using home = await gwctlHome();
    writeFileSync(`${home.path}/g.yaml`, 'name: x\n');
    const globals = ['--api-url', server.url, '--token', 't'];
    for (const args of [
      ['create', 'gateway', '--file', 'g.yaml'],
      ['update', 'gateway', 'g1', '--file', 'g.yaml'],
      ['delete', 'gateway', 'g1'],
    ]) {
      const before = server.requests.length;
      expect(await home.run(...globals, ...args)).toMatchObject({ exitCode: 1, stdout: '' });
      expect(server.requests.slice(before).filter(({ method }) => method !== 'GET')).toHaveLength(1);
    }
  });
});

describe('a redirect', () => {
  it.each([
    [['get', 'gateways']],
    [['delete', 'gateway', 'g1']],
    [['status']],
    [['login', '--username', 'a', '--password', 'b']],
  ])('of %j is refused: it could hand the token to anybody', async (args) => {
    await using thief = await startFakeApi({});
    await using api = await startUpstream((_req, res) => void res.writeHead(307, { location: thief.url }).end());
    await using home = await gwctlHome();
    const run = await home.run('--api-url', api.url, ...(args[0] === 'login' ? [] : ['--token', secret]), ...args);
    expect(run).toMatchObject({ exitCode: 1 });
    expect(run.stdout + run.stderr).toContain('redirects are not followed');
    expect(thief.requests).toEqual([]);
  });
});

describe('a control plane of another release', () => {
  const other = { 'GET /api/versions': { current: 'v1', release: '9.9.9' } };
  const releases = `is of release 9.9.9, gwctl is ${ownRelease()}`;

  it.each([
    [['create', 'gateway', '--file', 'g.yaml']],
    [['update', 'gateway', 'g1', '--file', 'g.yaml']],
    [['delete', 'gateway', 'g1']],
  ])('is not written to by %j', async (args) => {
    await using api = await startFakeApi(other);
    await using home = await gwctlHome();
    writeFileSync(`${home.path}/g.yaml`, 'name: x\n');
    const run = await home.run('--api-url', api.url, '--token', 't', ...args);
    expect(run).toMatchObject({ exitCode: 1, stdout: '' });
    expect(run.stderr).toContain(`${releases}: writing is refused`);
    expect(api.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  it('is warned of by status and version', async () => {
    await using api = await startFakeApi({
      ...other,
      ...{ 'GET /health': { status: 'ok', release: '9.9.9' }, 'GET /ready': { status: 'ready' } },
    });
    await using home = await gwctlHome();
    expect((await home.run('--api-url', api.url, 'status')).stderr).toMatch(
      new RegExp(`^warning: \\S+ ${releases}\n$`),
    );
    const version = await home.run('--api-url', api.url, 'version', '-o', 'json');
    expect(JSON.parse(version.stdout)).toEqual({
      ...{ gwctl: ownRelease(), node: process.versions.node },
      server: { api_url: api.url, release: '9.9.9', api_version: 'v1' },
    });
    expect(version.stderr).toMatch(/^warning: the releases differ/);
  });

  it('is not asked by version --client, nor where none is known', async () => {
    await using home = await gwctlHome();
    const client = { gwctl: ownRelease(), node: process.versions.node, server: null };
    for (const args of [['version'], ['--api-url', 'http://127.0.0.1:1', 'version', '--client']]) {
      const run = await home.run(...args, '-o', 'json');
      expect(run).toMatchObject({ exitCode: 0, stderr: '' });
      expect(JSON.parse(run.stdout)).toEqual(client);
    }
  });
});

describe('Ctrl-C', () => {
  it.each([
    ['GET', ['get', 'gateways'], 'gwctl: interrupted\n'],
    [
      'DELETE',
      ['delete', 'gateway', 'g1'],
      'gwctl: interrupted; the write may have been carried out: run gwctl diff or gwctl get\n',
    ],
  ])('during a %s ends with 130 at once', async (method, args, stderr) => {
    await using api = await startUpstream((req, res) => {
      if (req.url === '/api/versions') res.writeHead(200, json).end(JSON.stringify({ release: ownRelease() }));
    });
    await using child = await startProcess({
      args: [...gwctlArgs, '--api-url', api.url, '--token', 't', ...args],
      readyWhen: () => api.requests.some((request) => request.method === method && request.url !== '/api/versions'),
      readyTimeoutMs: 60_000,
    });
    expect(await child.kill('SIGINT', 60_000)).toEqual({ code: 130, signal: null });
    await eventually(() => expect(child.stderr()).toBe(stderr));
  });
});

describe('a server that is too busy', () => {
  it('says how long to wait, and is not asked again', async () => {
    const busy = problem(429, 'rate_limited', 'Too many requests');
    await using api = await startFakeApi({
      'GET /api/v1/admin/gateways': { ...busy, headers: { ...busy.headers, 'retry-after': '7' } },
    });
    await using home = await gwctlHome();
    const run = await home.run('--api-url', api.url, '--token', 't', 'get', 'gateways');
    expect(run.stderr).toBe('gwctl: 429 Too many requests (wait 7 seconds)\n');
    expect(api.requests).toHaveLength(2);
  });
});
