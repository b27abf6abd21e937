import { createServer } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { freePort, startUpstream } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { AdminTransportError, createAdminClient } from './index.ts';

const client = (baseUrl: string, timeoutMs = 5000) =>
  createAdminClient({
    baseUrl,
    token: 'gwadm_1_secret',
    fetch: (request) => fetch(request),
    timeoutMs,
    newRequestId: () => 'request-1',
  });

const answering = (status: number, type: string, body: string, headers: Record<string, string> = {}) =>
  startUpstream((_req, res) => {
    res.writeHead(status, { 'content-type': type, ...headers }).end(body);
  });

describe('request', () => {
  it('sends token, request ID, query and JSON body, and gives status, headers and parsed body', async () => {
    await using upstream = await answering(201, 'application/json', '{"id":"1"}', { etag: '"1"' });
    const answer = await client(`${upstream.url}/prefix/`).request('POST', '/things', {
      query: { tenant_id: 'acme', dry_run: false, none: undefined, actions: ['a', 'b'] },
      body: { name: 'x' },
    });
    expect(answer).toMatchObject({ ok: true, status: 201, body: { id: '1' } });
    expect(answer.ok && answer.headers.get('etag')).toBe('"1"');
    const [request] = upstream.requests;
    expect(request?.url).toBe('/prefix/things?tenant_id=acme&dry_run=false&actions=a&actions=b');
    expect(request?.headers).toMatchObject({
      authorization: 'Bearer gwadm_1_secret',
      'x-request-id': 'request-1',
      'content-type': 'application/json',
    });
    expect(request?.body.toString()).toBe('{"name":"x"}');
  });

  it('sends a text as it is, under its own content type', async () => {
    await using upstream = await answering(200, 'application/yaml', 'a: 1\n');
    const answer = await client(upstream.url).request('POST', '/config/sync', {
      body: 'tenant_id: acme\n',
      contentType: 'application/yaml',
      accept: 'application/yaml',
    });
    expect(answer).toMatchObject({ ok: true, body: 'a: 1\n' });
    expect(upstream.requests[0]?.headers).toMatchObject({
      'content-type': 'application/yaml',
      accept: 'application/yaml',
    });
    expect(upstream.requests[0]?.body.toString()).toBe('tenant_id: acme\n');
  });

  it('an empty answer has no body', async () => {
    await using upstream = await startUpstream((_req, res) => void res.writeHead(204).end());
    expect(await client(upstream.url).request('DELETE', '/x')).toMatchObject({
      ok: true,
      status: 204,
      body: undefined,
    });
  });

  it('a problem document becomes a typed problem', async () => {
    const body = JSON.stringify({
      title: 'Validation failed',
      detail: '1 field is invalid',
      code: 'validation_failed',
      errors: [{ pointer: '/name', code: 'required', message: 'is required' }, 'nonsense'],
    });
    await using upstream = await answering(422, 'application/problem+json', body, {
      'x-request-id': 'abc',
      'retry-after': '7',
    });
    expect(await client(upstream.url).request('POST', '/x', { body: {} })).toEqual({
      ok: false,
      problem: {
        code: 'validation_failed',
        status: 422,
        title: 'Validation failed',
        detail: '1 field is invalid',
        errors: [{ pointer: '/name', code: 'required', message: 'is required' }],
        requestId: 'abc',
        retryAfterSeconds: 7,
      },
    });
  });

  it('a failure that is no problem document is named by its status', async () => {
    await using upstream = await answering(503, 'text/html', '<h1>busy</h1>');
    const answer = await client(upstream.url).request('GET', '/x');
    expect(answer).toMatchObject({ ok: false, problem: { code: 'http_503', status: 503, detail: 'HTTP status 503' } });
  });

  it('a redirect is refused, so that the token goes nowhere else', async () => {
    await using thief = await startUpstream();
    await using upstream = await startUpstream((_req, res) => {
      res.writeHead(307, { location: `${thief.url}/steal` }).end();
    });
    const answer = await client(upstream.url).request('POST', '/x', { body: {} });
    expect(answer).toMatchObject({ ok: false, problem: { code: 'redirect_refused', status: null } });
    expect(thief.requests).toEqual([]);
  });

  it('a server that never answers ends in a timeout', async () => {
    await using upstream = await startUpstream({ stream: () => undefined });
    const answer = await client(upstream.url, 100).request('GET', '/x');
    expect(answer).toMatchObject({ ok: false, problem: { code: 'timeout' } });
    expect(!answer.ok && answer.problem.detail).toBe(`${upstream.url} did not answer within 0.1 seconds`);
  });

  it('and the limit outlives garbage collections while requests wait', async () => {
    await using upstream = await startUpstream({ stream: () => undefined });
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const collections = setInterval(collect, 20);
    const api = client(upstream.url, 300);
    const answers = await Promise.all(Array.from({ length: 10 }, () => api.request('GET', '/x')));
    clearInterval(collections);
    expect(answers.map((answer) => !answer.ok && answer.problem.code)).toEqual(answers.map(() => 'timeout'));
  });

  it('a server that stops in the middle of its answer ends in a timeout too', async () => {
    await using upstream = await startUpstream((_req, res) => void res.writeHead(200).write('{"half":'));
    expect(await client(upstream.url, 200).request('GET', '/x')).toMatchObject({
      ok: false,
      problem: { code: 'timeout' },
    });
  });

  it('a port where nobody listens is a refused connection', async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    const answer = await client(url).request('GET', '/x');
    expect(answer).toMatchObject({ ok: false, problem: { code: 'connection_refused' } });
    expect(!answer.ok && answer.problem.detail).toBe(`${url} refused the connection: is it running?`);
  });

  it('a connection that is cut is a failed connection', async () => {
    const server = createServer((socket) => socket.on('data', () => socket.destroy()));
    const port = await freePort();
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    try {
      const answer = await client(`http://127.0.0.1:${port}`).request('GET', '/x');
      expect(answer).toMatchObject({ ok: false, problem: { code: 'connection_failed' } });
    } finally {
      server.close();
    }
  });

  it.each(['/gateways/..', '/gateways/.', '/a/%2e%2E/b', '/a?b', '/a#b', '/a\\b', '/a b'])(
    'the path %j is refused: a URL would read it as another one',
    async (path) => {
      await using upstream = await answering(200, 'application/json', '{}');
      const answer = await client(upstream.url).request('DELETE', path);
      expect(answer).toMatchObject({ ok: false, problem: { code: 'invalid_path', status: null } });
      expect(upstream.requests).toEqual([]);
    },
  );

  it('an encoded segment addresses what it says, whatever it holds', async () => {
    await using upstream = await answering(200, 'application/json', '{}');
    const path = `/gateways/${encodeURIComponent("..a/../?#%2e\\ é'()*~!")}`;
    expect(await client(upstream.url).request('GET', path)).toMatchObject({ ok: true });
    expect(upstream.requests.map(({ url }) => url)).toEqual([path]);
  });

  it('no path leads to another host', async () => {
    await using thief = await answering(200, 'application/json', '{}');
    await using upstream = await answering(200, 'application/json', '{}');
    const host = new URL(thief.url).host;
    for (const path of [`@${host}/x`, `//${host}/x`, `${thief.url}/x`]) await client(upstream.url).request('GET', path);
    expect(thief.requests).toEqual([]);
    expect(upstream.requests).toHaveLength(3);
  });

  it('an answer that only says that it is JSON is refused', async () => {
    await using upstream = await answering(200, 'application/json', '{"half":');
    expect(await client(upstream.url).request('GET', '/x')).toMatchObject({
      ok: false,
      problem: { code: 'invalid_response' },
    });
  });
});

describe('api', () => {
  it('calls typed paths with the same guards', async () => {
    await using upstream = await answering(200, 'application/json', '{"id":"g1","name":"a b"}');
    const { data } = await client(upstream.url).api.GET('/api/v1/admin/gateways/{gateway_id}', {
      params: { path: { gateway_id: 'a b' }, query: { tenant_id: 'acme' } },
    });
    expect(data?.name).toBe('a b');
    expect(upstream.requests[0]?.url).toBe('/api/v1/admin/gateways/a%20b?tenant_id=acme');
    expect(upstream.requests[0]?.headers.authorization).toBe('Bearer gwadm_1_secret');
  });

  it.each(['.', '..'])('never sends %j as a part of a path', async (id) => {
    await using upstream = await answering(200, 'application/json', '{}');
    const params = { path: { gateway_id: id } };
    const sent = client(upstream.url).api.DELETE('/api/v1/admin/gateways/{gateway_id}', { params });
    await expect(sent).rejects.toMatchObject({ code: 'invalid_path' });
    expect(upstream.requests).toEqual([]);
  });

  it('rejects with a typed error when no answer came', async () => {
    const { api } = client(`http://127.0.0.1:${await freePort()}`);
    await expect(api.GET('/health')).rejects.toBeInstanceOf(AdminTransportError);
  });
});

describe('createAdminClient', () => {
  it.each(['', 'localhost:8001', 'ftp://h', 'http://user:pass@h', 'http://h?x=1', 'http://h#x'])(
    'refuses the address %j',
    (baseUrl) => {
      expect(() => client(baseUrl)).toThrow(TypeError);
    },
  );
});
