import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { definePlugin, destinationOf } from '@portcullis/plugin-runtime';
import { eventually, temporaryFolder } from '@portcullis/testkit';
import { pino } from 'pino';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { startGateway } from '../gateway.ts';
import { FakeControlPlane } from '../testing/fake-control-plane.test-support.ts';
import { everythingTo, settingsOf, startTestGateway } from '../testing/test-gateway.test-support.ts';
import { ask, openWebSocket, startSocketUpstream } from './websocket.test-support.ts';

const handshake =
  'GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n';
const switching = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';

/** A server that switches protocols and gives its connections to the test. */
async function startSwitching() {
  const sockets: Socket[] = [];
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => undefined); // Tests end connections in every way.
    socket.once('data', () => {
      socket.pause(); // What comes next is the test's.
      socket.write(switching);
      sockets.push(socket);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sockets,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A client whose connection has been switched. */
async function openSwitched(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => undefined);
  socket.write(handshake);
  const [head] = (await once(socket, 'data')) as [Buffer];
  expect(String(head)).toMatch(/^HTTP\/1\.1 101 /);
  return socket;
}

/** Writes until the other side takes no more. @returns how many bytes that were */
async function fill(socket: Socket): Promise<number> {
  const chunk = Buffer.alloc(256 * 1024);
  const most = 256;
  let before = -1;
  for (let turn = 0; turn < most && socket.bytesWritten - socket.writableLength !== before; turn += 1) {
    before = socket.bytesWritten - socket.writableLength;
    socket.write(chunk);
    await eventually(() => socket.writableLength === 0, { timeoutMs: 1000 }).catch(() => undefined);
  }
  return socket.bytesWritten - socket.writableLength;
}

describe('a connection that speaks another protocol', () => {
  it('carries what the client sent before it had the answer', async () => {
    await using upstream = await startSwitching();
    await using gateway = await startTestGateway(everythingTo(upstream.url));
    const client = connect(gateway.port, '127.0.0.1');
    client.write(`${handshake}early`);
    const server = await eventually(() => upstream.sockets[0]);
    const early = once(server, 'data') as Promise<[Buffer]>;
    server.resume();
    expect(String((await early)[0])).toBe('early');
    client.destroy();
    server.destroy();
  });

  it.each(['client', 'server'] as const)(
    'holds little where the %s does not read',
    { timeout: 60_000 },
    async (slow) => {
      await using upstream = await startSwitching();
      await using gateway = await startTestGateway(everythingTo(upstream.url));
      const client = await openSwitched(gateway.port);
      const server = await eventually(() => upstream.sockets[0]);
      const [reader, writer] = slow === 'client' ? [client, server] : [server, client];
      reader.pause();
      const sent = await fill(writer);
      expect(sent).toBeLessThan(32 * 1024 * 1024);
      let taken = 0;
      reader.on('data', (chunk: Buffer) => (taken += chunk.length));
      reader.resume();
      await eventually(() => taken >= sent, { timeoutMs: 30_000 });
      client.destroy();
      server.destroy();
    },
  );

  it.each(['client', 'server'] as const)('goes on one way when the %s has said all', async (first) => {
    await using upstream = await startSwitching();
    await using gateway = await startTestGateway(everythingTo(upstream.url));
    const client = await openSwitched(gateway.port);
    const server = await eventually(() => upstream.sockets[0]);
    const [one, other] = first === 'client' ? [client, server] : [server, client];
    other.resume();
    one.end('all');
    await once(other, 'end');
    const rest = once(one, 'data') as Promise<[Buffer]>;
    const closed = once(one, 'close');
    one.resume();
    other.end('the rest');
    expect(String((await rest)[0])).toBe('the rest');
    await closed;
    await eventually(() => gateway.controlPlane.countedRequests() === 1, { timeoutMs: 30_000 });
  });

  it.each(['client', 'server'] as const)('ends for both when the %s is gone', async (first) => {
    await using upstream = await startSwitching();
    await using gateway = await startTestGateway(everythingTo(upstream.url));
    const client = await openSwitched(gateway.port);
    const server = await eventually(() => upstream.sockets[0]);
    client.resume();
    server.resume();
    const [one, other] = first === 'client' ? [client, server] : [server, client];
    one.resetAndDestroy();
    // The other side may keep its half: what it does with an end is its own.
    await Promise.race([once(other, 'end'), once(other, 'close')]);
    other.destroy();
    await eventually(() => gateway.controlPlane.countedRequests() === 1, { timeoutMs: 30_000 });
    expect(gateway.controlPlane.countedRequests()).toBe(1);
  });

  it("ends when nothing came for the route's read time-out, and not while something does", async () => {
    await using upstream = await startSwitching();
    await using gateway = await startTestGateway(everythingTo(upstream.url, { timeout_ms: { read: 2500 } }));
    const client = await openSwitched(gateway.port);
    const server = await eventually(() => upstream.sockets[0]);
    server.on('data', (chunk: Buffer) => server.write(chunk));
    server.resume();
    for (let turn = 0; turn < 5; turn += 1) {
      client.write('x');
      await once(client, 'data');
    }
    await once(client, 'end');
    const batch = await eventually(() => gateway.controlPlane.batches.find(({ records }) => records.length > 0), {
      timeoutMs: 30_000,
    });
    expect(batch.records[0]).toMatchObject({ status: 101, request_bytes: 5, response_bytes: 5 });
  });

  it('is given the whole time of a stop, then cut', { timeout: 60_000 }, async () => {
    await using upstream = await startSocketUpstream();
    await using controlPlane = new FakeControlPlane();
    await using folder = await temporaryFolder();
    await controlPlane.listen();
    controlPlane.publish(everythingTo(upstream.url));
    const lines: string[] = [];
    const settings = settingsOf(controlPlane.url, folder, { PORTCULLIS_DRAIN_SECONDS: '2' });
    const gateway = await startGateway(settings, pino({}, { write: (line) => void lines.push(line) }));
    await eventually(() => controlPlane.acks.length > 0, { timeoutMs: 20_000 });
    const socket = await openWebSocket(`http://127.0.0.1:${gateway.proxyPort}`);
    const stopped = gateway.stop();
    expect(await ask(socket, 'still here')).toBe('still here');
    const closed = once(socket, 'close') as Promise<[number]>;
    await stopped;
    expect((await closed)[0]).toBe(1006);
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ msg: 'stopped', requests_cut: 1 });
  });
});

it('a WebSocket goes where a plugin sends it', async () => {
  const plugin = definePlugin({
    name: 'test_mover',
    version: '1.0.0',
    category: 'traffic',
    triggers: ['before_request'],
    config: v.object({ origin: v.string() }),
    setup: ({ origin }) => ({ request: () => ({ destination: destinationOf(origin) }) }),
  });
  await using service = await startSocketUpstream();
  await using elsewhere = await startSocketUpstream();
  const plugins = [{ id: 'p', name: 'test_mover', trigger: 'before_request', config: { origin: elsewhere.url } }];
  const env = { PORTCULLIS_ALLOW_PRIVATE_ADDRESSES: '127.0.0.0/8' };
  const resources = { ...everythingTo(service.url), plugins };
  await using gateway = await startTestGateway(resources, env, {}, { plugins: [plugin] });
  const socket = await openWebSocket(gateway.url);
  expect(await ask(socket, 'moved')).toBe('moved');
  expect([service.requests.length, elsewhere.requests.length]).toEqual([0, 1]);
  socket.terminate();
});
