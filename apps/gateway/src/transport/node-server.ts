import { createServer, STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { DeadlineWatch } from '@portcullis/egress';
import { ConnectionLine } from './connection-line.ts';
import { NodeServerCall } from './node-server-call.ts';
import type { ServerState } from './server-state.ts';
import type { CallHandler, ServerTransport } from './server-transport.ts';
import { SlowBodyWatch } from './slow-body-watch.ts';
import { readerWindowMs } from './slow-reader.ts';
import { openSockets, stopServer } from './stop-server.ts';

/** Bounds of the server side. Source: security rules, Slowloris; decisions, 25. */
export const serverLimits = {
  checkIntervalMs: 2000,
  headerBytesMax: 32 * 1024,
  headersMax: 100,
  connectionsMax: 16_384,
  requestsPerConnectionMax: 10_000,
  keepAliveMs: 65_000,
  backlog: 4096,
} as const;

/** Times of the server side, in milliseconds; shortened by tests. */
export interface ServerTimes {
  /** How long headers may take. */
  readonly headersTimeoutMs: number;
  /** How long a client may take next to nothing of its answer. */
  readonly readerWindowMs: number;
  /** How long a stopping server waits for requests on idle connections. */
  readonly idleGraceMs: number;
}

const serverTimes: ServerTimes = {
  headersTimeoutMs: 10_000,
  readerWindowMs,
  idleGraceMs: 1000,
};

/** How late the end of a drain's time may be noticed. */
const drainSweepMs = 100;

/** Bytes that are no request. */
export interface Malformed {
  readonly status: number;
  readonly detail: string;
  readonly peerAddress: string;
  /** Whether they belong to a request that was handed over already: its body went wrong. */
  readonly underway: boolean;
}

/** Takes note of bytes that are no request, and makes headers and body of the answer. */
export type MalformedAnswer = (malformed: Malformed) => { headers: readonly string[]; body: string };

/** Where and how to listen. */
export interface ListenOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly handler: CallHandler;
  readonly malformedAnswer: MalformedAnswer;
  readonly times?: Partial<ServerTimes> | undefined;
}

/**
 * A server on `node:http`. Framing errors (both lengths, duplicate lengths, bad chunks, oversized headers) are refused by
 * its strict parser and close the connection.
 * @throws the system's error (`EADDRINUSE`, `EACCES`, …) when it cannot listen
 */
export async function listenNode(options: ListenOptions): Promise<ServerTransport> {
  const times = { ...serverTimes, ...options.times };
  const state: ServerState = {
    handler: options.handler,
    slowSenders: new SlowBodyWatch(),
    slowReaders: new SlowBodyWatch(times.readerWindowMs),
    drains: new DeadlineWatch(drainSweepMs),
    stopping: false,
    destroyed: false,
  };
  const serve = (request: IncomingMessage, response: ServerResponse, expectsContinue: boolean): void => {
    new NodeServerCall(request, response, state, expectsContinue).enter();
  };
  const server = createServer({
    insecureHTTPParser: false,
    requireHostHeader: false, // Checked by the proxy, which answers in the form of its other errors.
    maxHeaderSize: serverLimits.headerBytesMax,
    headersTimeout: times.headersTimeoutMs,
    requestTimeout: 0,
    connectionsCheckingInterval: Math.min(serverLimits.checkIntervalMs, times.headersTimeoutMs),
    keepAliveTimeout: serverLimits.keepAliveMs,
    noDelay: true,
  });
  server.maxHeadersCount = serverLimits.headersMax;
  server.maxConnections = serverLimits.connectionsMax;
  server.maxRequestsPerSocket = serverLimits.requestsPerConnectionMax;
  server.on('request', (request, response) => serve(request, response, false));
  server.on('checkContinue', (request, response) => serve(request, response, true));
  // What is expected is the handler's to judge.
  server.on('checkExpectation', (request, response) => serve(request, response, false));
  server.on('clientError', (error, socket) => refuse(socket as Socket, statusOf(error), options.malformedAnswer));
  server.on('connect', (_request, socket) => refuse(socket as Socket, 501, options.malformedAnswer));
  const sockets = openSockets(server);
  await listen(server, options);
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    stop: () => {
      state.stopping = true;
      return stopServer(server, sockets, times.idleGraceMs);
    },
    destroy: () => {
      state.destroyed = true;
      server.closeAllConnections();
    },
  };
}

function listen(server: Server, { host, port }: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, backlog: serverLimits.backlog }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function statusOf(error: NodeJS.ErrnoException): number {
  if (error.code === 'HPE_HEADER_OVERFLOW') return 431;
  return error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400;
}

const details: Readonly<Record<number, string>> = {
  400: 'the request is malformed',
  408: 'the request headers took too long',
  431: 'the request headers are too large or too many',
  501: 'this gateway does not tunnel',
};

function refuse(socket: Socket, status: number, malformedAnswer: MalformedAnswer): void {
  const { closing, busy } = ConnectionLine.of(socket);
  if (!socket.writable || closing) {
    socket.destroySoon();
    return;
  }
  const { headers, body } = malformedAnswer({
    status,
    detail: details[status] ?? 'the request is malformed',
    peerAddress: socket.remoteAddress ?? '',
    underway: busy,
  });
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'Connection: close',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  for (let at = 0; at < headers.length; at += 2) lines.push(`${headers[at] ?? ''}: ${headers[at + 1] ?? ''}`);
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`);
}
