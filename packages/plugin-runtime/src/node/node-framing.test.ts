import { once } from 'node:events';
import { connect } from 'node:net';
import { eventually } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import type { PluginHooks } from '../index.ts';
import { bodyOf, send, serve } from './node-server.test-support.ts';

const later = () => new Promise<void>((resolve) => setImmediate(resolve));

/** What comes back for these bytes on one connection, until the server closes it. */
async function raw(port: number, ...pieces: readonly string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1');
  let received = '';
  socket.on('data', (text: string) => (received += text));
  for (const piece of pieces) socket.write(piece);
  await once(socket, 'close');
  return received;
}

const first = 'GET /1 HTTP/1.1\r\nHost: a\r\n\r\n';
const last = 'GET /2 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';

describe('what stands on the wire behind createNodeMiddleware', () => {
  it.each<[string, PluginHooks]>([
    [
      'a response hook',
      { response: ({ request }) => (request.path === '/1' ? { status: 205, body: 'reset' } : undefined) },
    ],
    [
      'edits',
      { response: async ({ request }) => (request.path === '/1' ? { replaceStatus: 205, body: 'reset' } : {}) },
    ],
    [
      'a change of the status alone',
      { response: ({ request }) => (request.path === '/1' ? { replaceStatus: 205 } : {}) },
    ],
    [
      'a request hook',
      { request: ({ request }) => (request.path === '/1' ? { status: 205, body: 'reset' } : undefined) },
    ],
  ])('says of a 205 by %s that it has no body: the next answer is none', async (_by, hooks) => {
    await using server = await serve(hooks, ({ url }, response) => response.end(`page ${url}`));
    const received = await raw(server.port, first, last);
    const [head, ...rest] = received.split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 205 /);
    expect(head?.match(/content-length: (\d+)/gi)).toEqual(['content-length: 0']);
    expect([rest[0]?.split('\r\n')[0], rest[1]]).toEqual(['HTTP/1.1 200 OK', 'page /2']);
  });

  it('drops announced trailers with the body that they were for', async () => {
    await using server = await serve({ response: () => ({ body: 'other' }) }, (_request, response) => {
      response.setHeader('trailer', 'x-sum');
      response.addTrailers({ 'x-sum': '1' });
      response.write('own');
      response.end();
    });
    const { status, headers, body } = await send(server);
    expect([status, headers.trailer, headers['content-length'], body]).toEqual([200, undefined, '5', 'other']);
  });

  it('is one head: a second one while hooks run is refused as Node does', async () => {
    let refused: unknown;
    await using server = await serve({ response: later }, (_request, response) => {
      response.writeHead(201);
      try {
        response.writeHead(202);
      } catch (error) {
        refused = (error as { readonly code?: unknown }).code;
      }
      response.end('body');
    });
    expect([(await send(server)).status, refused]).toEqual([201, 'ERR_HTTP_HEADERS_SENT']);
  });

  it.each<[string, unknown]>([
    ['name and value by turns', ['Set-Cookie', ['a=1', 'b=2'], 'Link', 'x', 'link', 'y']],
    [
      'pairs',
      [
        ['Set-Cookie', ['a=1', 'b=2']],
        ['Link', 'x'],
        ['link', 'y'],
      ],
    ],
    ['an object', { 'Set-Cookie': ['a=1', 'b=2'], Link: ['x', 'y'] }],
  ])('is the head that writeHead got as %s', async (_form, fields) => {
    await using server = await serve({ response: () => undefined }, (_request, response) => {
      response.writeHead(200, fields as string[]).end();
    });
    const { headers } = await send(server);
    expect([headers['set-cookie'], headers.link]).toEqual([['a=1', 'b=2'], 'x, y']);
  });

  it('tells stream hooks of one end, however often the application says it', async () => {
    const seen: unknown[] = [];
    const hooks: PluginHooks = { stream: (_exchange, { index, last: isLast }) => void seen.push([index, isLast]) };
    await using server = await serve(hooks, (_request, response) => {
      response.write('a');
      response.end('b');
      response.end();
      response.end();
    });
    expect([(await send(server)).body, seen]).toEqual([
      'ab',
      [
        [0, false],
        [1, true],
      ],
    ]);
  });

  it('lets go of a plugin’s stream when the client leaves, also while it has nothing to give', async () => {
    let isAsked = false;
    let isLetGo = false;
    const stuck = (): Response =>
      new Response(
        new ReadableStream({
          pull: () => {
            isAsked = true;
            return new Promise(() => undefined);
          },
          cancel: () => void (isLetGo = true),
        }),
      );
    await using server = await serve({ request: stuck }, () => undefined);
    const socket = connect(server.port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await eventually(() => isAsked);
    socket.destroy();
    expect(await eventually(() => isLetGo)).toBe(true);
  });
});

describe('a client that does not send its body, behind createNodeMiddleware', () => {
  const filter: PluginHooks = {
    request: async ({ request }) => {
      const body = new TextDecoder().decode(await request.readBody(100));
      return body.includes('evil') ? { status: 403 } : undefined;
    },
  };
  const half = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nev';

  it('gets 408, and the plugin goes on for all others', async () => {
    await using server = await serve(filter, async (request, response) => response.end(await bodyOf(request)), {
      bodyTimeoutMs: 50,
    });
    const answers = await Promise.all([1, 2, 3, 4].map(() => raw(server.port, half)));
    for (const answer of answers)
      expect(answer).toMatch(/^HTTP\/1\.1 408 [^]*connection: close[^]*request_body_timeout/i);
    expect((await send(server, { method: 'POST', body: 'evil' })).status).toBe(403);
    expect((await send(server, { method: 'POST', body: 'good' })).body).toBe('good');
  });

  it('opens no circuit by leaving in the middle of it', async () => {
    let faults = 0;
    await using server = await serve(filter, async (request, response) => response.end(await bodyOf(request)), {
      events: { onHookFault: (_instance, _stage, fault) => void (faults += fault === 'given_up' ? 1 : 100) },
    });
    for (let count = 1; count <= 4; count += 1) {
      const socket = connect(server.port, '127.0.0.1');
      socket.write(half, () => socket.destroy());
      await eventually(() => faults === count);
    }
    expect((await send(server, { method: 'POST', body: 'evil' })).status).toBe(403);
  });
});
