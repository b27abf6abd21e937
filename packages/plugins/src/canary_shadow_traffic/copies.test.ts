import { createEgress, type Egress } from '@portcullis/egress';
import { noOutbound, OutboundError, type OutboundRequest } from '@portcullis/plugin-runtime';
import { eventually, FakeClock } from '@portcullis/testkit';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { exchangeOf, PluginBench, type TestRequest } from '../testing/plugin-bench.ts';
import { copyLimits } from './copies.ts';
import { canaryShadowTraffic } from './index.ts';

const config = { canary_percentage: 100, canary_forward_url: 'https://shadow.test/v2' };

/** The way out as a list of calls, each of which somebody else ends. */
function heldCalls() {
  const calls: OutboundRequest[] = [];
  const ends: { resolve: () => void; reject: (error: unknown) => void }[] = [];
  const lines: [string, unknown][] = [];
  const clock = new FakeClock();
  const outbound = {
    open: noOutbound.open,
    request: (request: OutboundRequest) => {
      calls.push(request);
      const { promise, resolve, reject } = Promise.withResolvers<never>();
      ends.push({ resolve: () => resolve(undefined as never), reject });
      return promise;
    },
    resolve: () => Promise.reject(new Error('nobody asks')),
  };
  const log = { warn: (text: string, more?: object) => void lines.push([text, more]), error: () => undefined };
  return { calls, ends, lines, clock, bench: new PluginBench(canaryShadowTraffic, config, { outbound, log, clock }) };
}

const textOf = (body: unknown): string => Buffer.from((body ?? []) as Uint8Array).toString();
const sized = (body: string, more: TestRequest = {}): TestRequest => ({
  body,
  headers: ['content-length', `${body.length}`],
  ...more,
});

describe('copies of requests', () => {
  it('are the request with its query, fields and body, marked, while the request goes to its service', async () => {
    const { calls, bench } = heldCalls();
    const exchange = exchangeOf({
      ...{ method: 'PUT', path: '/orders/7', query: 'x=1', body: 'text', strippedLength: 7 },
      headers: ['content-length', '4', 'authorization', 'Bearer t', 'x-own', 'o'],
    });
    exchange.applyRequestEdits({ consumer: { id: 'acme', groups: ['a', 'b'] } });
    expect(await bench.chain.runRequest(exchange)).toBe('continue');
    expect([exchange.request.destination, exchange.request.path]).toEqual([undefined, '/orders/7']);
    expect(calls).toMatchObject([
      { url: 'https://shadow.test/v2/7?x=1', method: 'PUT', timeoutMs: copyLimits.timeoutMs },
    ]);
    expect([textOf(calls[0]?.body), calls[0]?.headers]).toEqual([
      'text',
      [
        ...[
          'X-Shadow-Request',
          '1',
          'CDN-Loop',
          'portcullis;copy=1',
          'content-length',
          '4',
          'authorization',
          'Bearer t',
          'x-own',
          'o',
        ],
        ...['X-Consumer-ID', 'acme', 'X-Consumer-Groups', 'a, b'],
      ],
    ]);
  });

  it('are sent without a wait when there is no body: the hook is over before anybody answers', () => {
    const { calls, bench } = heldCalls();
    expect(bench.chain.runRequest(exchangeOf({ method: 'GET' }))).toBe('continue');
    expect([calls.length, calls[0]?.body]).toEqual([1, undefined]);
  });

  it.each<[string, TestRequest]>([
    ['is itself a copy', { headers: ['x-shadow-request', '1'] }],
    ['came as a copy, whatever plugins left of its fields', { isCopy: true }],
    ['has a body of unknown length', { body: 'text' }],
    ['has a body that is too long', { body: 'x', headers: ['content-length', String(copyLimits.bodyBytesMax + 1)] }],
    ['has a length that is none', { body: 'x', headers: ['content-length', '1, 1'] }],
  ])('are not made of a request that %s, which is not touched', (_name, request) => {
    const { calls, bench } = heldCalls();
    const exchange = exchangeOf(request);
    expect(bench.chain.runRequest(exchange)).toBe('continue');
    expect(calls).toEqual([]);
  });

  it('are made of the longest body that is copied', async () => {
    const { calls, bench } = heldCalls();
    await bench.request(sized('x'.repeat(copyLimits.bodyBytesMax)));
    expect(calls[0]?.body?.length).toBe(copyLimits.bodyBytesMax);
  });

  it('are dropped and counted when too many are under way, and made again when there is room', async () => {
    const { calls, ends, lines, clock, bench } = heldCalls();
    const ask = () => bench.request({ method: 'GET' });
    for (let count = 0; count < copyLimits.inFlightMax; count += 1) await ask();
    expect([calls.length, lines]).toEqual([copyLimits.inFlightMax, []]);
    for (let count = 0; count < 5; count += 1) expect((await ask()).result).toBe('continue');
    // Their bodies are not read either.
    expect(bench.chain.runRequest(exchangeOf(sized('text')))).toBe('continue');
    expect(calls.length).toBe(copyLimits.inFlightMax);
    ends[0]?.resolve();
    ends[1]?.reject(new OutboundError('unreachable', 'not there'));
    await eventually(async () => (await ask(), calls.length === copyLimits.inFlightMax + 2));
    clock.advance(copyLimits.lineMs);
    ends[2]?.reject(new Error('something else'));
    await eventually(() => lines.length === 2);
    expect(lines[0]).toMatchObject(['copies of requests did not arrive', { failed: 0, dropped: 1, last_failure: '' }]);
    expect(lines[1]?.[1]).toMatchObject({ failed: 2, last_failure: 'failed' });
  });

  it('that fail are told once a minute, and an answer that is too long is none that failed', async () => {
    const { ends, lines, clock, bench } = heldCalls();
    const failWith = async (error: Error): Promise<void> => {
      await bench.request({ method: 'GET' });
      ends.at(-1)?.reject(error);
      await nextTurn();
    };
    await failWith(new OutboundError('too_large', 'long'));
    expect(lines).toEqual([]);
    await failWith(new OutboundError('refused', 'no'));
    await failWith(new OutboundError('timeout', 'late'));
    expect(lines).toMatchObject([
      ['copies of requests did not arrive', { failed: 1, dropped: 0, last_failure: 'refused' }],
    ]);
    clock.advance(copyLimits.lineMs);
    await failWith(new OutboundError('timeout', 'late'));
    expect(lines[1]).toMatchObject([
      'copies of requests did not arrive',
      { failed: 2, dropped: 0, last_failure: 'timeout' },
    ]);
  });

  it('go on when the client leaves', async () => {
    const { calls, bench } = heldCalls();
    const { exchange } = await bench.request({ method: 'GET' });
    exchange.abort();
    expect(calls[0]?.signal?.aborted).toBe(false);
  });

  it('give their place back when a client’s body breaks off', async () => {
    const { calls, bench } = heldCalls();
    for (let count = 0; count <= copyLimits.inFlightMax; count += 1) {
      const broken = exchangeOf({ headers: ['content-length', '4'], breaksBody: true });
      expect(await bench.chain.runRequest(broken)).toBe('failed');
    }
    await bench.request({ method: 'GET' });
    expect(calls.length).toBe(1);
  });
});

describe('a shadow that cannot be called', () => {
  const made: Egress[] = [];
  afterAll(() => Promise.all(made.map((egress) => egress.close())));

  it.each([
    ['by the outbound rule', 'https://127.0.0.1:1', [], 'refused'],
    ['because nobody is there', 'https://127.0.0.1:1', [{ address: '127.0.0.1' }], 'unreachable'],
  ])('%s changes nothing for the request', async (_name, url, allowed, failure) => {
    const outbound = createEgress({ allowed });
    made.push(outbound);
    const lines: unknown[] = [];
    const log = { warn: (_text: string, more?: object) => void lines.push(more), error: () => undefined };
    const bench = new PluginBench(canaryShadowTraffic, { ...config, canary_forward_url: url }, { outbound, log });
    const { result, exchange } = await bench.request({ method: 'GET' });
    expect([result, exchange.hasFailed]).toEqual(['continue', false]);
    await eventually(() => lines.length > 0);
    expect(lines).toMatchObject([{ failed: 1, dropped: 0, last_failure: failure }]);
  });
});
