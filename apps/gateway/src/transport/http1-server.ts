import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { connectionOf } from './connection-facts.ts';
import { ConnectionLine } from './connection-line.ts';
import { LeanRequest } from './lean-request.ts';
import { type MalformedAnswer, refuseBytes } from './malformed.ts';
import { NodeServerCall } from './node-server-call.ts';
import { acceptUpgrades } from './node-upgrades.ts';
import { resetSocket } from './raw-socket.ts';
import { serverLimits, type ServerTimes } from './server-limits.ts';
import type { ServerState } from './server-state.ts';

/**
 * HTTP/1 on sockets that others accepted, with `node:http`. Framing errors (both lengths, duplicate lengths, bad chunks,
 * oversized headers) are refused by its strict parser and close the connection.
 */
export class Http1Server {
  readonly #server: Server;

  constructor(state: ServerState, times: ServerTimes, malformedAnswer: MalformedAnswer) {
    const serve = (request: IncomingMessage, response: ServerResponse, expectsContinue: boolean): void => {
      new NodeServerCall(request, response, state, expectsContinue).enter();
    };
    const server: Server = createServer({
      IncomingMessage: LeanRequest,
      // Nobody reads the body of a request that has none: its life as a stream is most of what such a request costs here.
      optimizeEmptyRequests: true,
      insecureHTTPParser: false,
      // Checked by the proxy, which answers in the form of its other errors; and the requests here do not tell Node of the field.
      requireHostHeader: false,
      maxHeaderSize: serverLimits.headerBytesMax,
      headersTimeout: times.headersTimeoutMs,
      requestTimeout: 0,
      connectionsCheckingInterval: Math.min(serverLimits.checkIntervalMs, times.headersTimeoutMs),
      keepAliveTimeout: serverLimits.keepAliveMs,
    });
    server.maxHeadersCount = serverLimits.headersMax;
    server.maxRequestsPerSocket = serverLimits.requestsPerConnectionMax;
    server.on('request', (request, response) => serve(request, response, false));
    server.on('checkContinue', (request, response) => serve(request, response, true));
    // What is expected is the handler's to judge.
    server.on('checkExpectation', (request, response) => serve(request, response, false));
    acceptUpgrades(server, state);
    server.on('clientError', (error, socket) => refuse(socket as Socket, statusOf(error), malformedAnswer));
    server.on('connect', (_request, socket) => refuse(socket as Socket, 501, malformedAnswer));
    // It never listens, but keeps an eye on slow headers and idle connections only once it was told so.
    server.emit('listening');
    this.#server = server;
  }

  /** Speaks HTTP/1 on a socket; bytes that were put back come first. */
  take(socket: Socket): void {
    this.#server.emit('connection', socket);
  }

  /** Ends connections on which no request is under way. */
  closeIdle(): void {
    this.#server.closeIdleConnections();
  }

  /** Ends what `node:http` keeps running for its connections. */
  close(): void {
    this.#server.close();
  }
}

function statusOf(error: NodeJS.ErrnoException): number {
  if (error.code === 'HPE_HEADER_OVERFLOW') return 431;
  return error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400;
}

function refuse(socket: Socket, status: number, malformedAnswer: MalformedAnswer): void {
  const { closing, busy, isOwed } = ConnectionLine.of(socket);
  if (!socket.writable || closing) {
    socket.destroySoon();
    return;
  }
  if (isOwed) {
    // In the middle of an answer, or in its place, a refusal would be read as what it is not.
    resetSocket(socket);
    return;
  }
  refuseBytes(socket, { status, peerAddress: connectionOf(socket).peerAddress, underway: busy }, malformedAnswer);
}
