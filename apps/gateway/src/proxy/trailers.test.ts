import { connect, createServer as createHttp2Server, type ServerHttp2Stream } from 'node:http2';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { definePlugin } from '@portcullis/plugin-runtime';
import { startUpstream } from '@portcullis/testkit';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { everythingTo, exchangeRaw, startTestGateway } from '../testing/test-gateway.test-support.ts';
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
      const text = `POST / HTTP/1.1\r\nHost: a\r\nTE: trailers\r\nConnection: close, TE\r\nTransfer-Encoding: chunked\r\n\r\n`;
      const behind = '2\r\nhi\r\n0\r\nX-Sum: 7\r\nX-Consumer-ID: evil\r\nx_real: 1\r\nAuthorization: x\r\n\r\n';
      expect(await exchangeRaw(gateway.port, text + behind)).toMatch(/^HTTP\/1\.1 204 /);
    }
    expect(seen).toEqual(['trailers', [['x-sum', '7']]]);
    server.close();
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
