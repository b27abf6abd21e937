/** Puts one case's load on a peer: `node protocol-load.js ORDER` with a `ProtocolOrder` as JSON; prints a `ProtocolReport`. */
import { connect as connectHttp2, constants, type ClientHttp2Session } from 'node:http2';
import { connect as connectTls } from 'node:tls';
import { Agent, WebSocket } from 'undici';
import {
  grpcMessage,
  paths,
  payloadBytes,
  streamsPerConnection,
  type ProtocolOrder,
  type ProtocolReport,
} from './protocol-terms.ts';

const order = JSON.parse(process.argv[2] ?? '{}') as ProtocolOrder;
const message = grpcMessage();
let begun = 0;
let ended = 0;
let errors = 0;
const over = Promise.withResolvers<void>();

/** Whether one more unit is to be made. */
function takes(): boolean {
  if (begun >= order.units) return false;
  begun += 1;
  return true;
}

function end(isError = false): void {
  ended += 1;
  if (isError) errors += 1;
  if (ended >= order.units) over.resolve();
}

/** Makes units one after another in so many lanes. */
function lanes(count: number, one: (lane: number) => Promise<boolean>): void {
  const run = async (lane: number): Promise<void> => {
    while (takes()) end(!(await one(lane).catch(() => false)));
  };
  for (let lane = 0; lane < count; lane += 1) void run(lane);
}

function tls(): void {
  const agent = new Agent({ connections: order.connections, pipelining: 1, connect: { rejectUnauthorized: false } });
  const origin = `https://127.0.0.1:${order.tlsPort}`;
  lanes(order.connections, async () => {
    const { statusCode, body } = await agent.request({ origin, path: paths.plain, method: 'GET' });
    return (await body.bytes()).length === payloadBytes && statusCode === 200;
  });
}

function handshakes(): void {
  const names = order.serverNames ?? ['bench.test'];
  let next = 0;
  lanes(order.connections, async () => {
    const servername = names[next++ % names.length] ?? 'bench.test';
    const done = Promise.withResolvers<boolean>();
    const socket = connectTls({ host: '127.0.0.1', port: order.tlsPort, servername, rejectUnauthorized: false });
    let text = '';
    socket.setEncoding('latin1');
    socket.on('data', (part: string) => (text += part));
    socket.on('end', () => done.resolve(text.startsWith('HTTP/1.1 200')));
    socket.on('error', () => done.resolve(false));
    socket.write(`GET ${paths.plain} HTTP/1.1\r\nhost: ${servername}\r\nconnection: close\r\n\r\n`);
    return await done.promise;
  });
}

/** The one connection of HTTP/2; another one takes its place when the peer announces its end, as clients do. */
function oneSession(): () => ClientHttp2Session {
  let session: ClientHttp2Session;
  const join = (): void => {
    session = connectHttp2(`https://127.0.0.1:${order.tlsPort}`, { rejectUnauthorized: false });
    session.on('error', () => undefined); // Its streams fail, and are counted.
    session.once('goaway', join);
  };
  join();
  return () => session;
}

function http2(isGrpc: boolean): void {
  const session = oneSession();
  const grpc = { ':path': paths.grpc, ':method': 'POST', 'content-type': 'application/grpc', te: 'trailers' };
  const ask = async (): Promise<boolean> => {
    const done = Promise.withResolvers<boolean>();
    const stream = session().request(isGrpc ? grpc : { ':path': paths.plain }, { endStream: !isGrpc });
    let bytes = 0;
    let isGood = !isGrpc;
    stream.on('data', (part: Buffer) => (bytes += part.length));
    stream.on('trailers', (fields) => (isGood = fields['grpc-status'] === '0'));
    stream.on('error', () => undefined); // `close` follows.
    stream.on('close', () => {
      // Not looked at, by the peer's own word: what clients do with that is part of the protocol.
      if (stream.rstCode === constants.NGHTTP2_REFUSED_STREAM) done.resolve(ask());
      else done.resolve(isGood && bytes === (isGrpc ? message.length : payloadBytes));
    });
    if (isGrpc) stream.end(message);
    return await done.promise;
  };
  lanes(streamsPerConnection, ask);
}

async function webSockets(): Promise<void> {
  const text = 'x'.repeat(payloadBytes);
  const open = Array.from({ length: order.connections }, async () => {
    const socket = new WebSocket(`ws://127.0.0.1:${order.port}${paths.websocket}`);
    await new Promise((resolve, reject) => {
      socket.addEventListener('open', resolve, { once: true });
      socket.addEventListener('error', () => reject(new Error('a WebSocket was refused')), { once: true });
    });
    return socket;
  });
  const sockets = await Promise.all(open);
  lanes(sockets.length, async (lane) => {
    const socket = sockets[lane];
    const echo = new Promise<boolean>((resolve) => {
      socket?.addEventListener('message', ({ data }) => resolve(data === text), { once: true });
    });
    socket?.send(text);
    return await echo;
  });
}

async function events(): Promise<void> {
  const agent = new Agent({ connections: order.connections, pipelining: 1 });
  const origin = `http://127.0.0.1:${order.port}`;
  const read = async (): Promise<void> => {
    const { body } = await agent.request({ origin, path: paths.events, method: 'GET' });
    for await (const part of body as AsyncIterable<Buffer>) {
      let at = part.indexOf('\n\n');
      for (; at >= 0; at = part.indexOf('\n\n', at + 2)) end();
      if (ended >= order.units) return;
    }
  };
  await Promise.race([over.promise, Promise.all(Array.from({ length: order.connections }, read))]);
}

const startedMs = performance.now();
if (order.kind === 'tls') tls();
else if (order.kind === 'handshake') handshakes();
else if (order.kind === 'h2' || order.kind === 'grpc') http2(order.kind === 'grpc');
else if (order.kind === 'websocket') await webSockets();
else await events();
await over.promise;
const report: ProtocolReport = { units: ended, errors, seconds: (performance.now() - startedMs) / 1000 };
process.stdout.write(`${JSON.stringify(report)}\n`, () => process.exit(0));
