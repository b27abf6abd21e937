import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import { createFetchHandler, type HostControls } from '../fetch.ts';
import { createHonoMiddleware } from '../hono.ts';
import { PluginConfigurationError, type PluginHooks } from '../index.ts';
import { createNodeMiddleware } from '../node.ts';
import { listen, send } from '../node/node-server.test-support.ts';
import { pluginOf } from '../testing/fixtures.ts';

/** A plugin that says which instance it is, before the application and behind it, and notes its end. */
function marks(disposed: string[]) {
  return pluginOf('mark', ({ as }): PluginHooks => ({
    request: () => ({ headers: [{ op: 'append', name: 'x-in', value: String(as) }] }),
    response: () => ({ headers: [{ op: 'append', name: 'x-out', value: String(as) }] }),
    dispose: () => void disposed.push(String(as)),
  }));
}

const inline = (as: string) => [{ name: 'mark', trigger: 'both' as const, config: { as } }];

/** An application behind an adapter: `/wait` answers when it is told to. */
interface Subject extends AsyncDisposable {
  readonly controls: HostControls;
  readonly call: (path: string) => Promise<string>;
}

type Start = (disposed: string[], wait: () => Promise<void>) => Promise<Subject>;

const ADAPTERS: readonly [string, Start][] = [
  [
    'createFetchHandler',
    async (disposed, wait) => {
      const handler = createFetchHandler({
        plugins: [marks(disposed)],
        inline: inline('one'),
        upstream: async ({ url, headers }) => {
          if (url.endsWith('/wait')) await wait();
          return new Response(headers.get('x-in'));
        },
      });
      const call = async (path: string) => {
        const response = await handler(new Request(`http://a.test${path}`));
        return `${await response.text()} ${response.headers.get('x-out')}`;
      };
      return { controls: handler, call, [Symbol.asyncDispose]: () => handler.close() };
    },
  ],
  [
    'createHonoMiddleware',
    async (disposed, wait) => {
      const middleware = createHonoMiddleware({ plugins: [marks(disposed)], inline: inline('one') });
      const app = new Hono().use(middleware).get('*', async (c) => {
        if (c.req.path === '/wait') await wait();
        return c.text(c.req.header('x-in') ?? '');
      });
      const call = async (path: string) => {
        const response = await app.request(path);
        return `${await response.text()} ${response.headers.get('x-out')}`;
      };
      return { controls: middleware, call, [Symbol.asyncDispose]: () => middleware.close() };
    },
  ],
  [
    'createNodeMiddleware',
    async (disposed, wait) => {
      const middleware = createNodeMiddleware({ plugins: [marks(disposed)], inline: inline('one') });
      const server = await listen((request, response) =>
        middleware(request, response, async () => {
          if (request.url === '/wait') await wait();
          response.end(request.headers['x-in']);
        }),
      );
      const call = async (path: string) => {
        const { body, headers } = await send(server, { path });
        return `${body} ${String(headers['x-out'])}`;
      };
      return { controls: middleware, call, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
    },
  ],
];

describe.each(ADAPTERS)('%s', (_name, start) => {
  it('serves other instances from one request to the next; requests in flight end on those before', async () => {
    const disposed: string[] = [];
    let release = (): void => undefined;
    let enter = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const entered = new Promise<void>((resolve) => (enter = resolve));
    await using subject = await start(disposed, () => {
      enter();
      return released;
    });
    expect(await subject.call('/')).toBe('one one');
    const inFlight = subject.call('/wait');
    await entered;
    subject.controls.update({ inline: inline('two') });
    expect([await subject.call('/'), disposed]).toEqual(['two two', []]);
    expect(() => subject.controls.update({ inline: [{ name: 'nobody' }] })).toThrow(PluginConfigurationError);
    expect(await subject.call('/')).toBe('two two');
    release();
    expect(await inFlight).toBe('one one');
    await subject.controls.close();
    expect(disposed.toSorted()).toEqual(['one', 'two']);
  });
});
