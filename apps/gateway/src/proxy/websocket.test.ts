import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { definePlugin } from '@portcullis/plugin-runtime';
import { eventually, freePort, startUpstream } from '@portcullis/testkit';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { everythingTo, exchangeRaw, startTestGateway } from '../testing/test-gateway.test-support.ts';
import { ask, openWebSocket, refusedUpgrade, startSocketUpstream } from './websocket.test-support.ts';

const handshake =
  'Host: a\r\nConnection: keep-alive, Upgrade\r\nUpgrade: WebSocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n';

describe('a WebSocket', () => {
  it('goes through the gateway, with its subprotocol, and ends with its code', async () => {
    await using upstream = await startSocketUpstream({ protocols: ['chat.v2'] });
    await using gateway = await startTestGateway(everythingTo(upstream.url, { paths: ['/ws'] }));
    const socket = await openWebSocket(`${gateway.url}/ws/room?q=1`, {}, ['chat.v1', 'chat.v2']);
    expect(socket.protocol).toBe('chat.v2');
    expect(await ask(socket, 'hello')).toBe('hello');
    expect(await ask(socket, 'x'.repeat(1_000_000))).toHaveLength(1_000_000);
    const [request] = upstream.requests;
    expect(request?.url).toBe('/room?q=1');
    expect(request?.headers).toMatchObject({
      host: new URL(upstream.url).host,
      connection: 'upgrade',
      upgrade: 'websocket',
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-proto': 'http',
    });
    const [served] = upstream.sockets;
    served?.close(4001, 'enough');
    const [code, reason] = (await once(socket, 'close')) as [number, Buffer];
    expect([code, String(reason)]).toEqual([4001, 'enough']);
  });

  it('is one request in the figures: its status is 101, its bytes are those of both directions', async () => {
    await using upstream = await startSocketUpstream();
    await using gateway = await startTestGateway(everythingTo(upstream.url));
    const socket = await openWebSocket(gateway.url);
    await ask(socket, 'x'.repeat(10_000));
    expect(gateway.controlPlane.countedRequests()).toBe(0);
    socket.close();
    await once(socket, 'close');
    await eventually(() => gateway.controlPlane.batches.some(({ records }) => records.length > 0), {
      timeoutMs: 30_000,
    });
    const [seen] = gateway.controlPlane.batches.flatMap(({ records }) => records);
    expect(seen).toMatchObject({ status: 101, status_source: 'upstream', method: 'GET' });
    expect(seen?.request_bytes).toBeGreaterThan(10_000);
    expect(seen?.response_bytes).toBeGreaterThan(10_000);
    expect(seen?.response_bytes).toBeLessThan(10_200);
  });

  it('is asked of the next target where one cannot be reached', async () => {
    await using upstream = await startSocketUpstream();
    const dead = await freePort();
    await using gateway = await startTestGateway({
      upstreams: [{ id: 'u', name: 'u' }],
      targets: [`127.0.0.1:${dead}`, `127.0.0.1:${upstream.port}`].map((name, at) => ({
        id: `t${at}`,
        upstream_id: 'u',
        name,
      })),
      services: [{ id: 's', name: 's', upstream_id: 'u' }],
      routes: [{ id: 'r', name: 'r', service_id: 's', paths: ['/'] }],
    });
    for (let turn = 0; turn < 4; turn += 1) {
      const socket = await openWebSocket(gateway.url);
      expect(await ask(socket, `${turn}`)).toBe(`${turn}`);
      socket.terminate();
    }
  });

  it('is refused with whatever the upstream answers in place of 101', async () => {
    await using upstream = await startUpstream((_req, res) => {
      res.writeHead(403, { 'x-why': 'origin' });
      res.end('not you');
    });
    await using gateway = await startTestGateway(everythingTo(upstream.url));
    const { status, headers, body } = await refusedUpgrade(gateway.url);
    expect([status, headers['x-why'], headers.connection, body]).toEqual([403, 'origin', 'close', 'not you']);
  });

  it.each([
    ['HTTP/1.0', `GET / HTTP/1.0\r\n${handshake}`],
    ['another method', `POST / HTTP/1.1\r\n${handshake}`],
    ['a body', `GET / HTTP/1.1\r\nContent-Length: 2\r\n${handshake}hi`],
    ['a coded body', `GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n${handshake}0\r\n\r\n`],
  ])('is refused with %s', async (_, text) => {
    await using upstream = await startSocketUpstream();
    await using gateway = await startTestGateway(everythingTo(upstream.url));
    const raw = await exchangeRaw(gateway.port, text);
    expect(raw).toMatch(/^HTTP\/1\.[01] 400 .*"an upgrade to websocket is a GET of HTTP\/1\.1 without a body/s);
    expect(upstream.requests).toEqual([]);
  });

  it('is refused behind a request that is still answered', async () => {
    let finish = (): void => undefined;
    await using upstream = await startUpstream((_req, res) => {
      finish = () => res.end('first');
    });
    await using gateway = await startTestGateway(everythingTo(upstream.url));
    const both = `GET /first HTTP/1.1\r\nHost: a\r\n\r\nGET /ws HTTP/1.1\r\n${handshake}`;
    const answers = exchangeRaw(gateway.port, both);
    await eventually(() => upstream.requests.length === 1);
    finish();
    const raw = await answers;
    expect(raw).toContain('first');
    expect(raw).toMatch(/HTTP\/1\.1 400 .*not pipelined/s);
  });

  it('is no other protocol', async () => {
    await using upstream = await startUpstream();
    await using gateway = await startTestGateway(everythingTo(upstream.url));
    const raw = await exchangeRaw(
      gateway.port,
      'GET / HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n',
    );
    expect(raw).toMatch(/^HTTP\/1\.1 501 .*and to no other protocol/s);
    expect(upstream.requests).toEqual([]);
  });

  it.each([
    ['another protocol', 'Upgrade: chat\r\n'],
    ['none', ''],
  ])('is refused with 502 where the upstream switches to %s', async (_, field) => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.write(`HTTP/1.1 101 Switching\r\nConnection: upgrade\r\n${field}\r\n`));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await using gateway = await startTestGateway(everythingTo(`http://127.0.0.1:${port}`, {}, { retries: 0 }));
    expect((await refusedUpgrade(gateway.url)).status).toBe(502);
    server.close();
    await once(server, 'close');
  });
});

describe('a WebSocket on a route with plugins', () => {
  it('opens for clients that are let in, and for no others', async () => {
    await using upstream = await startSocketUpstream();
    const plugins = [{ id: 'k', name: 'api_key_auth', trigger: 'all', config: { valid_keys: ['open-sesame'] } }];
    await using gateway = await startTestGateway({ ...everythingTo(upstream.url), plugins });
    expect((await refusedUpgrade(gateway.url)).status).toBe(401);
    expect(upstream.requests).toEqual([]);
    const socket = await openWebSocket(gateway.url, { headers: { 'x-api-key': 'open-sesame' } });
    expect(await ask(socket, 'in')).toBe('in');
    socket.terminate();
  });

  it('shows its 101 to response hooks, which edit its fields or answer something else', async () => {
    const seen: number[] = [];
    const plugin = definePlugin({
      name: 'test_judge',
      version: '1.0.0',
      category: 'enforcement',
      triggers: ['after_response'],
      config: v.object({}),
      setup: () => ({
        async response({ request, response }) {
          seen.push(response.status);
          await Promise.resolve();
          expect(await response.readBody(10)).toHaveLength(0);
          if (request.path === '/no') return { status: 451, body: 'not here' };
          return { headers: [{ op: 'set', name: 'x-judged', value: 'yes' }] };
        },
      }),
    });
    await using upstream = await startSocketUpstream();
    const plugins = [{ id: 'p', name: 'test_judge', trigger: 'after_response', config: {} }];
    const resources = { ...everythingTo(upstream.url), plugins };
    await using gateway = await startTestGateway(resources, {}, {}, { plugins: [plugin] });
    const refused = await refusedUpgrade(`${gateway.url}/no`);
    expect([refused.status, refused.body]).toEqual([451, 'not here']);
    await eventually(() => upstream.sockets.size === 0);
    const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}/yes`);
    const [[answer]] = (await Promise.all([once(socket, 'upgrade'), once(socket, 'open')])) as [[IncomingMessage], []];
    expect([seen, answer.headers['x-judged']]).toEqual([[101, 101], 'yes']);
    expect(await ask(socket, 'hook')).toBe('hook');
    socket.terminate();
  });
});
