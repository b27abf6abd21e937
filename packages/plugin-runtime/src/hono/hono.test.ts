import { Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { describe, expect, it } from 'vitest';
import { createHonoMiddleware, type RuntimeVariables } from '../hono.ts';
import type { PluginHooks } from '../index.ts';
import { pluginOf } from '../testing/fixtures.ts';

function appOf(hooks: PluginHooks, before?: (app: Hono<{ Variables: RuntimeVariables }>) => void) {
  const app = new Hono<{ Variables: RuntimeVariables }>();
  before?.(app);
  const plugin = pluginOf('subject', () => hooks, { triggers: ['all'] });
  app.use(createHonoMiddleware({ plugins: [plugin], inline: [{ name: 'subject' }], clientIp: () => '192.0.2.7' }));
  app.get('/fields', (c) => c.json(c.req.header()));
  app.post('/echo', async (c) => c.text(`${c.req.url} ${await c.req.text()}`));
  app.get('/who', (c) => c.json([c.var.exchange.consumer?.id, c.var.exchange.request.clientIp]));
  app.get('/fail', () => {
    throw new Error('secret');
  });
  app.get('/forbidden', () => {
    throw new HTTPException(403, { message: 'not you' });
  });
  return app;
}

/** Says which hooks ran over an answer. */
const stageHooks: PluginHooks = {
  response: ({ response }) => ({ headers: [{ op: 'set', name: 'x-stage', value: `response ${response.status}` }] }),
  error: ({ failure, response }) => ({
    headers: [{ op: 'set', name: 'x-stage', value: `error ${failure.code} ${response.status}` }],
  }),
};

describe('createHonoMiddleware', () => {
  it('hands on the request that the hooks left, and the body that they read', async () => {
    const hooks: PluginHooks = {
      request: async ({ request }) => {
        await request.readBody(100);
        return { query: 'y=2' };
      },
    };
    const response = await appOf(hooks).request('http://a.test/echo?x=1', { method: 'POST', body: 'hello' });
    expect(await response.text()).toBe('http://a.test/echo?y=2 hello');
  });

  it('says who the client is, never what the client says of itself', async () => {
    const app = appOf({ request: () => ({ consumer: { id: 'c1', groups: [] } }) });
    const headers = { 'x-consumer-id': 'admin', 'x-consumer-groups': 'root', 'x-other': 'o' };
    expect(await (await app.request('/fields', { headers })).json()).toEqual({ 'x-consumer-id': 'c1', 'x-other': 'o' });
    expect(await (await app.request('/who', { headers })).json()).toEqual(['c1', '192.0.2.7']);
    expect(await (await appOf({}).request('/fields', { headers })).json()).toEqual({ 'x-other': 'o' });
  });

  it('answers what a request hook gives; no handler runs', async () => {
    const response = await appOf({ request: () => new Response('stop', { status: 418 }) }).request('/who');
    expect([response.status, await response.text()]).toEqual([418, 'stop']);
  });

  it('takes what response and stream hooks make of the answer, fields that they remove included', async () => {
    const hooks: PluginHooks = {
      response: () => ({ headers: [{ op: 'remove', name: 'content-type' }], replaceStatus: 201 }),
      stream: (_exchange, { bytes }) => ({ bytes: bytes.map((byte) => (byte === 0x5b ? 0x28 : byte)) }),
    };
    const response = await appOf(hooks).request('/who');
    expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
      201,
      null,
      '(null,"192.0.2.7"]',
    ]);
  });

  it.each([
    ['/who', 200, 'response 200'],
    ['/none', 404, 'response 404'],
    ['/forbidden', 403, 'response 403'],
    ['/fail', 500, 'error upstream_failed 500'],
  ])('runs for %s (%i) the hooks of "%s"', async (path, status, stage) => {
    const app = appOf(stageHooks);
    app.onError((error, c) => (error instanceof HTTPException ? error.getResponse() : c.text('sorry', 500)));
    const response = await app.request(path);
    expect([response.status, response.headers.get('x-stage')]).toEqual([status, stage]);
    expect(await response.text()).not.toContain('secret');
  });

  it.each<[string, PluginHooks, string]>([
    ['leaves', {}, 'hello'],
    ['replaces', { request: () => ({ body: 'new' }) }, 'hello'],
  ])('goes on when an earlier middleware had read the body that a hook %s', async (_name, hooks, body) => {
    const app = appOf(hooks, (early) => {
      early.use(async (c, next) => {
        await c.req.text();
        await next();
      });
    });
    app.post('/fields', async (c) => c.json([c.req.header('x-consumer-id'), await c.req.text()]));
    const headers = { 'x-consumer-id': 'admin' };
    const response = await app.request('http://a.test/fields', { method: 'POST', body: 'hello', headers });
    expect(await response.json()).toEqual([null, body]);
  });
});
