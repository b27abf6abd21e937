import { eventually, startUpstream, type Upstream } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { AddressGuard } from './address-guard.ts';
import { Http1Client } from './http1-client.ts';
import { clientOf as rawClientOf, send as sendRaw, startRawUpstream } from './http1-client.test-support.ts';
import type { UpstreamCall, UpstreamRequest } from './upstream-transport.ts';

const guard = new AddressGuard({ host: '192.0.2.1', port: 1 });
const limits = { connectionsPerTargetMax: 2, waitingPerTargetMax: 3 };

/** A client for two requests at a time, three more waiting. */
function clientOf(upstream: Upstream, connectTimeoutMs: number): Http1Client {
  return new Http1Client({ protocol: 'http', host: '127.0.0.1', port: upstream.port, connectTimeoutMs }, guard, limits);
}

/** Sends a request; how it ends goes into `ends`. */
function send(client: Http1Client, ends: string[], more: Partial<UpstreamRequest> = {}): UpstreamCall {
  const times = { readTimeoutMs: 10_000, writeTimeoutMs: 10_000 };
  const request = { method: 'GET', path: '/', headers: ['host', 'a'], body: undefined, ...times, ...more };
  return client.send(request, {
    onResponse: () => undefined,
    onChunk: () => undefined,
    onEnd: () => ends.push('whole'),
    onFailure: ({ code }) => ends.push(code),
  });
}

describe('an upstream client without a free connection', () => {
  it('lets a bounded number of requests wait, refuses the next at once, and takes new ones when there is room', async () => {
    const answers: (() => void)[] = [];
    await using upstream = await startUpstream((_req, res) => void answers.push(() => res.end('ok')));
    const client = clientOf(upstream, 10_000);
    const ends: string[] = [];
    for (let index = 0; index < 6; index += 1) send(client, ends);
    await eventually(() => ends.length === 1 && answers.length === 2);
    expect(ends).toEqual(['upstream_busy']);
    for (let turn = 0; turn < 5; turn += 1) (await eventually(() => answers[turn]))();
    await eventually(() => ends.length === 6);
    expect(ends.slice(1)).toEqual(['whole', 'whole', 'whole', 'whole', 'whole']);
    for (let index = 0; index < 5; index += 1) send(client, ends);
    for (let turn = 5; turn < 10; turn += 1) (await eventually(() => answers[turn]))();
    await eventually(() => ends.length === 11);
    expect(ends.slice(6)).toEqual(['whole', 'whole', 'whole', 'whole', 'whole']);
    client.close();
  });

  it('lets none wait longer than a connection may take', async () => {
    await using upstream = await startUpstream(() => undefined);
    const client = clientOf(upstream, 300);
    const ends: string[] = [];
    const calls = [1, 2, 3].map(() => send(client, ends));
    await eventually(() => ends.length === 1);
    expect(ends).toEqual(['upstream_busy']);
    for (const call of calls) call.abort();
    client.close();
  });

  it('forgets at once what was given up while it waited: clients that come and go take no room', async () => {
    await using upstream = await startUpstream(() => undefined);
    const client = clientOf(upstream, 10_000);
    const ends: string[] = [];
    const running = [send(client, ends), send(client, ends)];
    for (let index = 0; index < 9; index += 1) send(client, ends).abort();
    const waiting = [1, 2, 3].map(() => send(client, ends));
    send(client, ends);
    await eventually(() => ends.length === 10);
    expect(ends).toEqual([...Array<string>(9).fill('aborted'), 'upstream_busy']);
    for (const call of [...running, ...waiting]) call.abort();
    expect(ends.slice(10)).toEqual(Array<string>(5).fill('aborted'));
    client.close();
  });
});

describe('an upstream that takes too long', () => {
  const bytes = new Uint8Array(1000);

  it.each<[string, Partial<UpstreamRequest>]>([
    ['no body', {}],
    ['a body in memory', { method: 'PUT', body: bytes }],
  ])('is given up when it does not answer a request with %s', async (_name, more) => {
    await using upstream = await startUpstream(() => undefined);
    const client = clientOf(upstream, 10_000);
    const ends: string[] = [];
    send(client, ends, { readTimeoutMs: 200, ...more });
    await eventually(() => ends.length === 1, { timeoutMs: 10_000 });
    expect(ends).toEqual(['upstream_timeout']);
    client.close();
  });

  it.each([
    ['the head', (at: number) => (at === 0 ? 'HTTP/1.1 200 OK\r\nx: ' : 'y')],
    ['interim answers', () => 'HTTP/1.1 103 Hints\r\n\r\n'],
  ])('is given up when it sends %s bit by bit and never the whole', async (_name, piece) => {
    await using upstream = await startRawUpstream((socket) => {
      let at = 0;
      const timer = setInterval(() => socket.write(piece(at++)), 50);
      socket.on('close', () => clearInterval(timer));
    });
    const client = rawClientOf(upstream);
    const { heard } = sendRaw(client, { readTimeoutMs: 300 });
    await eventually(() => heard.end !== '', { timeoutMs: 5000 });
    expect(heard.end).toBe('upstream_timeout');
    client.close();
  });

  it('is given up in the middle of its answer, but not while nobody takes it', async () => {
    await using upstream = await startUpstream(
      (_req, res) => void res.writeHead(200, { 'content-length': '10' }).write('some'),
    );
    const client = clientOf(upstream, 10_000);
    const ends: string[] = [];
    const request = { method: 'GET', path: '/', headers: ['host', 'a'], body: undefined };
    const isPaused = Promise.withResolvers<undefined>();
    const paused = client.send(
      { ...request, readTimeoutMs: 200, writeTimeoutMs: 10_000 },
      {
        onResponse: () => {
          paused.pause();
          isPaused.resolve(undefined);
        },
        onChunk: () => undefined,
        onEnd: () => ends.push('paused: whole'),
        onFailure: ({ code }) => ends.push(`paused: ${code}`),
      },
    );
    await isPaused.promise;
    send(client, ends, { readTimeoutMs: 1000 });
    await eventually(() => ends.length > 0);
    expect(ends).toEqual(['upstream_timeout']);
    paused.abort();
    client.close();
  });
});

describe('a connection', () => {
  /** Sends requests one after the other, each when the answer before is whole. */
  const sendAll = async (client: Http1Client, requests: readonly Partial<UpstreamRequest>[]): Promise<string[]> => {
    const ends: string[] = [];
    for (const [index, more] of requests.entries()) {
      send(client, ends, more);
      await eventually(() => ends.length > index);
    }
    client.close();
    return ends;
  };

  it.each<[string, Partial<UpstreamRequest>, number]>([
    ['is used again', {}, 1],
    ['is used again after a body', { method: 'POST', body: new Uint8Array(100_000) }, 1],
    ['is not used again after HEAD: a body might follow', { method: 'HEAD' }, 3],
    ['is not used again where the request says so', { headers: ['host', 'a', 'Connection', 'close'] }, 3],
  ])('%s', async (_name, more, connections) => {
    const seen = new Set<unknown>();
    await using upstream = await startUpstream((req, res) => {
      seen.add(req.socket);
      res.end('ok');
    });
    expect(await sendAll(clientOf(upstream, 10_000), [more, more, more])).toEqual(['whole', 'whole', 'whole']);
    expect(seen.size).toBe(connections);
  });

  it('is closed before the upstream would do it', async () => {
    await using upstream = await startUpstream((_req, res) => void res.setHeader('keep-alive', 'timeout=1').end('ok'));
    expect(await sendAll(clientOf(upstream, 10_000), [{}, {}])).toEqual(['whole', 'whole']);
    expect(upstream.connections()).toBe(2);
  });

  it.each<[string, Partial<UpstreamRequest>]>([
    ['a path with a line end', { path: '/a\r\nx: y' }],
    ['a path with a blank', { path: '/a b' }],
    ['a method that is none', { method: 'GET /x' }],
    ['the method of tunnels', { method: 'CONNECT' }],
    ['a value with a line end', { headers: ['host', 'a', 'x', 'a\nb'] }],
    ['a value beyond bytes', { headers: ['host', 'a', 'x', '\u0100'] }],
    ['a name that is none', { headers: ['host', 'a', 'x y', ''] }],
    ['two hosts', { headers: ['host', 'a', 'Host', 'b'] }],
    ['framing of its own', { headers: ['host', 'a', 'Transfer-Encoding', 'chunked'] }],
    ['an expectation', { headers: ['host', 'a', 'expect', '100-continue'] }],
    ['an upgrade that nobody asked for', { headers: ['host', 'a', 'upgrade', 'h2c'] }],
  ])('never carries %s', async (_name, more) => {
    await using upstream = await startUpstream((_req, res) => void res.end('ok'));
    expect(await sendAll(clientOf(upstream, 10_000), [more])).toEqual(['request_not_sendable']);
    expect(upstream.connections()).toBe(0);
  });
});

it('an answer whose reader stops it and goes on in the same turn is read to its end', async () => {
  const size = 1_000_000;
  await using upstream = await startUpstream((_req, res) => void res.end(Buffer.alloc(size, 'x')));
  const client = clientOf(upstream, 10_000);
  let bytes = 0;
  const whole = Promise.withResolvers<undefined>();
  const times = { readTimeoutMs: 10_000, writeTimeoutMs: 10_000 };
  const turn = (): void => {
    call.pause();
    call.resume();
  };
  const call = client.send(
    { method: 'GET', path: '/', headers: ['host', 'a'], body: undefined, ...times },
    {
      onResponse: turn,
      onChunk: (chunk) => {
        bytes += chunk.length;
        turn();
      },
      onEnd: () => whole.resolve(undefined),
      onFailure: ({ code }) => whole.reject(new Error(code)),
    },
  );
  await whole.promise;
  expect(bytes).toBe(size);
  client.close();
});
