import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { eventually } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import type { BodySource } from './body-source.ts';
import { Http1ClientConnection, keepAliveMs } from './http1-client-connection.ts';
import { recordedClientOf, send, startRawUpstream, type Sent } from './http1-client.test-support.ts';

const answer = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n';

/** More than sockets take for one that does not read. */
const bytes = new Uint8Array(16 * 1024 * 1024);

/** All of it at once, whether there is room or not. */
const hasty: BodySource = {
  length: bytes.length,
  trailers: [],
  read: (sink) => {
    sink.onChunk(bytes);
    sink.onEnd();
  },
  pause: () => undefined,
  resume: () => undefined,
};

describe('a connection whose upstream answers and never reads', () => {
  it.each<[string, Uint8Array | BodySource]>([
    ['in memory', bytes],
    ['that streams', hasty],
  ])('is closed after a body %s: its bytes would stay for ever', async (_name, body) => {
    await using upstream = await startRawUpstream((socket) => void socket.pause().write(answer));
    const { client, sockets } = recordedClientOf(upstream);
    const { heard } = send(client, { method: 'PUT', body });
    await eventually(() => heard.end !== '');
    expect(heard.end).toBe('whole');
    await eventually(() => sockets.length === 1 && sockets[0]?.destroyed === true);
    client.close();
  });
});

describe('a connection without a request', () => {
  const nobody = { onFree: () => undefined, onGone: () => undefined };

  it('does not stay longer than others when it never had one', async () => {
    await using upstream = await startRawUpstream(() => undefined);
    const socket = connect(upstream.port, '127.0.0.1');
    await once(socket, 'connect');
    const connection = new Http1ClientConnection(socket, nobody);
    expect(connection.deadlineMs).toBeLessThanOrEqual(performance.now() + keepAliveMs);
    connection.expire();
    await eventually(() => upstream.sockets.size === 0);
  });

  it.each<[string, (socket: Socket) => void]>([
    ['broke', (socket) => socket.destroy(new Error('broke'))],
    ['was ended', (socket) => socket.end()],
  ])('is not used any more from the moment it %s', async (_name, end) => {
    await using upstream = await startRawUpstream((socket) => socket.on('data', () => socket.write(answer)));
    const { client, sockets } = recordedClientOf(upstream);
    const first = send(client);
    await eventually(() => first.heard.end === 'whole');
    const [socket] = sockets;
    if (socket === undefined) throw new Error('no connection was made');
    end(socket);
    const second = send(client);
    await eventually(() => second.heard.end !== '');
    expect(second.heard.end).toBe('whole');
    expect(sockets.length).toBe(2);
    client.close();
  });

  it('is not used any more while its error is told', async () => {
    await using upstream = await startRawUpstream((socket) => socket.on('data', () => socket.write(answer)));
    const { client, sockets } = recordedClientOf(upstream);
    const first = send(client);
    await eventually(() => first.heard.end === 'whole');
    const [socket] = sockets;
    if (socket === undefined) throw new Error('no connection was made');
    const second = Promise.withResolvers<Sent>();
    socket.once('error', () => second.resolve(send(client)));
    socket.destroy(new Error('broke'));
    const { heard } = await second.promise;
    await eventually(() => heard.end !== '');
    expect(heard.end).toBe('whole');
    client.close();
  });
});
