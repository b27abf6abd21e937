import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHttpApp } from './http-app.ts';
import { operations, problemOf, startTestServer, testDependencies, type TestServer } from './http-app.test-support.ts';
import { startHttpServer } from './http-server.ts';
import type { Operation } from './operation.ts';

const ignore = (): void => undefined;
const quiet = { debug: ignore, info: ignore, warn: ignore, error: ignore };

let test: TestServer;
const call: TestServer['call'] = (path, options) => test.call(path, options);
const post: TestServer['post'] = (...sent) => test.post(...sent);
beforeAll(async () => {
  test = await startTestServer(fetch);
});
afterAll(() => test.server.stop(1000));

describe('paths and methods', () => {
  it.each(['/admin/things', '/api/v1/admin/things', '/admin/things/'])('%s answers', async (path) => {
    expect((await call(path, { as: 'reader' })).status).toBe(200);
  });

  it('prefers a fixed segment to a parameter and decodes parameters', async () => {
    expect(await (await call('/admin/things/current', { as: 'reader' })).json()).toEqual({ current: true });
    expect(await (await call('/admin/things/a%2Fb%20c', { as: 'reader' })).json()).toEqual({ thing_id: 'a/b c' });
  });

  it('answers 405 with Allow for operations that name the parameter differently', async () => {
    const response = await call('/api/v1/admin/things/x', { method: 'PUT', as: 'admin' });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('GET, HEAD, DELETE');
    expect((await call('/api/v1/admin/things/x', { method: 'DELETE', as: 'admin' })).status).toBe(204);
  });

  it('answers HEAD without a body', async () => {
    const response = await call('/admin/things', { method: 'HEAD', as: 'reader' });
    expect([response.status, await response.text()]).toEqual([200, '']);
  });

  it.each(['/nowhere', '/api/v1/things', '/admin', '/admin/things/%00', `/admin/things/${'x'.repeat(600)}`])(
    '%s is 404',
    async (path) => {
      const response = await call(path, { as: 'admin' });
      expect(response.status).toBe(404);
      expect(await problemOf(response)).toMatchObject({ code: 'not_found' });
    },
  );
});

describe('request IDs, addresses and headers', () => {
  it.each([
    ['kept', 'abc-123._~', 'abc-123._~'],
    ['replaced when too long', 'a'.repeat(129), 'made-id'],
    ['replaced when of another form', 'a b<script>', 'made-id'],
  ])('a given ID is %s', async (_name, given, expected) => {
    const response = await call('/conflict', { headers: { 'x-request-id': given } });
    expect(response.headers.get('x-request-id')).toBe(expected);
    expect(await problemOf(response)).toMatchObject({
      code: 'name_exists',
      status: 409,
      request_id: expected,
      type: 'https://portcullis.dev/problems/name-exists',
    });
  });

  it('every answer forbids sniffing and storing', async () => {
    for (const path of ['/level/public', '/nowhere', '/bug']) {
      const { headers } = await call(path);
      expect([headers.get('x-content-type-options'), headers.get('cache-control')]).toEqual(['nosniff', 'no-store']);
    }
  });

  it('takes the client address from the right of X-Forwarded-For behind a trusted proxy', async () => {
    const response = await call('/admin/things', {
      as: 'reader',
      headers: { 'x-forwarded-for': '6.6.6.6, 9.9.9.9, 127.0.0.1' },
    });
    expect(await response.json()).toMatchObject({ ip: '9.9.9.9' });
    const withPorts = { 'x-forwarded-for': '9.9.9.9, [2001:db8::7]:5678, 127.0.0.1:90' };
    const answer = await call('/admin/things', { as: 'reader', headers: withPorts });
    expect(await answer.json()).toMatchObject({ ip: '2001:db8::7' });
  });

  it('an unexpected error leaves as internal, without its text, and is logged with it', async () => {
    const response = await call('/bug', { headers: { 'x-request-id': 'find-me' } });
    expect(response.status).toBe(500);
    expect(JSON.stringify(await problemOf(response))).not.toMatch(/canary|SELECT|at /);
    expect(
      test.logged.some(({ facts }) => facts['request_id'] === 'find-me' && String(facts['err']).includes('canary')),
    ).toBe(true);
    expect(test.summaries.at(-1)).toMatchObject({ operationId: 'bug', status: 500 });
  });

  it('a part that is out of reach is 503 with a time to come back, and nothing of why leaves', async () => {
    const response = await call('/outage');
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2']);
    expect(JSON.stringify(await problemOf(response))).not.toMatch(/canary|ECONN/);
    await call('/outage');
    expect(test.unavailable).toEqual(['database', 'database']);
    const lines = test.logged.filter(({ message }) => message === 'a part is not available');
    expect(lines).toHaveLength(1);
    expect(lines[0]?.facts).not.toHaveProperty('err');
  });

  it('a body that cannot be sent is an internal error too', async () => {
    const response = await call('/unsendable');
    expect([response.status, (await problemOf(response))['code']]).toEqual([500, 'internal']);
  });

  it('logs neither credentials nor queries', async () => {
    await call('/admin/things?tenant_id=canary-query', { as: 'canary-token' });
    expect(JSON.stringify(test.logged)).not.toContain('canary-query');
    expect(JSON.stringify(test.logged)).not.toContain('canary-token');
  });
});

describe('query parameters', () => {
  it('are parsed, defaulted and, when repeatable, kept in order', async () => {
    const response = await call('/admin/things?actions=a&actions=b&unknown=1', { as: 'reader' });
    expect(await response.json()).toMatchObject({ query: { limit: 50, actions: ['a', 'b'] } });
  });

  it.each([
    ['limit=0', 422, 'min_value'],
    ['limit=201', 422, 'max_value'],
    ['limit=ten', 422, 'format'],
    ['limit=1e2', 422, 'format'],
    ['limit=', 422, 'format'],
  ])('%s is %i', async (query, status, code) => {
    const response = await call(`/admin/things?${query}`, { as: 'reader' });
    expect(response.status).toBe(status);
    expect((await problemOf(response))['errors']).toEqual([
      expect.objectContaining({ pointer: '/limit', in: 'query', code }),
    ]);
  });

  it.each([
    ['a parameter given twice', '/admin/things?tenant_id=a&tenant_id=b'],
    ['an unknown parameter given twice', '/admin/things?x=a&x=b'],
    ['U+0000', '/admin/things?tenant_id=%00'],
  ])('%s is 400', async (_name, path) => {
    const response = await call(path, { as: 'reader' });
    expect(response.status).toBe(400);
    expect(await problemOf(response)).toMatchObject({ code: 'invalid_parameter' });
  });

  it('an unknown parameter is 400 on a write', async () => {
    expect((await post('/admin/things?x=1', '{"name":"a"}')).status).toBe(400);
    expect((await post('/admin/things?tenant_id=acme', '{"name":"a"}')).status).toBe(201);
  });
});

describe('the server', () => {
  it('says in one sentence that a port is in use', async () => {
    const port = Number(new URL(test.server.url).port);
    const app = createHttpApp(testDependencies(quiet, []));
    await expect(startHttpServer(app, { host: '127.0.0.1', port }, { newId: () => 'made-id' })).rejects.toThrow(
      `127.0.0.1:${port} is in use by another process`,
    );
  });

  it('refuses two operations with one ID or one path', () => {
    const first = operations[0] as Operation;
    const build = (second: Operation) => () => createHttpApp(testDependencies(quiet, [first, second]));
    expect(build({ ...first, paths: ['/other'] })).toThrow('two operations have the ID');
    expect(build({ ...first, id: 'other' })).toThrow('two operations answer GET');
  });
});
