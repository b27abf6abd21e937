import { createServer as createHttp, type IncomingHttpHeaders } from 'node:http';
import { createSecureServer, createServer as createHttp2, type ServerHttp2Stream } from 'node:http2';
import { createServer as createHttps } from 'node:https';
import { createServer as createTcp, type AddressInfo, type Server, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import * as v from 'valibot';
import { afterEach, describe, expect, it } from 'vitest';
import { AddressGuard } from '../../transport/address-guard.ts';
import { healthCheckRecord } from '../health-check-record.ts';
import { healthSettings } from '../health-settings.ts';
import { probePlan, type ProbeOutcome, type ProbePlan } from './probe.ts';
import { authorityPem, serverKeyPem, serverPem } from './probed-server.test-support.ts';
import { createProber } from './run-probe.ts';

const guard = new AddressGuard({ host: '192.0.2.1', port: 1 }, []);
const probe = createProber({ guard, ca: [authorityPem] });
const secrets = { cert: serverPem, key: serverKeyPem };
const servers: { server: Server; sockets: Set<Socket> }[] = [];

/** Where a server listens, with the connections that are open. */
async function listen(server: Server): Promise<{ port: number; sockets: Set<Socket> }> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  servers.push({ server, sockets });
  return { port: (server.address() as AddressInfo).port, sockets };
}

afterEach(async () => {
  for (const { server, sockets } of servers.splice(0)) {
    for (const socket of sockets) socket.destroy();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  }
});

function planOf(active: object, hostHeader?: string): ProbePlan {
  const record = v.parse(healthCheckRecord, { active });
  const settings = healthSettings(record);
  if (!record.active || !settings.active) throw new Error('the record has no probes');
  return probePlan(record.active, settings.active, hostHeader);
}

/** Long enough for a slow machine wherever no time-out is meant. */
const patient = { timeout: 60 };

function outcome(port: number, active: object, hostHeader?: string, name = 'probed.test'): Promise<ProbeOutcome> {
  return probe(planOf({ ...patient, ...active }, hostHeader), { host: '127.0.0.1', port, name }).done;
}

describe('http', () => {
  it.each([
    [200, 'success'],
    [302, 'success'],
    [404, 'http_failure'],
    [503, 'http_failure'],
    [201, 'neutral'],
    [418, 'neutral'],
  ])('status %i is a %s', async (status, result) => {
    const { port } = await listen(createHttp((_, response) => response.writeHead(status).end()));
    expect(await outcome(port, {})).toEqual({ result, reason: `status ${status}` });
  });

  it('sends path, fields and host of the record, and does not wait for a body', async () => {
    const seen: { url: string | undefined; headers: IncomingHttpHeaders }[] = [];
    const server = createHttp((request, response) => {
      seen.push({ url: request.url, headers: request.headers });
      response.writeHead(200).write('never ends');
    });
    const { port } = await listen(server);
    const headers = { 'X-Probe': ['ä', 'b'], 'Content-Length': ['5'] };
    expect(await outcome(port, { http_path: '/up?deep=1', headers })).toMatchObject({ result: 'success' });
    await outcome(port, {}, 'upstream.test');
    await outcome(port, { headers: { Host: ['record.test'] } }, 'upstream.test');
    expect(seen[0]).toMatchObject({ url: '/up?deep=1', headers: { host: `probed.test:${port}`, connection: 'close' } });
    expect(seen[0]?.headers).not.toHaveProperty('content-length');
    expect(Buffer.from(String(seen[0]?.headers['x-probe']), 'latin1').toString()).toBe('ä, b');
    expect(seen.slice(1).map(({ headers: sent }) => sent.host)).toEqual(['upstream.test', 'record.test']);
  });

  it('closes its connection, also when it is given up', async () => {
    const server = createHttp(() => undefined);
    const { port } = await listen(server);
    const running = probe(planOf(patient), { host: '127.0.0.1', port, name: 'probed.test' });
    const [request] = await new Promise<[{ socket: Socket }]>((resolve) => {
      server.once('request', (incoming) => resolve([incoming]));
    });
    const closed = new Promise((resolve) => request.socket.once('close', resolve));
    running.abort();
    await closed;
    expect(await running.done).toMatchObject({ result: 'neutral' });
  });

  it('silence is a time-out, garbage and a cut connection are failures of the connection', async () => {
    const silent = await listen(createTcp(() => undefined));
    expect(await outcome(silent.port, { timeout: 0.05 })).toMatchObject({ result: 'timeout' });
    const garbage = await listen(createTcp((socket) => socket.end('nonsense\r\n\r\n')));
    expect(await outcome(garbage.port, {})).toMatchObject({ result: 'tcp_failure' });
    const cutting = await listen(createTcp((socket) => socket.destroy()));
    expect(await outcome(cutting.port, {})).toMatchObject({ result: 'tcp_failure' });
  });
});

describe('https', () => {
  it('asks for the server name and trusts only what it is told to', async () => {
    const names: unknown[] = [];
    const server = createHttps(secrets, (request, response) => {
      names.push((request.socket as TLSSocket & { servername?: unknown }).servername);
      response.end();
    });
    const { port } = await listen(server);
    expect(await outcome(port, { type: 'https' })).toMatchObject({ result: 'success' });
    const sni = { type: 'https', https_sni: 'probed.test' };
    expect(await outcome(port, sni, undefined, '127.0.0.1')).toMatchObject({ result: 'success' });
    expect(await outcome(port, { type: 'https' }, undefined, 'other.test')).toEqual({
      result: 'tcp_failure',
      reason: 'ERR_TLS_CERT_ALTNAME_INVALID',
    });
    const trusting = { type: 'https', https_verify_certificate: false };
    expect(await outcome(port, trusting, undefined, '127.0.0.1')).toMatchObject({ result: 'success' });
    expect(names).toEqual(['probed.test', 'probed.test', false]);
    const platform = createProber({ guard })(planOf({ ...patient, type: 'https' }), {
      host: '127.0.0.1',
      port,
      name: 'probed.test',
    });
    expect(await platform.done).toMatchObject({ result: 'tcp_failure' });
  });
});

describe('tcp', () => {
  it('a connection is enough, and none is a failure', async () => {
    const { port, sockets } = await listen(createTcp());
    expect(await outcome(port, { type: 'tcp' })).toEqual({ result: 'success', reason: 'connected' });
    const server = servers.pop()?.server;
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server?.close(resolve));
    expect(await outcome(port, { type: 'tcp' })).toEqual({ result: 'tcp_failure', reason: 'ECONNREFUSED' });
  });
});

/** An answer of the health service: a status of the service, none for an empty message. */
function answerGrpc(stream: ServerHttp2Stream, status: number | undefined, grpcStatus = '0'): void {
  const message = status === undefined ? Buffer.alloc(0) : Buffer.from([0x08, status]);
  stream.on('error', () => undefined);
  stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
  stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': grpcStatus }));
  stream.end(Buffer.concat([Buffer.from([0, 0, 0, 0, message.length]), message]));
}

describe('grpc', () => {
  it.each([
    ['SERVING', 1, '0', 'success'],
    ['NOT_SERVING', 2, '0', 'http_failure'],
    ['UNKNOWN', undefined, '0', 'http_failure'],
    ['an error', 1, '12', 'http_failure'],
  ])('%s in cleartext', async (_, status, grpcStatus, result) => {
    const seen: unknown[] = [];
    const server = createHttp2();
    server.on('stream', (stream, headers) => {
      seen.push(headers[':path'], headers[':authority'], headers['te'], headers['content-type']);
      answerGrpc(stream, status, grpcStatus);
    });
    const { port } = await listen(server);
    expect(await outcome(port, { type: 'grpc' })).toMatchObject({ result });
    const path = '/grpc.health.v1.Health/Check';
    expect(seen).toEqual([path, `probed.test:${port}`, 'trailers', 'application/grpc']);
  });

  it('over TLS', async () => {
    const server = createSecureServer(secrets);
    server.on('stream', (stream) => answerGrpc(stream, 1));
    const { port } = await listen(server);
    expect(await outcome(port, { type: 'grpcs' })).toEqual({ result: 'success', reason: 'SERVING' });
    expect(await outcome(port, { type: 'grpcs' }, undefined, 'other.test')).toMatchObject({ result: 'tcp_failure' });
  });

  it('a server that speaks something else is not well, and a silent one takes too long', async () => {
    const http = await listen(createHttp((_, response) => response.end()));
    expect(await outcome(http.port, { type: 'grpc' })).toMatchObject({ result: 'tcp_failure' });
    const proxy = createHttp2();
    proxy.on('stream', (stream) => {
      stream.on('error', () => undefined);
      stream.respond({ ':status': 502 }, { endStream: true });
    });
    const { port } = await listen(proxy);
    expect(await outcome(port, { type: 'grpc' })).toEqual({ result: 'http_failure', reason: 'status 502' });
    const leaving = createHttp2();
    leaving.on('stream', (stream) => stream.on('error', () => undefined).session?.destroy());
    const left = await listen(leaving);
    expect(await outcome(left.port, { type: 'grpc' })).toMatchObject({ result: 'tcp_failure' });
    const silent = await listen(createTcp(() => undefined));
    expect(await outcome(silent.port, { type: 'grpc', timeout: 0.05 })).toMatchObject({ result: 'timeout' });
  });
});

it('an address that traffic must not call is not called', async () => {
  const { port, sockets } = await listen(createTcp());
  const refusing = createProber({ guard: new AddressGuard({ host: '127.0.0.1', port }, []) });
  const address = { host: '127.0.0.1', port, name: 'probed.test' };
  expect((await refusing(planOf(patient), address).done).result).toBe('tcp_failure');
  expect(sockets.size).toBe(0);
});
