import express, { type NextFunction, type Request, type Response } from 'express';
import { describe, expect, it } from 'vitest';
import type { PluginHooks } from '../index.ts';
import { consumerOf, createNodeMiddleware, tellFailure } from '../node.ts';
import { pluginOf } from '../testing/fixtures.ts';
import { listen, send } from './node-server.test-support.ts';

const later = () => new Promise<void>((resolve) => setImmediate(resolve));

function middlewareOf(hooks: PluginHooks) {
  const plugin = pluginOf('subject', () => hooks, { triggers: ['all'] });
  return createNodeMiddleware({ plugins: [plugin], inline: [{ name: 'subject' }] });
}

/** Adds what it sees of the response: one that the error hooks ran for, or the response hooks. */
const stageHooks: PluginHooks = {
  response: async ({ response }) =>
    later().then(() => ({ headers: [{ op: 'set', name: 'x-stage', value: `response ${response.status}` }] })),
  error: async ({ failure, response }) => ({
    headers: [{ op: 'set', name: 'x-stage', value: `error ${failure.code} ${response.status}` }],
  }),
};

describe('createNodeMiddleware in Express', () => {
  it('stands before body parsers: what a hook read or replaced is what they parse', async () => {
    const app = express();
    app.use(
      middlewareOf({
        request: async ({ request }) => {
          const body = JSON.parse(new TextDecoder().decode(await request.readBody(1000))) as { a: number };
          return request.path === '/kept' ? undefined : { body: JSON.stringify({ a: body.a + 1 }) };
        },
      }),
    );
    app.use(express.json());
    app.post('/:how', ({ body }: Request, response: Response) => void response.json(body));
    await using server = await listen(app);
    const headers = { 'content-type': 'application/json' };
    const post = async (path: string) => (await send(server, { method: 'POST', path, headers, body: '{"a":1}' })).body;
    expect([await post('/kept'), await post('/changed')]).toEqual(['{"a":1}', '{"a":2}']);
  });

  it('sees what a parser before it has read as a body that it cannot read', async () => {
    const app = express();
    let seen: unknown = 'nothing';
    app.use(express.json());
    app.use(middlewareOf({ request: async ({ request }) => void (seen = await request.readBody(1000)) }));
    app.post('/', ({ body }: Request, response: Response) => void response.json(body));
    await using server = await listen(app);
    const headers = { 'content-type': 'application/json' };
    expect([(await send(server, { method: 'POST', headers, body: '{"a":1}' })).body, seen]).toEqual([
      '{"a":1}',
      undefined,
    ]);
  });

  it('goes along with what Express does of itself: sub-applications, 404, ETags, JSON', async () => {
    const [app, sub] = [express(), express()];
    sub.get('/thing', (request, response) => void response.json({ id: consumerOf(request)?.id }));
    app.use(middlewareOf({ ...stageHooks, request: () => ({ consumer: { id: 'c1', groups: [] } }) }));
    app.use('/sub', sub);
    await using server = await listen(app);
    const thing = await send(server, { path: '/sub/thing' });
    expect([thing.body, thing.headers['x-stage']]).toEqual(['{"id":"c1"}', 'response 200']);
    const again = await send(server, { path: '/sub/thing', headers: { 'if-none-match': thing.headers.etag ?? '' } });
    expect([again.status, again.body, again.headers['x-stage']]).toEqual([304, '', 'response 304']);
    const missing = await send(server, { path: '/sub/none' });
    expect([missing.status, missing.headers['x-stage']]).toEqual([404, 'response 404']);
  });

  it('stands below a path: plugins see, and change, the path below it', async () => {
    const app = express();
    app.use('/api', middlewareOf({ request: ({ request }) => ({ path: `/v2${request.path}` }) }));
    app.get('/api/v2/thing', ({ originalUrl, url }, response) => void response.send(`${originalUrl} ${url}`));
    await using server = await listen(app);
    expect((await send(server, { path: '/api/thing' })).body).toBe('/api/thing /api/v2/thing');
  });

  it('runs error hooks over the answer of the error handler once it was told of the failure', async () => {
    const fail = () => {
      throw new Error('secret');
    };
    const onError = (_error: unknown, _request: Request, response: Response, _next: NextFunction) =>
      void response.status(500).send('sorry');
    const [told, untold] = [express(), express()];
    told.use(middlewareOf(stageHooks)).get('/', fail).use(tellFailure).use(onError);
    untold.use(middlewareOf(stageHooks)).get('/', fail).use(onError);
    await using one = await listen(told);
    await using other = await listen(untold);
    const [first, second] = [await send(one), await send(other)];
    expect([first.body, first.headers['x-stage']]).toEqual(['sorry', 'error upstream_failed 500']);
    expect([second.body, second.headers['x-stage']]).toEqual(['sorry', 'response 500']);
  });
});
