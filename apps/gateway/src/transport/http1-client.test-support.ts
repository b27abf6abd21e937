import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import type { EgressConnector } from '@portcullis/egress';
import { AddressGuard } from './address-guard.ts';
import { Http1Client } from './http1-client.ts';
import type { UpstreamCall, UpstreamRequest } from './upstream-transport.ts';

const guard = new AddressGuard({ host: '192.0.2.1', port: 1 });
const limits = { connectionsPerTargetMax: 2, waitingPerTargetMax: 3 };

/** An upstream that is a socket, and does what no server would. */
export interface RawUpstream extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** Connections that it has now. */
  readonly sockets: ReadonlySet<Socket>;
}

/** Starts it. @param onConnection its connections are closed with it */
export async function startRawUpstream(onConnection: (socket: Socket) => void): Promise<RawUpstream> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    onConnection(socket);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    sockets,
    [Symbol.asyncDispose]: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}

/** A client for two requests at a time. */
export function clientOf({ port }: RawUpstream): Http1Client {
  return new Http1Client({ protocol: 'http', host: '127.0.0.1', port, connectTimeoutMs: 10_000 }, guard, limits);
}

/** A client's sockets as they are made. */
export function recordedClientOf({ port }: RawUpstream): { readonly client: Http1Client; readonly sockets: Socket[] } {
  const sockets: Socket[] = [];
  const way: EgressConnector = (_target, callback) => {
    const socket = connect(port, '127.0.0.1', () => callback(null, socket));
    socket.on('error', () => undefined);
    sockets.push(socket);
  };
  const address = { protocol: 'http', host: '127.0.0.1', port, connectTimeoutMs: 10_000 } as const;
  return { client: new Http1Client(address, way, limits), sockets };
}

/** A request under way, and what was heard of it. */
export interface Sent {
  readonly call: UpstreamCall;
  /** Status, the body so far, and how it ended. */
  readonly heard: { status: number; body: string; end: string };
}

/** Sends a request. @param hold when its reader stops it */
export function send(
  client: Http1Client,
  more: Partial<UpstreamRequest> = {},
  hold: 'at the head' | 'in the body' | 'never' = 'never',
): Sent {
  const heard = { status: 0, body: '', end: '' };
  const times = { readTimeoutMs: 10_000, writeTimeoutMs: 10_000 };
  const request = { method: 'GET', path: '/', headers: ['host', 'a'], body: undefined, ...times, ...more };
  const call = client.send(request, {
    onResponse: (status) => {
      heard.status = status;
      if (hold === 'at the head') call.pause();
    },
    onChunk: (chunk) => {
      heard.body += Buffer.from(chunk).toString('latin1');
      if (hold === 'in the body') call.pause();
    },
    onEnd: () => void (heard.end = 'whole'),
    onFailure: ({ code }) => void (heard.end = code),
  });
  return { call, heard };
}
