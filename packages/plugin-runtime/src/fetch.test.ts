import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFetchHandler, type FetchHandlerOptions } from './fetch.ts';
import type { PluginHooks } from './index.ts';
import { handle } from './testdata/readme-example.ts';
import { pluginOf, withThen } from './testing/fixtures.ts';

const URL_BASE = 'http://api.test:8080/orders?x=1';

function handlerOf(
  hooks: PluginHooks,
  upstream: FetchHandlerOptions['upstream'],
  category: 'traffic' | 'authentication' = 'traffic',
) {
  const plugin = pluginOf('subject', () => hooks, { category });
  return createFetchHandler({ plugins: [plugin], instances: [{ id: 'i', name: 'subject', trigger: 'all' }], upstream });
}

/** A body that comes in two chunks, and notes whether its reader gave it up. */
function chunked(onCancel?: () => void): ReadableStream<Uint8Array> {
  const chunks = ['one ', 'two'];
  return new ReadableStream(
    {
      pull(controller) {
        const chunk = chunks.shift();
        if (chunk === undefined) controller.close();
        else controller.enqueue(new TextEncoder().encode(chunk));
      },
      ...(onCancel === undefined ? {} : { cancel: onCancel }),
    },
    { highWaterMark: 0 },
  );
}

/** Answers one response again and again, whose body somebody reads already. */
function usedResponse(): () => Response {
  const response = new Response('x');
  void response.text();
  return () => response;
}

function badThenable(): never {
  return withThen({
    value: () => {
      throw new Error('secret');
    },
  });
}

const post = () => new Request(URL_BASE, { method: 'POST', body: chunked(), duplex: 'half' });
const echo = async (request: Request) => new Response(`${request.method} ${request.url} ${await request.text()}`);

describe('the example of the README', () => {
  it('is the code that this test runs', () => {
    const example = readFileSync(join(import.meta.dirname, 'testdata/readme-example.ts'), 'utf8');
    expect(readFileSync(join(import.meta.dirname, '../README.md'), 'utf8')).toContain(`\`\`\`ts\n${example}\`\`\``);
  });

  it('stops one path with a web Response and passes the others on, edited', async () => {
    const stopped = await handle(new Request('http://a.test/orders/1'));
    const passed = await handle(new Request('http://a.test/'));
    expect([stopped.status, await stopped.text()]).toEqual([503, 'back at noon']);
    expect([passed.status, await passed.text()]).toEqual([200, 'hello, checked: yes']);
  });
});

describe('createFetchHandler', () => {
  it('forwards what the hooks left, and the body as a stream', async () => {
    const response = await handlerOf({ request: () => ({ path: '/v2', query: 'y=2' }) }, echo)(post());
    expect(await response.text()).toBe('POST http://api.test:8080/v2?y=2 one two');
  });

  it.each<[string, number, string]>([
    ['within the bound', 100, 'one two'],
    ['beyond the bound', 2, 'undefined'],
  ])('gives hooks the body %s, and the upstream the whole of it', async (_name, bytesMax, seen) => {
    let read = '';
    const hooks: PluginHooks = {
      request: async ({ request }) => {
        const body = await request.readBody(bytesMax);
        const again = await request.readBody(bytesMax);
        expect(again).toEqual(body);
        read = body === undefined ? 'undefined' : new TextDecoder().decode(body);
      },
    };
    const response = await handlerOf(hooks, echo)(post());
    expect([read, await response.text()]).toEqual([seen, `POST ${URL_BASE} one two`]);
  });

  it('lets response hooks read and replace the body, and lets go of the one that was replaced', async () => {
    let isCancelled = false;
    const upstream = () => new Response(chunked(() => (isCancelled = true)));
    const response = await handlerOf({ response: () => ({ body: 'mine' }) }, upstream)(new Request(URL_BASE));
    expect([await response.text(), isCancelled]).toEqual(['mine', true]);
    const read = await handlerOf(
      { response: async ({ response: view }) => void (await view.readBody(2)) },
      upstream,
    )(new Request(URL_BASE));
    expect(await read.text()).toBe('one two');
  });

  it('keeps every cookie on a line of its own', async () => {
    const upstream = () =>
      new Response('', {
        headers: [
          ['set-cookie', 'a=1'],
          ['set-cookie', 'b=2'],
        ],
      });
    expect((await handlerOf({}, upstream)(new Request(URL_BASE))).headers.getSetCookie()).toEqual(['a=1', 'b=2']);
  });

  it.each([204, 304])('answers %i without a body', async (status) => {
    const response = await handlerOf({ request: () => ({ status }) }, echo)(new Request(URL_BASE));
    expect([response.status, response.body]).toEqual([status, null]);
  });

  it.each<[string, () => Response, 'traffic' | 'authentication', PluginHooks, number, string]>([
    [
      'the upstream breaks',
      () => {
        throw new Error('secret host');
      },
      'traffic',
      {},
      502,
      'upstream_failed',
    ],
    [
      'a plugin that must not fail breaks',
      () => new Response('x'),
      'authentication',
      {
        request: () => {
          throw new Error('secret');
        },
      },
      503,
      'plugin_failed',
    ],
    [
      'it breaks on the response',
      () => new Response('x'),
      'authentication',
      {
        response: () => {
          throw new Error('secret');
        },
      },
      503,
      'plugin_failed',
    ],
  ])('answers a problem when %s, through the error hooks', async (_name, upstream, category, hooks, status, code) => {
    const error: PluginHooks['error'] = ({ failure }) => ({
      headers: [{ op: 'set', name: 'x-code', value: failure.code }],
    });
    const response = await handlerOf({ ...hooks, error }, upstream, category)(new Request(URL_BASE));
    const body = await response.text();
    expect([response.status, response.headers.get('x-code'), response.headers.get('content-type')]).toEqual([
      status,
      code,
      'application/problem+json',
    ]);
    expect(JSON.parse(body)).toMatchObject({ status, code });
    expect(body).not.toContain('secret');
  });

  it.each<[string, PluginHooks, () => Response, number]>([
    ['the upstream answers Response.error()', {}, () => Response.error(), 502],
    ['the upstream answers nothing', {}, () => undefined as never, 502],
    ['the upstream answers what was read before', {}, usedResponse(), 502],
    ['a hook answers Response.error()', { request: () => Response.error() }, () => new Response('x'), 503],
    ['a hook answers what was read before', { response: usedResponse() }, () => new Response('x'), 503],
    ['a hook returns a promise whose then throws', { request: () => badThenable() }, () => new Response('x'), 503],
    ['it does so for the response', { response: () => badThenable() }, () => new Response('x'), 503],
  ])('answers a problem when %s', async (_name, hooks, upstream, status) => {
    const response = await handlerOf(hooks, upstream, 'authentication')(new Request(URL_BASE));
    expect([response.status, response.headers.get('content-type')]).toEqual([status, 'application/problem+json']);
  });

  it('answers although a hook changes its edits after it returned them', async () => {
    const edit = { op: 'set', name: 'x-a', value: 'good' } as { op: 'set'; name: string; value: string };
    const upstream = () => {
      edit.value = 'bad\r\nx-b: c';
      return new Response('x');
    };
    const response = await handlerOf({ request: () => ({ responseHeaders: [edit] }) }, upstream)(new Request(URL_BASE));
    expect([response.status, response.headers.get('x-a')]).toEqual([200, 'good']);
  });

  it('fires the signal of a waiting hook when the client leaves', async () => {
    const client = new AbortController();
    let reason = '';
    const hooks: PluginHooks = {
      request: (exchange) => {
        const signal = exchange.signal();
        return new Promise((resolve) => signal.addEventListener('abort', () => resolve(void (reason = 'left'))));
      },
    };
    const result = handlerOf(hooks, () => new Response('x'))(new Request(URL_BASE, { signal: client.signal }));
    client.abort();
    await result;
    expect(reason).toBe('left');
  });

  const spoofed = [
    ...['x-consumer-id', 'X-Consumer-Username', 'x-consumer-custom-id', 'X-CONSUMER-GROUPS'],
    ...['x-credential-identifier', 'x-anonymous-consumer'],
  ];

  it.each<[string, PluginHooks, Record<string, string>]>([
    ['nobody', {}, {}],
    [
      'who the client is',
      {
        request: () => ({
          consumer: { id: 'c1', username: 'Zoë', groups: ['gold', 'a, b', '50%', 'β'], credentialId: 'k1' },
        }),
      },
      {
        'x-consumer-id': 'c1',
        'x-consumer-username': 'Zo%C3%AB',
        'x-consumer-groups': 'gold, a%2C%20b, 50%25, %CE%B2',
        'x-credential-identifier': 'k1',
      },
    ],
    [
      'what is known, and no empty field',
      { request: () => ({ consumer: { id: '\ud800é', groups: [] } }) },
      { 'x-consumer-id': '%EF%BF%BD%C3%A9' },
    ],
  ])('tells the upstream %s, never what the client says of itself', async (_name, hooks, told) => {
    const upstream = ({ headers }: Request) => Response.json(Object.fromEntries(headers));
    const headers = Object.fromEntries([...spoofed, 'x-other'].map((name) => [name, 'evil']));
    const response = await handlerOf(hooks, upstream)(new Request(URL_BASE, { headers }));
    expect(await response.json()).toEqual({ 'x-other': 'evil', ...told });
  });

  it('runs inline plugins and instances of the scope it is told', async () => {
    const plugin = pluginOf('mark', ({ as }) => ({
      request: () => ({ headers: [{ op: 'append', name: 'x-mark', value: String(as) }] }),
    }));
    const handler = createFetchHandler({
      plugins: [plugin],
      instances: [
        { id: 'a', name: 'mark', scope: 'route', route_id: 'r1', config: { as: 'mine' } },
        { id: 'b', name: 'mark', scope: 'route', route_id: 'r2', config: { as: 'other' } },
      ],
      inline: [{ name: 'mark', config: { as: 'inline' } }],
      route: { id: 'r1', name: 'orders' },
      upstream: (request) => new Response(request.headers.get('x-mark')),
    });
    expect(await (await handler(new Request(URL_BASE))).text()).toBe('mine, inline');
  });
});
