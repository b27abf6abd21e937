import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import { createFetchHandler } from '../fetch.ts';
import { createHonoMiddleware } from '../hono.ts';
import { destinationOf } from '../index.ts';
import { createNodeMiddleware } from '../node.ts';
import { listen, send } from '../node/node-server.test-support.ts';
import { pluginOf } from '../testing/fixtures.ts';

const destination = destinationOf('https://elsewhere.test:8443');

function optionsWith(lines: [string, unknown][] = []) {
  const plugin = pluginOf('mover', () => ({ request: () => ({ destination }) }));
  const log = { warn: () => undefined, error: (text: string, more?: object) => void lines.push([text, more]) };
  return { plugins: [plugin], inline: [{ name: 'mover' }], log };
}

describe('a destination that a plugin chose', () => {
  it('is where the request of createFetchHandler’s upstream leads, and redirects of it are not followed', async () => {
    let seen: Request | undefined;
    const upstream = (request: Request) => {
      seen = request;
      return new Response('from there');
    };
    const handle = createFetchHandler({ ...optionsWith(), upstream });
    const answer = await handle(new Request('http://api.test/a%2Fb?x=1&y=', { method: 'POST', body: 'text' }));
    expect(await answer.text()).toBe('from there');
    expect([seen?.url, seen?.method, seen?.redirect]).toEqual([
      'https://elsewhere.test:8443/a%2Fb?x=1&y=',
      'POST',
      'manual',
    ]);
    expect(await seen?.text()).toBe('text');
    await handle(new Request('http://api.test/'));
    expect(seen?.url).toBe('https://elsewhere.test:8443/');
  });

  it.each(['hono', 'node'])(
    'fails the request in the middleware for %s, and never reaches the application',
    async (host) => {
      const lines: [string, unknown][] = [];
      let reached = 0;
      const options = optionsWith(lines);
      const status = await (async () => {
        if (host === 'hono') {
          const app = new Hono().use(createHonoMiddleware(options)).get('/', (c) => c.text(`${(reached += 1)}`));
          return (await app.request('/')).status;
        }
        const middleware = createNodeMiddleware(options);
        await using server = await listen((req, res) => middleware(req, res, () => res.end(`${(reached += 1)}`)));
        return (await send(server)).status;
      })();
      expect([status, reached]).toEqual([502, 0]);
      expect(lines).toEqual([
        [
          expect.stringContaining('behind the plugins failed'),
          expect.objectContaining({ error: expect.stringContaining('a middleware cannot') as unknown }),
        ],
      ]);
    },
  );
});
