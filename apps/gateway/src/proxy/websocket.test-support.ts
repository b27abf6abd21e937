import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import { type ClientOptions, WebSocket, WebSocketServer } from 'ws';

/** A server of WebSockets that keeps what it was asked. */
export interface SocketUpstream extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** Requests for an upgrade, as they came. */
  readonly requests: IncomingMessage[];
  /** Open connections. */
  readonly sockets: ReadonlySet<WebSocket>;
}

/** How a server of WebSockets answers. */
export interface SocketUpstreamOptions {
  /** Takes each connection; an echo by default. */
  readonly serve?: (socket: WebSocket, request: IncomingMessage) => void;
  readonly tls?: { readonly cert: string; readonly key: string };
  readonly protocols?: readonly string[];
}

/** Starts one on a free port of this machine. */
export async function startSocketUpstream(options: SocketUpstreamOptions = {}): Promise<SocketUpstream> {
  const { serve = echo, tls, protocols } = options;
  const http: Server = tls === undefined ? createServer() : createTlsServer(tls);
  const requests: IncomingMessage[] = [];
  http.on('upgrade', (request) => requests.push(request));
  http.on('request', (_request, response) => response.writeHead(426).end('no WebSocket'));
  const server = new WebSocketServer({
    server: http,
    ...(protocols && { handleProtocols: (offered) => protocols.find((name) => offered.has(name)) ?? false }),
  });
  server.on('connection', serve);
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const { port } = http.address() as AddressInfo;
  return {
    port,
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    requests,
    sockets: server.clients,
    [Symbol.asyncDispose]: async () => {
      for (const socket of server.clients) socket.terminate();
      server.close();
      http.close();
      http.closeAllConnections();
      await once(http, 'close');
    },
  };
}

function echo(socket: WebSocket): void {
  socket.on('error', () => undefined); // Tests end connections in every way.
  socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary }));
}

/** Opens a WebSocket. @throws Error when the answer is not 101 */
export async function openWebSocket(
  url: string,
  options: ClientOptions & Pick<ConnectionOptions, 'servername' | 'ca'> = {},
  protocols: string[] = [],
): Promise<WebSocket> {
  const socket = new WebSocket(url.replace('http', 'ws'), protocols, options);
  await once(socket, 'open');
  return socket;
}

/** Sends a message and gives the next one that comes. */
export async function ask(socket: WebSocket, message: string): Promise<string> {
  const next = once(socket, 'message') as Promise<[Buffer]>;
  socket.send(message);
  return String((await next)[0]);
}

/** Status and body of the answer to an upgrade that is refused. */
export async function refusedUpgrade(
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ readonly status: number; readonly headers: IncomingMessage['headers']; readonly body: string }> {
  const socket = new WebSocket(url.replace('http', 'ws'), { headers });
  socket.on('error', () => undefined); // It is closed before it opened.
  const [, answer] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage];
  let body = '';
  for await (const chunk of answer) body += String(chunk);
  return { status: answer.statusCode ?? 0, headers: answer.headers, body };
}
