import { connect } from 'node:net';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { PluginHooks } from '../index.ts';
import { consumerOf, exchangeOf } from '../node.ts';
import { bodyOf, send, serve } from './node-server.test-support.ts';

const text = (bytes: Uint8Array | undefined) => (bytes === undefined ? 'undefined' : new TextDecoder().decode(bytes));

describe('the request that the application behind createNodeMiddleware sees', () => {
  it('is what the hooks left: URL, fields in all of their forms, and body', async () => {
    const hooks: PluginHooks = {
      request: () => ({
        path: '/v2',
        query: 'y=2',
        body: 'new body',
        headers: [
          { op: 'set', name: 'X-One', value: '1' },
          { op: 'append', name: 'X-Many', value: 'b' },
          { op: 'remove', name: 'x-gone' },
        ],
      }),
    };
    await using server = await serve(hooks, async (request, response) => {
      const { url, method, headers, headersDistinct } = request;
      const seen = { url, method, one: headers['x-one'], many: headers['x-many'], gone: headers['x-gone'] };
      const length = headers['content-length'];
      response.end(
        JSON.stringify({ ...seen, length, distinct: headersDistinct['x-many'], body: await bodyOf(request) }),
      );
    });
    const headers = { 'x-many': 'a', 'x-gone': 'x' };
    const { body } = await send(server, { method: 'POST', path: '/v1?x=1', body: ['old ', 'body'], headers });
    expect(JSON.parse(body)).toEqual({
      url: '/v2?y=2',
      method: 'POST',
      one: '1',
      many: 'a, b',
      distinct: ['a', 'b'],
      length: '8',
      body: 'new body',
    });
  });

  it.each<[string, number, string | readonly string[] | undefined, string]>([
    ['within the bound', 100, ['one ', 'two'], 'one two'],
    ['beyond the bound', 2, ['one ', 'two'], 'undefined'],
    ['that is empty', 2, '', ''],
    ['that is not there', 2, undefined, ''],
  ])('has a body %s whole, although a hook read it', async (_name, bytesMax, body, seen) => {
    const read: string[] = [];
    const hooks: PluginHooks = {
      request: async ({ request }) => {
        read.push(text(await request.readBody(bytesMax)), text(await request.readBody(bytesMax)));
      },
    };
    await using server = await serve(hooks, async (request, response) => response.end(await bodyOf(request)));
    const answer = await send(server, { method: 'POST', ...(body === undefined ? {} : { body }) });
    expect([read, answer.body]).toEqual([[seen, seen], typeof body === 'object' ? body.join('') : '']);
  });

  it.each(['', 'other'])('has the body "%s" that a hook put in place of one it had read', async (replacement) => {
    const hooks: PluginHooks = {
      request: async ({ request }) => {
        await request.readBody(100);
        return { body: replacement };
      },
    };
    await using server = await serve(hooks, async (request, response) => response.end(await bodyOf(request)));
    expect((await send(server, { method: 'POST', body: ['one ', 'two'] })).body).toBe(replacement);
  });

  it('has its large body, of which a hook read a part, in order', async () => {
    const hooks: PluginHooks = { request: async ({ request }) => void (await request.readBody(10)) };
    await using server = await serve(hooks, async (request, response) => response.end(await bodyOf(request)));
    const body = Array.from({ length: 40_000 }, (_none, index) => `${index},`).join('');
    expect((await send(server, { method: 'POST', body })).body).toBe(body);
  });

  it('says who the client is as the plugins found it, never what the client says', async () => {
    const hooks: PluginHooks = {
      request: ({ request }) =>
        request.headers.has('x-known') ? { consumer: { id: 'c1', username: 'zoe', groups: ['gold'] } } : undefined,
    };
    await using server = await serve(hooks, (request, response) => {
      const named = Object.entries(request.headers).filter(([name]) => /^x-(?:consumer|anon|cred)/.test(name));
      response.end(JSON.stringify([consumerOf(request)?.id, Object.fromEntries(named)]));
    });
    const spoofed = { 'X-Consumer-ID': 'admin', 'x-consumer-groups': 'root', 'x-anonymous-consumer': 'true' };
    const [unknown, known] = [
      await send(server, { headers: spoofed }),
      await send(server, { headers: { ...spoofed, 'x-known': '1' } }),
    ];
    expect(JSON.parse(unknown.body)).toEqual([null, {}]);
    expect(JSON.parse(known.body)).toEqual([
      'c1',
      { 'x-consumer-id': 'c1', 'x-consumer-username': 'zoe', 'x-consumer-groups': 'gold' },
    ]);
  });

  it('tells plugins who a trusted peer says that the client is', async () => {
    const hooks: PluginHooks = {
      request: ({ request }) => ({ status: 200, body: request.claimsOfPeer('x-consumer-id').join() }),
    };
    const headers = { 'X-Consumer-ID': 'admin' };
    await using trusting = await serve(hooks, () => undefined, { trustedProxies: ['127.0.0.0/8', '::1'] });
    await using other = await serve(hooks, () => undefined);
    expect([(await send(trusting, { headers })).body, (await send(other, { headers })).body]).toEqual(['admin', '']);
  });

  it('hands on what plugins left in the state', async () => {
    const hooks: PluginHooks = { request: ({ state }) => void state.set('subject.note', 'hello') };
    await using server = await serve(hooks, (request, response) =>
      response.end(String(exchangeOf(request)?.state.get('subject.note'))),
    );
    expect((await send(server)).body).toBe('hello');
  });

  it.each([
    ['GET http://other.test:81/a?b=c HTTP/1.1', '/a b=c'],
    ['OPTIONS * HTTP/1.1', '/ '],
    ['GET http://other.test HTTP/1.1', '/ '],
  ])('has path and query of "%s"', async (line, seen) => {
    const hooks: PluginHooks = {
      request: ({ request }) => ({ status: 200, body: `${request.path} ${request.query}` }),
    };
    await using server = await serve(hooks, (_request, response) => response.end());
    const socket = connect(server.port, '127.0.0.1');
    socket.end(`${line}\r\nHost: a.test\r\nConnection: close\r\n\r\n`);
    let received = '';
    socket.on('data', (chunk) => (received += String(chunk)));
    await once(socket, 'close');
    expect(received.split('\r\n\r\n')[1]).toBe(seen);
  });

  it.each<[string, readonly string[], Record<string, string>, string]>([
    ['is the socket, whatever the client says', [], { 'x-forwarded-for': '203.0.113.9' }, '127.0.0.1 http'],
    [
      'is what a trusted proxy says',
      ['127.0.0.0/8', '10.0.0.0/8'],
      { 'x-forwarded-for': '1.1.1.1, 203.0.113.9, 10.1.1.1', 'x-forwarded-proto': 'https' },
      '203.0.113.9 https',
    ],
    ['is the proxy when it says nonsense', ['127.0.0.1'], { 'x-forwarded-for': 'unknown' }, '127.0.0.1 http'],
    ['may come with a port', ['127.0.0.1'], { 'x-forwarded-for': '203.0.113.9:5678' }, '203.0.113.9 http'],
    [
      'may be an IPv6 address with a port',
      ['127.0.0.1'],
      { 'x-forwarded-for': '[2001:db8::1]:5678' },
      '2001:db8::1 http',
    ],
    ['may be an IPv6 address', ['127.0.0.1'], { 'x-forwarded-for': '2001:db8::1' }, '2001:db8::1 http'],
  ])('comes from a client whose address %s', async (_name, trustedProxies, headers, seen) => {
    const hooks: PluginHooks = {
      request: ({ request }) => ({ status: 200, body: `${request.clientIp} ${request.scheme}` }),
    };
    await using server = await serve(hooks, (_request, response) => response.end(), { trustedProxies });
    expect((await send(server, { headers })).body).toBe(seen);
  });

  it.each(['proxy.test', '10.0.0.0/33', '10.0.0.0/8/8', '10.0.0.0/', ''])(
    'refuses the trusted proxy "%s"',
    async (entry) => {
      await expect(async () => serve({}, () => undefined, { trustedProxies: [entry] })).rejects.toThrow(TypeError);
    },
  );

  it('does not reach the application when the client left before the hooks were done', async () => {
    let isTold: (() => void) | undefined;
    const told = new Promise<void>((resolve) => (isTold = resolve));
    let calls = 0;
    const hooks: PluginHooks = {
      request: (exchange) => {
        const signal = exchange.signal();
        return new Promise((resolve) =>
          signal.addEventListener('abort', () => {
            resolve();
            setImmediate(() => isTold?.());
          }),
        );
      },
    };
    await using server = await serve(hooks, (_request, response) => {
      calls += 1;
      response.end();
    });
    const socket = connect(server.port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: a.test\r\n\r\n', () => socket.destroy());
    await told;
    expect(calls).toBe(0);
  });
});
