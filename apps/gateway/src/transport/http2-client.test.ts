import { createServer } from 'node:http';
import { connect as connectTcp, createServer as createTcp, type AddressInfo, type Server, type Socket } from 'node:net';
import type { ServerHttp2Stream } from 'node:http2';
import { eventually } from '@portcullis/testkit';
import { afterEach, describe, expect, it } from 'vitest';
import { http2ClientOf, sendRequest, startHttp2Upstream, TestBody } from './http2-client.test-support.ts';
import { http2Limits } from './http2-client-connection.ts';

const servers: { server: Server; sockets: Set<Socket> }[] = [];

/** A server that speaks no HTTP/2. */
async function listen(server: Server): Promise<{ readonly port: number }> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket.on('error', () => undefined)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  servers.push({ server, sockets });
  return { port: (server.address() as AddressInfo).port };
}

afterEach(() => {
  for (const { server, sockets } of servers.splice(0)) {
    for (const socket of sockets) socket.destroy();
    server.close();
  }
});

describe('a request over HTTP/2', () => {
  it('has its head in the form of HTTP/2, and brings back head, body and trailers', async () => {
    let seen: readonly string[] = [];
    await using upstream = await startHttp2Upstream((stream, _headers, raw) => {
      seen = raw;
      stream.respond({ ':status': 201, 'set-cookie': ['a=1', 'b=2'] }, { waitForTrailers: true });
      stream.on('wantTrailers', () => stream.sendTrailers({ 'x-sum': '7' }));
      stream.end('hello');
    });
    const client = http2ClientOf(upstream);
    const headers = ['Host', 'a.test:81', 'X-Text', 'é', 'TE', 'trailers', 'Connection', 'close', 'Cookie', 'c=1'];
    const { outcome } = sendRequest(client, { path: '/p?q=1', headers });
    await eventually(() => outcome.end !== undefined);
    expect(outcome).toMatchObject({ end: 'whole', status: 201, body: 'hello', trailers: ['x-sum', '7'] });
    expect(outcome.headers.slice(0, 4)).toEqual(['set-cookie', 'a=1', 'set-cookie', 'b=2']);
    expect(seen).toEqual([
      ...[':method', 'GET', ':scheme', 'http', ':authority', 'a.test:81', ':path', '/p?q=1'],
      ...['x-text', 'é', 'cookie', 'c=1', 'te', 'trailers'],
    ]);
    client.close();
  });

  it('carries a body in memory with its length, and one that comes by and by with trailers', async () => {
    const seen: { length: unknown; body: string; trailers: unknown }[] = [];
    await using upstream = await startHttp2Upstream((stream, headers) => {
      let body = '';
      let trailers: unknown;
      stream.on('data', (chunk: Buffer) => (body += chunk.toString()));
      stream.on('trailers', (_fields, _flags, raw: unknown) => (trailers = raw));
      stream.on('end', () => {
        seen.push({ length: headers['content-length'], body, trailers });
        stream.respond({ ':status': 200 }, { endStream: true });
      });
    });
    const client = http2ClientOf(upstream);
    const fields = ['host', 'a', 'content-length', '99'];
    const first = sendRequest(client, { method: 'POST', headers: fields, body: Buffer.from('memory') }).outcome;
    await eventually(() => first.end === 'whole');
    const body = new TestBody();
    const second = sendRequest(client, { method: 'POST', body }).outcome;
    body.sink?.onChunk(Buffer.from('one '));
    body.sink?.onChunk(Buffer.from('two'));
    body.trailers = ['X-Sum', '3', 'Connection', 'x'];
    body.sink?.onEnd();
    await eventually(() => second.end === 'whole');
    expect(seen[0]).toMatchObject({ length: '6', body: 'memory', trailers: undefined });
    expect(seen[1]).toMatchObject({ length: undefined, body: 'one two', trailers: ['x-sum', '3'] });
    client.close();
  });

  it('is not sent when a field or the path would become something else on the wire', async () => {
    let count = 0;
    await using upstream = await startHttp2Upstream((stream) => {
      count += 1;
      stream.respond({ ':status': 200 }, { endStream: true });
    });
    const client = http2ClientOf(upstream);
    const bad = [
      { headers: ['host', 'a', 'x-a', 'b\r\nc: d'] },
      { headers: ['host', 'a', 'x a', 'b'] },
      { path: '/a b' },
    ];
    const outcomes = bad.map((more) => sendRequest(client, more).outcome);
    const upgrade = sendRequest(client, { upgrade: 'websocket' }).outcome;
    const good = sendRequest(client).outcome;
    await eventually(() => [...outcomes, good, upgrade].every(({ end }) => end !== undefined));
    expect([...outcomes, upgrade].map(({ end }) => end)).toEqual(Array(4).fill('request_not_sendable'));
    expect(good.end).toBe('whole');
    expect(count).toBe(1);
    client.close();
  });

  it('that breaks off is reset: the upstream never takes a part for the whole', async () => {
    const streams: { isEnded: boolean; isClosed: boolean }[] = [];
    await using upstream = await startHttp2Upstream((stream) => {
      const seen = { isEnded: false, isClosed: false };
      streams.push(seen);
      stream.on('end', () => (seen.isEnded = true)).on('close', () => (seen.isClosed = true));
      stream.resume();
    });
    const client = http2ClientOf(upstream);
    const [broken, aborted] = [new TestBody(), new TestBody()];
    const first = sendRequest(client, { method: 'POST', body: broken }).outcome;
    const second = sendRequest(client, { method: 'POST', body: aborted });
    for (const { sink } of [broken, aborted]) sink?.onChunk(Buffer.from('part'));
    await eventually(() => streams.length === 2);
    broken.sink?.onError(new Error('gone'));
    second.call.abort();
    await eventually(() => streams.every(({ isClosed }) => isClosed));
    expect(streams.map(({ isEnded }) => isEnded)).toEqual([false, false]);
    expect([first.end, second.outcome.end]).toEqual(['request_body_failed', 'aborted']);
    client.close();
  });

  it('whose answer is whole before its body is lets go of the rest', async () => {
    await using upstream = await startHttp2Upstream((stream) =>
      stream.respond({ ':status': 413 }, { endStream: true }),
    );
    const client = http2ClientOf(upstream);
    const body = new TestBody();
    const { outcome } = sendRequest(client, { method: 'POST', body });
    body.sink?.onChunk(Buffer.from('part'));
    await eventually(() => outcome.end !== undefined);
    expect(outcome).toMatchObject({ end: 'whole', status: 413 });
    body.sink?.onChunk(Buffer.from('rest'));
    expect(body.isPaused).toBe(false);
    client.close();
  });
});

describe('flow control', () => {
  it('holds the body back that the upstream does not take, and the answer that nobody reads', async () => {
    let stream: ServerHttp2Stream | undefined;
    await using upstream = await startHttp2Upstream((opened) => {
      stream = opened;
      opened.respond({ ':status': 200 });
    });
    const client = http2ClientOf(upstream);
    const body = new TestBody();
    const { outcome, call } = sendRequest(client, { method: 'POST', body });
    const chunk = Buffer.alloc(64 * 1024);
    let sent = 0;
    await eventually(() => outcome.status === 200);
    while (!body.isPaused) {
      body.sink?.onChunk(chunk);
      sent += chunk.length;
    }
    expect(sent).toBeLessThan(4 * chunk.length);
    stream?.resume();
    await eventually(() => !body.isPaused);
    call.pause();
    let written = 0;
    while (stream?.write(chunk) === true) written += chunk.length;
    for (let turn = 0; turn < 64; turn += 1) stream?.write(chunk);
    written += 65 * chunk.length;
    // Another request comes and goes: what is held back holds up nothing else.
    const other = sendRequest(client).outcome;
    await eventually(() => other.status === 200);
    expect(outcome.bytes).toBeLessThanOrEqual(http2Limits.streamWindowBytes);
    call.resume();
    await eventually(() => outcome.bytes === written);
    call.abort();
    client.close();
  });
});

describe('time-outs', () => {
  it('end requests without an answer, without the next bytes, and whose body is not taken', async () => {
    await using upstream = await startHttp2Upstream((stream, headers) => {
      if (headers[':path'] === '/begins') stream.respond({ ':status': 200 });
    });
    const client = http2ClientOf(upstream);
    const silent = sendRequest(client, { readTimeoutMs: 30 }).outcome;
    const begins = sendRequest(client, { path: '/begins', readTimeoutMs: 1000 }).outcome;
    const body = new TestBody();
    const full = sendRequest(client, { method: 'POST', body, readTimeoutMs: 30, writeTimeoutMs: 30 }).outcome;
    await eventually(() => body.sink !== undefined);
    while (!body.isPaused && full.end === undefined) body.sink?.onChunk(Buffer.alloc(64 * 1024));
    await eventually(() => [silent, begins, full].every(({ end }) => end !== undefined));
    expect([silent, begins, full].map(({ end }) => end)).toEqual(Array(3).fill('upstream_timeout'));
    expect(begins.status).toBe(200);
    client.close();
  });

  it('of a connection that says nothing more make a new one', async () => {
    await using upstream = await startHttp2Upstream((stream) =>
      stream.respond({ ':status': 200 }, { endStream: true }),
    );
    let isDead = false;
    let connections = 0;
    const relay = await listen(
      createTcp((client) => {
        connections += 1;
        const isFirst = connections === 1;
        const server = connectTcp(upstream.port, '127.0.0.1').on('error', () => undefined);
        client.on('data', (bytes) => (isFirst && isDead ? undefined : server.write(bytes)));
        server.on('data', (bytes) => (isFirst && isDead ? undefined : client.write(bytes)));
        client.on('close', () => server.destroy());
      }),
    );
    const client = http2ClientOf(relay);
    const first = sendRequest(client).outcome;
    await eventually(() => first.end === 'whole');
    isDead = true;
    const late = sendRequest(client, { readTimeoutMs: 30 }).outcome;
    await eventually(() => late.end === 'upstream_timeout');
    const next = sendRequest(client).outcome;
    await eventually(() => next.end === 'whole');
    expect(connections).toBe(2);
    client.close();
  });
});

describe('an upstream that ends', () => {
  it('in good order finishes what it has, and the next request has another connection', async () => {
    const streams: ServerHttp2Stream[] = [];
    await using upstream = await startHttp2Upstream((stream) => void streams.push(stream));
    const client = http2ClientOf(upstream);
    const first = sendRequest(client).outcome;
    await eventually(() => streams.length === 1);
    upstream.sessions[0]?.close();
    const next = await eventually(() => {
      const { outcome, call } = sendRequest(client);
      if (upstream.sessions.length === 2) return outcome;
      call.abort();
      return undefined;
    });
    await eventually(() => streams.length >= 2);
    for (const stream of streams) if (!stream.destroyed) stream.respond({ ':status': 200 }, { endStream: true });
    await eventually(() => first.end !== undefined && next.end !== undefined);
    expect([first.end, next.end]).toEqual(['whole', 'whole']);
    client.close();
  });

  it('without having looked at a request lets it be sent again, but for bodies that are gone', async () => {
    await using upstream = await startHttp2Upstream((stream) => stream.close(7));
    const client = http2ClientOf(upstream);
    const plain = sendRequest(client).outcome;
    const body = new TestBody();
    const begun = sendRequest(client, { method: 'POST', body }).outcome;
    await eventually(() => plain.end !== undefined && begun.end !== undefined);
    expect(plain).toMatchObject({ end: 'upstream_unprocessed', unsent: true });
    expect(begun).toMatchObject({ end: 'upstream_reset', unsent: false });
    client.close();
  });

  it('in the middle of an answer cuts it', async () => {
    await using upstream = await startHttp2Upstream((stream, headers) => {
      stream.respond({ ':status': 200 });
      stream.write('part', () => {
        if (headers[':path'] === '/stream') stream.destroy(new Error('broken'));
        else stream.session?.destroy();
      });
    });
    const client = http2ClientOf(upstream);
    const reset = sendRequest(client, { path: '/stream' }).outcome;
    await eventually(() => reset.end !== undefined);
    const cut = sendRequest(client, { path: '/session' }).outcome;
    await eventually(() => cut.end !== undefined);
    expect([reset, cut].map(({ status, end }) => [status, end])).toEqual([
      [200, 'upstream_reset'],
      [200, 'upstream_reset'],
    ]);
    client.close();
  });

  it('or never was there is told apart from one that speaks something else, and both are unsent', async () => {
    const http = await listen(createServer((_, response) => response.end()));
    const silent = await listen(createTcp(() => undefined));
    const gone = await listen(createTcp());
    servers.pop()?.server.close();
    const outcomes = [
      sendRequest(http2ClientOf(http)).outcome,
      sendRequest(http2ClientOf(gone)).outcome,
      sendRequest(http2ClientOf(silent, 50)).outcome,
    ];
    await eventually(() => outcomes.every(({ end }) => end !== undefined));
    expect(outcomes.map(({ end, unsent }) => [end, unsent])).toEqual([
      ['upstream_connect_failed', true],
      ['upstream_connect_failed', true],
      ['upstream_connect_timeout', true],
    ]);
  });
});

describe('room', () => {
  it('is what the upstream says: the next requests wait or have another connection, and one more is refused', async () => {
    const streams: ServerHttp2Stream[] = [];
    await using upstream = await startHttp2Upstream((stream) => void streams.push(stream), {
      settings: { maxConcurrentStreams: 2 },
    });
    const client = http2ClientOf(upstream, 60_000, { connectionsPerTargetMax: 2, waitingPerTargetMax: 3 });
    const outcomes = Array.from({ length: 3 }, () => sendRequest(client).outcome);
    await eventually(() => streams.length === 3);
    outcomes.push(...Array.from({ length: 5 }, () => sendRequest(client).outcome));
    await eventually(() => streams.length === 4 && outcomes[7]?.end !== undefined);
    expect(outcomes[7]).toMatchObject({ end: 'upstream_busy', unsent: true });
    expect(upstream.sessions).toHaveLength(2);
    for (let turn = 0; turn < 7; turn += 1) {
      (await eventually(() => streams[turn])).respond({ ':status': 200 }, { endStream: true });
    }
    await eventually(() => outcomes.slice(0, 7).every(({ end }) => end === 'whole'));
    expect(upstream.sessions).toHaveLength(2);
    client.close();
  });

  it('that does not come in time is not waited for', async () => {
    await using upstream = await startHttp2Upstream(() => undefined, { settings: { maxConcurrentStreams: 1 } });
    const client = http2ClientOf(upstream, 300, { connectionsPerTargetMax: 1, waitingPerTargetMax: 3 });
    const first = sendRequest(client);
    await eventually(() => upstream.sessions.length === 1);
    const waiting = sendRequest(client).outcome;
    await eventually(() => waiting.end !== undefined);
    expect(waiting).toMatchObject({ end: 'upstream_busy', unsent: true });
    first.call.abort();
    client.close();
  });
});
