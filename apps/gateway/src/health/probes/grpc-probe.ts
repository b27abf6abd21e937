import { connect } from 'node:http2';
import { isServing, nextMessage, type FirstMessage } from './grpc-health-message.ts';
import { headersOf } from './http-probe.ts';
import { plainConnection, secureConnection } from './probe-connection.ts';
import { probeAuthority } from './probe.ts';
import type { ProbeKind } from './run-probe.ts';

/** An empty message: it asks for the health of the server as a whole. One byte of flags, four of length. */
const emptyMessage = Buffer.from([0, 0, 0, 0, 0]);

/** Answers longer than this are no answers to the question. */
const answerBytesMax = 4096;

/** A connection that ends in good order ends a call without an error. */
const closed = new Error('the call was closed');

/** Asks `grpc.health.v1.Health/Check` over HTTP/2; SERVING is a success. */
export const grpcProbe: ProbeKind = (parts, plan, address, sink) => {
  const isSecure = plan.type === 'grpcs';
  const socket = isSecure ? secureConnection(parts, address, plan, ['h2']) : plainConnection(parts, address);
  socket.on('error', (error) => sink.onError(error));
  const authority = probeAuthority(plan, address);
  const session = connect(`${isSecure ? 'https' : 'http'}://${authority}`, { createConnection: () => socket });
  session.on('error', (error) => sink.onError(error));
  const call = session.request({
    ...headersOf(plan.headers),
    ':method': 'POST',
    ':path': '/grpc.health.v1.Health/Check',
    ':authority': authority,
    'content-type': 'application/grpc',
    te: 'trailers',
  });
  const message: FirstMessage = { bytes: Buffer.alloc(0) };
  let isAnswered = false;
  let grpcStatus: unknown;
  call.on('response', (headers) => {
    isAnswered = true;
    grpcStatus = headers['grpc-status'];
    if (headers[':status'] !== 200) sink.onVerdict('http_failure', `status ${headers[':status']}`);
  });
  call.on('trailers', (trailers) => (grpcStatus = trailers['grpc-status']));
  call.on('data', (chunk: Buffer) => {
    if (!nextMessage(message, chunk, answerBytesMax)) sink.onVerdict('http_failure', 'the answer is too long');
  });
  call.on('end', () => {
    if (!isAnswered) sink.onError(closed);
    else if (grpcStatus !== '0') sink.onVerdict('http_failure', `gRPC status ${String(grpcStatus).slice(0, 20)}`);
    else if (isServing(message.bytes)) sink.onVerdict('success', 'SERVING');
    else sink.onVerdict('http_failure', 'not SERVING');
  });
  call.on('error', (error) => sink.onError(error));
  // Only what is said first counts.
  call.on('close', () => sink.onError(closed));
  call.end(emptyMessage);
  return () => {
    session.destroy();
    socket.destroy();
  };
};
