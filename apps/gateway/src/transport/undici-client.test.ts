import { eventually, startUpstream, type Upstream } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { AddressGuard } from './address-guard.ts';
import { UndiciClient } from './undici-client.ts';
import type { UpstreamCall, UpstreamRequest } from './upstream-transport.ts';

const guard = new AddressGuard({ host: '192.0.2.1', port: 1 });
const limits = { connectionsPerTargetMax: 2, waitingPerTargetMax: 3 };

/** A client for two requests at a time, three more waiting. */
function clientOf(upstream: Upstream, connectTimeoutMs: number): UndiciClient {
  return new UndiciClient(
    { protocol: 'http', host: '127.0.0.1', port: upstream.port, connectTimeoutMs },
    guard,
    limits,
  );
}

/** Sends a request; how it ends goes into `ends`. */
function send(client: UndiciClient, ends: string[], more: Partial<UpstreamRequest> = {}): UpstreamCall {
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

  it('counts what was given up while it waited: clients that come and go make no endless queue', async () => {
    await using upstream = await startUpstream(() => undefined);
    const client = clientOf(upstream, 10_000);
    const ends: string[] = [];
    const running = [send(client, ends), send(client, ends)];
    for (let index = 0; index < 3; index += 1) send(client, ends).abort();
    send(client, ends);
    await eventually(() => ends.length === 4);
    expect(ends).toEqual(['aborted', 'aborted', 'aborted', 'upstream_busy']);
    for (const call of running) call.abort();
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
