import { connect, createServer as createHttp2Server, type ServerHttp2Stream } from 'node:http2';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { definePlugin } from '@portcullis/plugin-runtime';
import { eventually, startUpstream } from '@portcullis/testkit';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { everythingTo, exchangeRaw, openRaw, startTestGateway } from '../testing/test-gateway.test-support.ts';
import { passableTrailers } from './trailer-fields.ts';

/** An answer in chunks with fields behind it. */
const startTrailing = () =>
  startUpstream({
    stream: (req, res) => {
      req.resume();
      if (req.method === 'HEAD') {
        res.writeHead(200).end();
        return;
      }
      res.writeHead(200, { trailer: 'x-sum, Set-Cookie, bad name' });
      res.write('body');
      res.addTrailers([
        ['x-sum', '7'],
        ['X-More', 'yes'],
        ['Set-Cookie', 'a=b'],
        ['X-Consumer-ID', 'evil'],
      ]);
      res.end();
    },
  });

const get = (version: string): string =>
  `GET / HTTP/${version}\r\nHost: a\r\nTE: trailers\r\nConnection: close, TE\r\n\r\n`;

describe('trailers of answers', () => {
  it('come behind the body in HTTP/1.1, announced, without those that mean nothing there', async () => {
    await using upstream = await startTrailing();
    await using gateway = await startTestGateway(everythingTo(upstream.url));
    const raw = await exchangeRaw(gateway.port, get('1.1'));
    expect(raw).toMatch(/\r\ntrailer: x-sum\r\n/i);
    expect(raw).toMatch(/\r\n4\r\nbody\r\n0\r\nx-sum: 7\r\nx-more: yes\r\n\r\n$/i);
  });

  it('are left out where the client cannot have them', async () => {
    await using upstream = await startTrailing();
    await using gateway = await startTestGateway(everythingTo(upstream.url));
    expect(await exchangeRaw(gateway.port, get('1.0'))).toMatch(/^HTTP\/1\.1 200 (?:(?!trailer).)*\r\n\r\nbody$/is);
    const head = await exchangeRaw(gateway.port, get('1.1').replace('GET', 'HEAD'));
    expect(head).toMatch(/^HTTP\/1\.1 200 (?:(?!trailer).)*\r\n\r\n$/is);
  });

  it.each([
    ['reads the body', async (read: () => Promise<unknown>) => void (await read())],
    ['edits the head', () => Promise.resolve({ headers: [{ op: 'set', name: 'x-by', value: 'plugin' }] as const })],
  ])('follow also where a plugin %s', async (_, hook) => {
    const plugin = definePlugin({
      name: 'test_reader',
      version: '1.0.0',
      category: 'transformation',
      triggers: ['after_response'],
      config: v.object({}),
      setup: () => ({ response: ({ response }) => hook(() => response.readBody(1000)) }),
    });
    await using upstream = await startTrailing();
    const plugins = [{ id: 'p', name: 'test_reader', trigger: 'after_response', config: {} }];
    const resources = { ...everythingTo(upstream.url), plugins };
    await using gateway = await startTestGateway(resources, {}, {}, { plugins: [plugin] });
    expect(await exchangeRaw(gateway.port, get('1.1'))).toMatch(/\r\nbody\r\n0\r\nx-sum: 7\r\nx-more: yes\r\n\r\n$/i);
  });

  it('follow chunks that stream hooks change', async () => {
    const plugin = definePlugin({
      name: 'test_shout',
      version: '1.0.0',
      category: 'transformation',
      triggers: ['stream'],
      config: v.object({}),
      setup: () => ({
        stream: (_exchange, { bytes }) => ({ bytes: Buffer.from(Buffer.from(bytes).toString().toUpperCase()) }),
      }),
    });
    await using upstream = await startTrailing();
    const plugins = [{ id: 'p', name: 'test_shout', trigger: 'stream', config: {} }];
    const resources = { ...everythingTo(upstream.url), plugins };
    await using gateway = await startTestGateway(resources, {}, {}, { plugins: [plugin] });
    expect(await exchangeRaw(gateway.port, get('1.1'))).toMatch(/\r\nBODY\r\n0\r\nx-sum: 7\r\nx-more: yes\r\n\r\n$/i);
  });
});

describe('trailers of requests', () => {
  it('reach a service that is called in HTTP/2, without claims about the client', async () => {
    const seen: unknown[] = [];
    const server = createHttp2Server();
    server.on('stream', (stream: ServerHttp2Stream, headers) => {
      stream.on('trailers', (fields) => seen.push(headers['te'], Object.entries(fields)));
      stream.on('end', () => stream.respond({ ':status': 204 }, { endStream: true }));
      stream.resume();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    {
      await using gateway = await startTestGateway(everythingTo(`grpc://127.0.0.1:${port}`));
      const text = `POST / HTTP/1.1\r\nHost: a\r\nTE: trailers\r\nConnection: close, TE\r\nX-Said: 1\r\nTransfer-Encoding: chunked\r\n\r\n`;
      const behind =
        '2\r\nhi\r\n0\r\nX-Sum: 7\r\nx-said: 2\r\nX-Consumer-ID: evil\r\nx_real: 1\r\nAuthorization: x\r\n\r\n';
      expect(await exchangeRaw(gateway.port, text + behind)).toMatch(/^HTTP\/1\.1 204 /);
    }
    expect(seen).toEqual(['trailers', [['x-sum', '7']]]);
    server.close();
  });
});

describe('trailers of requests to a service of HTTP/1.1', () => {
  /** What a service sees of a request with its trailers. */
  const startReading = (answer = 'read') => {
    const seen: { head: object; body: string; trailers: readonly string[] }[] = [];
    return startUpstream({
      stream: (req, res) => {
        let body = '';
        req.on('data', (chunk: Buffer) => (body += chunk.toString('latin1')));
        req.on('end', () => {
          seen.push({ head: req.headers, body, trailers: req.rawTrailers });
          res.writeHead(200, { trailer: 'x-back' });
          res.addTrailers([['x-back', '8']]);
          res.end(answer);
        });
        req.on('error', () => seen.push({ head: req.headers, body, trailers: ['broken', 'off'] }));
      },
    }).then((upstream) => ({ ...upstream, seen }));
  };
  const head = (...more: readonly string[]): string =>
    ['POST /x HTTP/1.1', 'Host: a', 'Connection: close', 'Transfer-Encoding: chunked', ...more].join('\r\n') +
    '\r\n\r\n';
  const body = '2\r\nhi\r\n5\r\nthere\r\n0\r\n';
  const behind = 'X-Sum: 7\r\nX-More: 8\r\nX-Consumer-ID: evil\r\nx_real: 1\r\nAuthorization: x\r\n\r\n';

  it('pass where the client announced them, without those that mean nothing there or say who it is', async () => {
    await using upstream = await startReading();
    await using gateway = await startTestGateway(everythingTo(upstream.url));
    const announced = 'Trailer: X-Sum, authorization, X-Consumer-ID, bad name';
    const raw = await exchangeRaw(gateway.port, head(announced, 'X-Other: yes') + body + behind);
    expect(raw).toMatch(/^HTTP\/1\.1 200 /);
    expect(raw).toMatch(/\r\n4\r\nread\r\n0\r\nx-back: 8\r\n\r\n$/i);
    expect(upstream.seen).toEqual([
      {
        head: expect.objectContaining({
          trailer: 'x-sum',
          'transfer-encoding': 'chunked',
          'x-other': 'yes',
        }),
        body: 'hithere',
        trailers: ['X-Sum', '7'],
      },
    ]);
    expect(upstream.seen[0]?.head).not.toHaveProperty('content-length');
  });

  it('come from HTTP/2 too, with a body whose length was known', async () => {
    await using upstream = await startReading();
    await using gateway = await startTestGateway(everythingTo(upstream.url));
    const session = connect(gateway.url);
    const post = async (more: object): Promise<void> => {
      const fields = { ':method': 'POST', ':path': '/', 'content-length': '2', ...more };
      const stream = session.request(fields, { waitForTrailers: true });
      stream.on('wantTrailers', () => stream.sendTrailers({ 'x-sum': '7' }));
      stream.end('hi');
      expect(await text(stream)).toBe('read');
    };
    await post({ trailer: 'x-sum' });
    // Its length was told to the service before anybody knew that something would come behind it.
    await post({});
    session.close();
    expect(upstream.seen).toMatchObject([
      { body: 'hi', trailers: ['x-sum', '7'] },
      { head: { 'content-length': '2' }, body: 'hi', trailers: [] },
    ]);
  });

  it('do not pass where nobody announced them', async () => {
    await using upstream = await startReading();
    await using gateway = await startTestGateway(everythingTo(upstream.url));
    expect(await exchangeRaw(gateway.port, head() + body + behind)).toMatch(/^HTTP\/1\.1 200 /);
    expect(upstream.seen).toMatchObject([{ body: 'hithere', trailers: [] }]);
    expect(upstream.seen[0]?.head).not.toHaveProperty('trailer');
  });

  it('say nothing again that the head has, or that a plugin set, removed or gave another name', async () => {
    const names = ['X-In-Head', 'X-Set', 'X-Removed', 'X-Old', 'X-New', 'X-If-There'];
    const plugin = definePlugin({
      name: 'test_editor',
      version: '1.0.0',
      category: 'transformation',
      triggers: ['all'],
      config: v.object({}),
      setup: () => ({
        request: () => ({
          headers: [
            { op: 'set', name: 'x-set', value: 'plugin' },
            { op: 'remove', name: 'x-removed' },
            { op: 'rename', name: 'x-old', value: 'x-new' },
            { op: 'set_if_present', name: 'x-if-there', value: 'plugin' },
          ],
        }),
      }),
    });
    await using upstream = await startReading();
    const plugins = [{ id: 'p', name: 'test_editor', trigger: 'all', config: {} }];
    const resources = { ...everythingTo(upstream.url), plugins };
    await using gateway = await startTestGateway(resources, {}, {}, { plugins: [plugin] });
    const fields = [`Trailer: ${names.join(', ')}, X-Sum`, 'X-In-Head: client'];
    const lines = [...names, 'X-Sum'].map((name) => `${name}: evil\r\n`).join('');
    expect(await exchangeRaw(gateway.port, `${head(...fields)}${body}${lines}\r\n`)).toMatch(/^HTTP\/1\.1 200 /);
    expect(upstream.seen).toMatchObject([
      { head: { trailer: 'x-sum', 'x-in-head': 'client', 'x-set': 'plugin' }, trailers: ['X-Sum', 'evil'] },
    ]);
  });

  it('never end a body that breaks off', async () => {
    await using upstream = await startReading();
    await using gateway = await startTestGateway(everythingTo(upstream.url));
    const raw = openRaw(gateway.port);
    raw.socket.write(head('Trailer: X-Sum') + '2\r\nhi\r\n');
    await eventually(() => upstream.connections() === 1);
    raw.socket.destroy();
    await eventually(() => upstream.seen.length === 1);
    expect(upstream.seen).toMatchObject([{ body: 'hi', trailers: ['broken', 'off'] }]);
  });

  it('meet the failures that other requests meet', async () => {
    await using upstream = await startUpstream({ stream: (req) => void req.socket.end('nonsense\r\n\r\n') });
    await using gateway = await startTestGateway(everythingTo(upstream.url, {}, { read_timeout: 300 }));
    const send = (): Promise<string> => exchangeRaw(gateway.port, head('Trailer: X-Sum') + body + behind);
    expect(await send()).toMatch(/^HTTP\/1\.1 502 .*"upstream_malformed"/s);
    await gateway.publish(everythingTo('http://127.0.0.1:1'));
    expect(await send()).toMatch(/^HTTP\/1\.1 502 .*"upstream_connect_failed"/s);
    await using silent = await startUpstream({ stream: (req) => void req.resume() });
    await gateway.publish(everythingTo(silent.url, {}, { read_timeout: 300 }));
    expect(await send()).toMatch(/^HTTP\/1\.1 504 .*"upstream_timeout"/s);
  });

  it('wait for a service that reads nothing, and go on when it does', async () => {
    const size = 64 * 1024 * 1024;
    let whole = 0;
    let read = (): void => undefined;
    await using upstream = await startUpstream({
      stream: (req, res) => {
        read = () => {
          req.on('data', (chunk: Buffer) => (whole += chunk.length));
          req.on('end', () => res.end(req.rawTrailers.join('=')));
        };
      },
    });
    await using gateway = await startTestGateway(everythingTo(upstream.url));
    const sent = request({ port: gateway.port, host: '127.0.0.1', method: 'POST', headers: { trailer: 'x-sum' } });
    const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
    sent.write(Buffer.alloc(size));
    sent.addTrailers([['x-sum', '7']]);
    sent.end();
    await eventually(() => upstream.connections() === 1);
    await delay(200);
    // Buffers of sockets have some of it; the gateway does not ask for the rest.
    expect(sent.writableFinished).toBe(false);
    read();
    const [answer] = await answered;
    expect([await text(answer), whole]).toEqual(['x-sum=7', size]);
  });

  it('go where a plugin sends the request', async () => {
    await using upstream = await startReading();
    const plugins = [
      { id: 'p', name: 'forward_proxy', trigger: 'before_request', config: { forward_url: upstream.url } },
    ];
    const resources = { ...everythingTo('http://127.0.0.1:1'), plugins };
    await using gateway = await startTestGateway(resources, { PORTCULLIS_ALLOW_PRIVATE_ADDRESSES: '127.0.0.0/8' });
    expect(await exchangeRaw(gateway.port, head('Trailer: X-Sum') + body + behind)).toMatch(/^HTTP\/1\.1 200 /);
    expect(upstream.seen).toMatchObject([{ body: 'hithere', trailers: ['X-Sum', '7'] }]);
  });
});

describe('trailers of HTTP/2', () => {
  it('come from a service of HTTP/1.1', async () => {
    await using upstream = await startTrailing();
    await using gateway = await startTestGateway(everythingTo(upstream.url));
    const session = connect(gateway.url);
    const stream = session.request({ ':path': '/', te: 'trailers' });
    const trailers = once(stream, 'trailers') as Promise<[Record<string, unknown>]>;
    stream.resume();
    const [fields] = await trailers;
    expect(Object.entries(fields)).toEqual([
      ['x-sum', '7'],
      ['x-more', 'yes'],
    ]);
    session.close();
  });
});

it('trailers that may all pass are the same list, and what cannot be sent is left out', () => {
  const all = ['grpc-status', '0', 'grpc-message', ''];
  expect(passableTrailers(all)).toBe(all);
  expect(passableTrailers(['x', 'a\nb', 'y z', '1', 'Content-Length', '3', 'Z', 'ok'])).toEqual(['Z', 'ok']);
});
