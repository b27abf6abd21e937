import type { AddressInfo, Socket } from 'node:net';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { getRequestListener, RequestError } from '@hono/node-server';
import type { Hono } from 'hono';
import type { HttpEnvironment } from './http-app.ts';
import { headRefusalOf, type Refusal, refusalOf, refusedResponse, refuseOn, refuseWith } from './refused-request.ts';
import type { NewId } from './request-id.ts';

/** Bounds of the server's sockets. Bodies have their own pace; see `readBody`. Source: security, Slowloris; decisions, 25. */
export const socketLimits = {
  headersTimeoutMs: 10_000,
  checkEveryMs: 2_000,
  keepAliveTimeoutMs: 65_000,
  headerBytesMax: 16_384,
  headersMax: 100,
  requestsPerSocketMax: 10_000,
  connectionsMax: 4_096,
} as const;

/** A server that answers. */
export interface RunningServer {
  /** Where it listens, with the real port. */
  readonly url: string;
  /** Stops accepting, lets running requests finish for `graceMs`, then cuts what is left. */
  stop(graceMs: number): Promise<void>;
}

/** Why a server could not start, in one sentence. */
export class ListenError extends Error {
  readonly code = 'listen_failed';
}

/** What is done about requests that are no proper HTTP. */
export interface RefusalOptions {
  /** Makes their request IDs. */
  readonly newId: NewId;
  readonly onRefused?: (refusal: Refusal, requestId: string) => void;
}

/** Starts to serve. Port 0 takes a free one. @throws ListenError when the address cannot be had */
export async function startHttpServer(
  app: Hono<HttpEnvironment>,
  address: { readonly host: string; readonly port: number },
  options: RefusalOptions,
): Promise<RunningServer> {
  const answering = new Set<ServerResponse>();
  const server = createLimitedServer(app, options, answering);
  const silent = connectionsWithoutRequest(server);
  await listening(server, address);
  const { port } = server.address() as AddressInfo;
  const host = address.host.includes(':') ? `[${address.host}]` : address.host;
  return { url: `http://${host}:${port}`, stop: (graceMs) => stopped(server, { silent, answering }, graceMs) };
}

function createLimitedServer(
  app: Hono<HttpEnvironment>,
  refusals: RefusalOptions,
  answering: Set<ServerResponse>,
): Server {
  const options = {
    headersTimeout: socketLimits.headersTimeoutMs,
    requestTimeout: 0,
    connectionsCheckingInterval: socketLimits.checkEveryMs,
    keepAliveTimeout: socketLimits.keepAliveTimeoutMs,
    maxHeaderSize: socketLimits.headerBytesMax,
    // Asked for below, where the answer has a body.
    requireHostHeader: false,
  };
  const { newId, onRefused } = refusals;
  const noted = (refusal: Refusal): string => {
    const requestId = newId();
    onRefused?.(refusal, requestId);
    return requestId;
  };
  const errorHandler = (error: unknown): Response => {
    const isTheirs = error instanceof RequestError;
    const refusal: Refusal = isTheirs
      ? { code: 'malformed_request', detail: 'The target or the host of the request is not valid' }
      : { code: 'internal', detail: 'Something went wrong on our side' };
    return refusedResponse(refusal, noted(refusal));
  };
  const handle = getRequestListener(app.fetch, { errorHandler });
  const running = new WeakMap<Duplex, { readonly incoming: IncomingMessage; readonly outgoing: ServerResponse }>();
  const listener = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    running.set(incoming.socket, { incoming, outgoing });
    answering.add(outgoing);
    outgoing.once('close', () => answering.delete(outgoing));
    if (!server.listening) outgoing.shouldKeepAlive = false;
    const refusal = headRefusalOf(incoming.rawHeaders, socketLimits.headersMax);
    if (refusal) {
      refuseWith(outgoing, refusal, noted(refusal));
      return;
    }
    // The listener answers its own failures; there is nothing to wait for.
    void handle(incoming, outgoing);
  };
  const server = createServer(options, listener);
  // An expectation that is not known may be ignored (RFC 9110, 10.1.1); the body is read either way.
  server.on('checkExpectation', listener);
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    const { incoming, outgoing } = running.get(socket) ?? {};
    const isAnswering = outgoing !== undefined && !outgoing.writableFinished;
    if (error.code === 'ECONNRESET' || !socket.writable || (isAnswering && outgoing.headersSent)) {
      socket.destroy();
      return;
    }
    if (isAnswering && incoming?.complete) {
      // What came after a whole request is no HTTP; the answer that is owed still goes out, as the last one.
      outgoing.shouldKeepAlive = false;
      return;
    }
    const refusal = refusalOf(error);
    refuseOn(socket, refusal, noted(refusal));
  });
  server.on('connect', (_incoming: IncomingMessage, socket: Duplex) => {
    const refusal: Refusal = { code: 'method_not_allowed', detail: 'This is no proxy' };
    refuseOn(socket, refusal, noted(refusal));
  });
  // One more, so that a head with too many shows.
  server.maxHeadersCount = socketLimits.headersMax + 1;
  server.maxRequestsPerSocket = socketLimits.requestsPerSocketMax;
  server.maxConnections = socketLimits.connectionsMax;
  return server;
}

function listening(server: Server, address: { readonly host: string; readonly port: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(listenError(error, address)));
    server.listen(address.port, address.host, resolve);
  });
}

function listenError(
  error: NodeJS.ErrnoException,
  address: { readonly host: string; readonly port: number },
): ListenError {
  const place = `${address.host}:${address.port}`;
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: `${place} is in use by another process`,
    EACCES: `${place} may not be used without more rights`,
    EADDRNOTAVAIL: `${address.host} is no address of this machine`,
    ENOTFOUND: `${address.host} is not a known host`,
  };
  return new ListenError(reasons[error.code ?? ''] ?? `cannot listen on ${place} (${error.code ?? 'unknown reason'})`, {
    cause: error,
  });
}

/** Connections that never asked anything, such as a client's spare ones. Node does not count them as idle. */
function connectionsWithoutRequest(server: Server): ReadonlySet<Socket> {
  const silent = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    silent.add(socket);
    socket.once('close', () => silent.delete(socket));
  });
  server.on('request', ({ socket }: { readonly socket: Socket }) => silent.delete(socket));
  return silent;
}

interface Open {
  readonly silent: ReadonlySet<Socket>;
  readonly answering: ReadonlySet<ServerResponse>;
}

function stopped(server: Server, { silent, answering }: Open, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    for (const socket of silent) socket.destroy();
    // Each connection ends with the answer that it waits for, so that its client sends nothing more into the void.
    for (const outgoing of answering) outgoing.shouldKeepAlive = false;
    const cut = setTimeout(() => server.closeAllConnections(), graceMs);
    // A connection that finishes its request now would wait for the next one until its keep-alive time is over.
    const sweep = setInterval(() => server.closeIdleConnections(), sweepEveryMs);
    server.close(() => {
      clearTimeout(cut);
      clearInterval(sweep);
      resolve();
    });
  });
}

const sweepEveryMs = 50;
