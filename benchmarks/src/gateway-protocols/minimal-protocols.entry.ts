/**
 * The least that Node costs for each protocol: `node minimal-protocols.js PORT TLS_PORT UPSTREAM_PORT CALLS_PORT CERTIFICATE KEY`. Node's own
 * TLS, HTTP/1.1 and HTTP/2 servers, undici's `dispatch` toward HTTP/1.1, one HTTP/2 session toward gRPC, sockets piped for WebSocket.
 */
import { readFileSync } from 'node:fs';
import { createServer, request as requestOf } from 'node:http';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { connect, createSecureServer, type IncomingHttpHeaders } from 'node:http2';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import type { Duplex } from 'node:stream';
import { Pool, type Dispatcher } from 'undici';

const [port, tlsPort, upstreamPort, callsPort, certificate = '', key = ''] = process.argv.slice(2);
const pool = new Pool(`http://127.0.0.1:${upstreamPort}`, { connections: 1024, pipelining: 1 });
const session = connect(`http://127.0.0.1:${callsPort}`, { settings: { initialWindowSize: 1024 * 1024 } });

type Answer = ServerResponse | Http2ServerResponse;

class MinimalCall implements Dispatcher.DispatchHandler {
  readonly #answer: Answer;

  constructor(answer: Answer) {
    this.#answer = answer;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#answer.once('close', () => {
      if (!this.#answer.writableEnded) controller.abort(new Error('the client went away'));
    });
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) return;
    const { connection: _connection, 'keep-alive': _keepAlive, 'transfer-encoding': _coding, ...rest } = headers;
    (this.#answer as ServerResponse).writeHead(status, rest);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if ((this.#answer as ServerResponse).write(chunk)) return;
    controller.pause();
    this.#answer.once('drain', () => controller.resume());
  }

  onResponseEnd(): void {
    this.#answer.end();
  }

  onResponseError(): void {
    if (this.#answer.headersSent) this.#answer.destroy();
    else (this.#answer as ServerResponse).writeHead(502).end();
  }
}

function forward(request: IncomingMessage | Http2ServerRequest, answer: Answer): void {
  const headers = Object.entries(request.headers).flatMap(([name, value]) =>
    name.startsWith(':') || name === 'connection' || value === undefined ? [] : [name, String(value)],
  );
  pool.dispatch({ method: 'GET', path: request.url ?? '/', headers }, new MinimalCall(answer));
}

function forwardCall(request: Http2ServerRequest, answer: Http2ServerResponse): void {
  const headers = { ...request.headers, ':scheme': 'http', ':authority': `127.0.0.1:${callsPort}` };
  const call = session.request(headers);
  call.on('response', ({ ':status': status, ...fields }) => answer.writeHead(status ?? 502, fields));
  call.on('trailers', (fields) => answer.addTrailers(fields as OutgoingHttpHeaders));
  answer.stream.on('error', () => call.destroy());
  call.on('error', () => answer.stream.destroy());
  request.pipe(call);
  call.pipe(answer);
}

function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const asked = requestOf({
    host: '127.0.0.1',
    port: Number(upstreamPort),
    path: request.url ?? '/',
    headers: request.headers,
  });
  asked.on('upgrade', (answer, upstream, rest) => {
    const lines = answer.rawHeaders.flatMap((part, at, all) => (at % 2 === 0 ? [`${part}: ${all[at + 1]}`] : []));
    socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('\r\n')}\r\n\r\n`);
    upstream.unshift(rest);
    socket.unshift(head);
    socket.pipe(upstream).pipe(socket);
    socket.on('error', () => upstream.destroy());
    upstream.on('error', () => socket.destroy());
  });
  asked.on('error', () => socket.destroy());
  asked.end();
}

const plain = createServer({ keepAliveTimeout: 60_000 }, forward);
plain.on('upgrade', upgrade);
const secure = createSecureServer({
  allowHTTP1: true,
  cert: readFileSync(certificate),
  key: readFileSync(key),
  settings: { maxConcurrentStreams: 1000 },
});
secure.on('request', (request, answer) => {
  if (request.headers['content-type'] === 'application/grpc') forwardCall(request, answer);
  else forward(request, answer);
});
plain.listen(Number(port), '127.0.0.1', () => {
  secure.listen(Number(tlsPort), '127.0.0.1', () => process.stdout.write(`${port}\n`));
});
process.once('SIGTERM', () => process.exit(0));
