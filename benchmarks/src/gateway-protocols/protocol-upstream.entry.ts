/**
 * The upstream of all cases: plain answers, streams of events and echoed WebSocket messages over HTTP/1.1, unary gRPC over HTTP/2 in
 * cleartext. Prints both ports.
 */
import { createServer } from 'node:http';
import { createServer as createHttp2Server } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import { eventEveryMs, eventText, grpcMessage, paths, payloadBytes } from './protocol-terms.ts';

const answer = Buffer.alloc(payloadBytes, 'x');
const event = eventText();
const message = grpcMessage();

const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  if (request.url !== paths.events) {
    response.writeHead(200, ['content-type', 'text/plain', 'content-length', `${payloadBytes}`]);
    response.end(answer);
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const timer = setInterval(() => response.write(event), eventEveryMs);
  response.on('close', () => clearInterval(timer));
});
const sockets = new WebSocketServer({ server, perMessageDeflate: false });
sockets.on('connection', (socket) => {
  socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary }));
});

const calls = createHttp2Server({ settings: { maxConcurrentStreams: 1000 } });
calls.on('stream', (stream) => {
  stream.on('error', () => undefined); // Who cuts a call wants nothing more of it.
  stream.resume();
  stream.on('end', () => {
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
    stream.end(message);
  });
});

server.listen(0, '127.0.0.1', () => {
  calls.listen(0, '127.0.0.1', () => {
    process.stdout.write(`${(server.address() as AddressInfo).port} ${(calls.address() as AddressInfo).port}\n`);
  });
});
process.once('SIGTERM', () => process.exit(0));
