import { once } from 'node:events';
import { get, createServer, type IncomingMessage, type Server as HttpServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { credentials, Metadata, status } from '@grpc/grpc-js';
import { eventually } from '@portcullis/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { bidi, collected, echo, startGrpcServer, unaryOf, type GrpcServer } from './support/grpc-echo.ts';
import { residentMb, startProtocolStack, type GatewayNode, type ProtocolStack } from './support/protocol-stack.ts';

const key = 'a-key-of-some-length';
const keyed = { headers: { 'x-api-key': key } };

/** More than what all buffers between two sockets hold, on every system. */
const manyBytes = 64 * 1024 * 1024;
/** What a gateway may grow by while clients read nothing of it: much less than what services would send. */
const growthMb = 96;

describe('HTTP/2, gRPC, WebSocket and events of a real gateway, through plugins', () => {
  let protocols: ProtocolStack;
  let node: GatewayNode;
  let grpc: GrpcServer;
  let service: HttpServer;
  let sockets: WebSocketServer;
  /** Answers of `/events`, to write to. */
  const streams: ServerResponse[] = [];
  /** Bytes that the service got rid of on its sockets and streams that nobody reads. */
  let written = 0;

  beforeAll(async () => {
    [protocols, grpc] = await Promise.all([startProtocolStack(), startGrpcServer()]);
    service = createServer((req, res) => serve(req, res));
    sockets = new WebSocketServer({ server: service, perMessageDeflate: false });
    sockets.on('connection', (socket, { url }) => {
      if (url?.endsWith('/flood')) flood(socket);
      else socket.on('message', (data, binary) => socket.send(data, { binary }));
    });
    await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
    const { create, certify, present } = protocols;
    await present(certify(['grpc.test', 'localhost']), ['grpc.test', 'localhost']);
    await create('services', { name: 'calls', url: `grpc://127.0.0.1:${grpc.port}` });
    await create('services', { name: 'plain', url: `http://127.0.0.1:${(service.address() as AddressInfo).port}` });
    const auth = { name: 'api_key_auth', config: { valid_keys: [key] } };
    const limiter = { name: 'rate_limiter', config: { limit: 1000, window_seconds: 60 } };
    const stamp = { name: 'response_header_setter', trigger: 'after_response', config: { set: { 'x-by': 'edge' } } };
    const plugins = [auth, limiter, stamp];
    await create('routes', {
      name: 'calls',
      path: '/e2e.Echo',
      strip_path: false,
      protocols: ['grpc', 'grpcs'],
      service_name: 'calls',
      plugins,
    });
    await create('routes', {
      name: 'sockets',
      path: '/sockets',
      protocols: ['ws', 'wss'],
      service_name: 'plain',
      plugins,
    });
    await create('routes', { name: 'events', path: '/events', strip_path: false, service_name: 'plain', plugins });
    node = await protocols.startNode();
  });

  afterAll(async () => {
    for (const socket of sockets.clients) socket.terminate();
    sockets.close();
    service.close().closeAllConnections();
    await grpc[Symbol.asyncDispose]();
    await protocols[Symbol.asyncDispose]();
  });

  function serve(req: IncomingMessage, res: ServerResponse): void {
    res.writeHead(200, { 'content-type': 'text/event-stream' });
    res.flushHeaders();
    if (req.url?.endsWith('/flood')) pour(res);
    else streams.push(res);
  }

  /** Writes as much as is taken. */
  function pour(res: ServerResponse): void {
    const event = `data: ${'x'.repeat(64 * 1024)}\n\n`;
    const go = (): void => {
      while (!res.destroyed) {
        written += event.length;
        if (!res.write(event)) return;
      }
    };
    res.on('drain', go);
    go();
  }

  /** Sends messages as long as they get out. */
  function flood(socket: WebSocket): void {
    const message = Buffer.alloc(64 * 1024);
    const go = (): void => {
      if (socket.readyState !== WebSocket.OPEN) return;
      written += message.length;
      socket.send(message, () => go());
    };
    go();
  }

  const metadata = (values: Readonly<Record<string, string>> = { 'x-api-key': key }): Metadata => {
    const made = new Metadata();
    for (const [name, value] of Object.entries(values)) made.set(name, value);
    return made;
  };

  describe.each([
    ['in cleartext', () => ({ address: `127.0.0.1:${node.port}`, credentials: credentials.createInsecure() })],
    [
      'over TLS',
      () => ({
        address: `localhost:${node.tlsPort}`,
        credentials: credentials.createSsl(Buffer.from(protocols.authority.pem)),
      }),
    ],
  ])('gRPC %s', (_, place) => {
    it('carries unary calls with heads and trailers, and their errors', async () => {
      using client = echo(place());
      const answered = await unaryOf(client, 'hello', metadata({ 'x-api-key': key, 'x-sent': '7' }));
      expect(answered).toMatchObject({ message: 'hello', code: status.OK, head: { 'x-head': '7', 'x-by': 'edge' } });
      expect(answered.trailers).toMatchObject({ 'x-trailer': 'behind' });
      const failed = await unaryOf(client, 'fail', metadata());
      expect(failed).toMatchObject({ code: status.FAILED_PRECONDITION, details: 'no: ünfit' });
      expect(failed.trailers).toMatchObject({ 'x-trailer': 'behind' });
      expect(await unaryOf(client, 'hello', new Metadata())).toMatchObject({ code: status.UNAUTHENTICATED });
    });

    it('streams from the client, from the server, and both ways at once', async () => {
      using client = echo(place());
      expect(await collected(client, ['one', 'two', 'three'], metadata())).toBe('11');
      const counted: string[] = [];
      const counting = client.count(Buffer.from('50'), metadata());
      counting.on('data', (message: Buffer) => counted.push(message.toString()));
      await once(counting, 'end');
      expect(counted).toEqual(Array.from({ length: 50 }, (__, at) => `${at}`));
      // Each message is answered before the next one is sent.
      expect(await bidi(client, ['a', 'b', 'c'], metadata())).toEqual(['> a', '> b', '> c']);
    });

    it('ends a call at its deadline, and the service hears of it', async () => {
      using client = echo(place());
      const before = grpc.cancelled();
      const late = await unaryOf(client, 'never', metadata(), { deadline: Date.now() + 500 });
      expect(late.code).toBe(status.DEADLINE_EXCEEDED);
      await eventually(() => grpc.cancelled() > before);
    });
  });

  it.each([
    ['ws', () => [`ws://127.0.0.1:${node.port}`, {}] as const],
    ['wss', () => [`wss://localhost:${node.tlsPort}`, { ca: protocols.authority.pem }] as const],
  ])('a WebSocket of %s goes through plugins, which let no other in', async (_, place) => {
    const [url, options] = place();
    const refused = new WebSocket(`${url}/sockets/echo`, options);
    refused.on('error', () => undefined);
    const [, answer] = (await once(refused, 'unexpected-response')) as [unknown, IncomingMessage];
    expect(answer.statusCode).toBe(401);
    answer.destroy();
    const socket = new WebSocket(`${url}/sockets/echo`, { ...options, ...keyed });
    const upgraded = once(socket, 'upgrade') as Promise<[IncomingMessage]>;
    await once(socket, 'open');
    const [{ headers }] = await upgraded;
    expect(headers).toMatchObject({ 'x-by': 'edge' });
    for (const sent of ['text', Buffer.from([0, 1, 2]), 'x'.repeat(300_000)]) {
      socket.send(sent);
      const [data, isBinary] = (await once(socket, 'message')) as [Buffer, boolean];
      expect([isBinary ? data : data.toString(), isBinary]).toEqual([sent, typeof sent !== 'string']);
    }
    socket.close(4000, 'done');
    expect(await once(socket, 'close')).toEqual([4000, Buffer.from('done')]);
  });

  it('events come one by one, as they are sent', async () => {
    const answer = await fetch(`${node.url}/events/one`, keyed);
    expect([answer.status, answer.headers.get('x-by')]).toEqual([200, 'edge']);
    const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
    const stream = await eventually(() => streams.at(-1));
    for (const event of ['data: 1\n\n', 'data: 2\n\n', 'data: 3\n\n']) {
      stream.write(event);
      expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe(event);
    }
    const closed = once(stream, 'close');
    await reader.cancel();
    await closed;
    expect((await fetch(`${node.url}/events/one`)).status).toBe(401);
  });

  /** Waits until nothing gets rid of bytes any more. @returns how many it were */
  async function stalled(): Promise<number> {
    let before = -1;
    await eventually(
      () => {
        const isStill = written === before;
        before = written;
        return isStill;
      },
      { timeoutMs: 30_000, intervalMs: 500 },
    );
    return written;
  }

  it.each(['sockets', 'events'] as const)(
    'what clients do not read of %s is held back at its service, and takes no memory of the gateway',
    { timeout: 60_000 },
    async (kind) => {
      const clients = 16;
      written = 0;
      const before = await residentMb(node.process.pid);
      const ends = await Promise.all(Array.from({ length: clients }, () => readNothing(kind)));
      const held = await stalled();
      // Buffers of the kernel's are filled on both sides of the gateway, and then nothing moves.
      expect(held).toBeLessThan(clients * manyBytes);
      expect((await residentMb(node.process.pid)) - before).toBeLessThan(growthMb);
      // Nothing is lost: who reads again gets more.
      ends[0]?.read();
      await eventually(() => written > held + 2 * 64 * 1024);
      for (const end of ends) end.leave();
      await eventually(async () => (await node.metric('gateway_http_requests_in_flight')) === 0);
    },
  );

  /** A client that opens a flood and reads nothing of it. */
  async function readNothing(kind: 'sockets' | 'events'): Promise<{ read(): void; leave(): void }> {
    if (kind === 'sockets') {
      const socket = new WebSocket(`ws://127.0.0.1:${node.port}/sockets/flood`, keyed);
      socket.on('error', () => undefined);
      await once(socket, 'open');
      socket.pause();
      return { read: () => socket.resume(), leave: () => socket.terminate() };
    }
    const sent = get(`${node.url}/events/flood`, { ...keyed, agent: false });
    sent.on('error', () => undefined);
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    answer.on('error', () => undefined);
    return { read: () => answer.resume(), leave: () => sent.destroy() };
  }
});
