import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import { createHonoMiddleware } from '../hono.ts';
import type { PluginHooks } from '../index.ts';
import { endNotes } from '../testing/end-notes.ts';
import { pluginOf } from '../testing/fixtures.ts';

function appOf(hooks: PluginHooks): Hono {
  const app = new Hono();
  const plugin = pluginOf('subject', () => hooks, { triggers: ['all'], category: 'authentication' });
  app.use(createHonoMiddleware({ plugins: [plugin], inline: [{ name: 'subject' }] }));
  app.get('/', (c) => c.text('hello'));
  app.onError((_error, c) => c.text('failed', 500));
  app.get('/fail', () => {
    throw new Error('secret');
  });
  app.get('/endless', () => new Response(new ReadableStream({ pull: (body) => body.enqueue(new Uint8Array(1)) })));
  app.get('/broken', () => new Response(new ReadableStream({ pull: (body) => body.error(new Error('broken')) })));
  app.get('/left', async (c) => {
    await new Promise((resolve) => c.req.raw.signal.addEventListener('abort', resolve));
    return c.text('late');
  });
  return app;
}

const fail = (): never => {
  throw new Error('a fault of the plugin');
};

describe('the end of a request behind createHonoMiddleware', () => {
  it.each<[string, string, PluginHooks, number]>([
    ['an answer', '/', {}, 200],
    ['an answer behind stream hooks', '/', { stream: () => undefined }, 200],
    ['a handler that throws', '/fail', {}, 500],
    ['a path that has no handler', '/nothing', {}, 404],
    ['a refusal of a plugin', '/', { request: () => ({ status: 403 }) }, 403],
    ['a plugin that fails', '/', { request: fail }, 503],
  ])('%s is told once', async (_name, path, hooks, status) => {
    const notes = endNotes(hooks);
    await (await appOf(notes.hooks).request(path)).text();
    expect(notes.heard).toMatchObject([{ status, isComplete: true }]);
  });

  it('tells of an answer that breaks off, and of a client that reads no further', async () => {
    const notes = endNotes();
    const app = appOf(notes.hooks);
    await expect((await app.request('/broken')).text()).rejects.toThrow('broken');
    await (await app.request('/endless')).body?.cancel();
    const cut = { status: 200, isComplete: false };
    expect(notes.heard).toMatchObject([cut, cut]);
  });

  it('tells of a client that left before there was an answer, at once', async () => {
    const client = new AbortController();
    const notes = endNotes();
    const answering = appOf(notes.hooks).request('/left', { signal: client.signal });
    await Promise.resolve();
    client.abort();
    expect(notes.heard).toMatchObject([{ status: undefined, isComplete: false }]);
    await answering;
    expect(notes.heard).toHaveLength(1);
  });

  it('comes before the middleware is closed', async () => {
    const notes = endNotes();
    const plugin = pluginOf('subject', () => notes.hooks, { triggers: ['all'] });
    const middleware = createHonoMiddleware({ plugins: [plugin], inline: [{ name: 'subject' }] });
    const app = new Hono().use(middleware);
    app.get('/', () => new Response(new ReadableStream({ pull: (body) => body.enqueue(new Uint8Array(1)) })));
    const answer = await app.request('/');
    const closing = middleware.close().then(() => notes.heard.length);
    expect(notes.heard).toMatchObject([]);
    await answer.body?.cancel();
    expect(await closing).toBe(1);
  });
});
