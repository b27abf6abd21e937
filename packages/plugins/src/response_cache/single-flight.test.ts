import type { ExchangeState } from '@portcullis/plugin-runtime';
import { FakeClock } from '@portcullis/testkit';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CacheBench, type TestAnswer } from './cache-bench.test-support.ts';
import { Flights, WAIT_MS, WAITING_MAX } from './flights.ts';
import { PASS_MS } from './answer-store.ts';

/** Several requests for one thing, and which of them are at the service. */
async function together(bench: CacheBench, count: number) {
  const atService: ExchangeState[] = [];
  const hits: ExchangeState[] = [];
  const all = Array.from({ length: count }, async () => {
    const exchange = await bench.begin();
    (exchange.hasResponse ? hits : atService).push(exchange);
  });
  await turn();
  return { atService, hits, all: Promise.all(all) };
}

// Patience ends when a test says so, and not because the machine is slow.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

describe('many requests for one thing', () => {
  it('go on themselves when their patience ends', async () => {
    const bench = new CacheBench();
    const { atService, all } = await together(bench, 4);
    expect(atService).toHaveLength(1);
    vi.advanceTimersByTime(WAIT_MS);
    await all;
    expect(atService).toHaveLength(4);
  });

  it('ask the service once', async () => {
    const bench = new CacheBench();
    const { atService, hits, all } = await together(bench, 10);
    expect(atService).toHaveLength(1);
    for (const exchange of atService) await bench.finish(exchange, { body: 'one' });
    await all;
    expect([atService.length, hits.length]).toEqual([1, 9]);
    expect(hits.map((exchange) => bench.got(exchange, false).body)).toEqual(Array<string>(9).fill('one'));
  });

  it.each<[string, (bench: CacheBench, first: ExchangeState) => unknown]>([
    ['cannot be stored', (bench, first) => bench.finish(first, { headers: ['Cache-Control', 'no-store'] })],
    ['is too long', (bench, first) => bench.finish(first, { body: 'a'.repeat(99) })],
    ['varies by what nobody knows', (bench, first) => bench.finish(first, { headers: ['Vary', 'X-Missing, *'] })],
    ['is an error', (bench, first) => bench.finish(first, { status: 500 })],
    ['never comes: its client left', (_bench, first) => first.end({ status: undefined, isComplete: false })],
    ['is made by another plugin', (bench, first) => answerByPlugin(bench, first)],
  ])('go on all at once when the answer %s', async (_name, finish) => {
    const bench = new CacheBench({ ttl_seconds: 60, max_body_bytes: 50 });
    const { atService, hits, all } = await together(bench, 10);
    const [first] = atService;
    if (first !== undefined) await finish(bench, first);
    // At once, and not when their patience ends.
    await turn();
    expect([atService.length, hits.length]).toEqual([10, 0]);
    await all;
  });

  it('do not wait for what could not be stored lately', async () => {
    const bench = new CacheBench();
    const unstorable: TestAnswer = { headers: ['Cache-Control', 'no-store'] };
    await bench.get({}, unstorable);
    const now = await together(bench, 5);
    expect(now.atService).toHaveLength(5);
    for (const exchange of now.atService) await bench.finish(exchange, unstorable);
    bench.clock.advance(PASS_MS);
    const later = await together(bench, 5);
    expect(later.atService).toHaveLength(1);
    for (const exchange of [...later.atService]) await bench.finish(exchange);
    await later.all;
    expect(later.hits).toHaveLength(4);
  });

  it('wait although the service has just confirmed what one client has', async () => {
    const bench = new CacheBench();
    const headers = ['If-None-Match', '"1"', 'Cache-Control', 'no-cache'];
    const known = await bench.get({ headers }, { status: 304, body: '' });
    expect([known.sent('if-none-match'), known.status]).toEqual(['"1"', 304]);
    const { atService, all } = await together(bench, 5);
    expect(atService).toHaveLength(1);
    for (const exchange of [...atService]) await bench.finish(exchange);
    await all;
  });

  it('do not wait when they want no stored answer', async () => {
    const bench = new CacheBench();
    const first = await bench.begin();
    const forced = await bench.begin({ headers: ['Cache-Control', 'no-cache'] });
    expect(forced.hasResponse).toBe(false);
    await bench.finish(forced, { body: 'forced' });
    await bench.finish(first, { body: 'first' });
  });

  it('wait again as soon as an answer was stored', async () => {
    const bench = new CacheBench();
    await bench.get({}, { status: 500 });
    await bench.get({}, {});
    bench.clock.advance(60_000);
    const { atService, all } = await together(bench, 5);
    expect(atService).toHaveLength(1);
    for (const exchange of [...atService]) await bench.finish(exchange);
    await all;
  });

  it('get a stale answer while one asks, where the service allows it', async () => {
    const bench = new CacheBench({});
    await bench.get({}, { headers: ['Cache-Control', 'max-age=10, stale-while-revalidate=5'], body: 'old' });
    bench.clock.advance(15_000);
    const asking = await bench.begin();
    const meanwhile = await bench.get();
    expect([asking.hasResponse, meanwhile.cache, meanwhile.body]).toEqual([false, 'STALE', 'old']);
    await bench.finish(asking, { headers: ['Cache-Control', 'max-age=10'], body: 'new' });
    expect((await bench.get()).body).toBe('new');
  });

  it('tell each other nothing across credentials', async () => {
    const bench = new CacheBench();
    const first = await bench.begin();
    const other = await bench.begin({ headers: ['Authorization', 'a'] });
    expect([first.hasResponse, other.hasResponse]).toEqual([false, false]);
    await bench.finish(other, { body: 'of one' });
    await bench.finish(first, { body: 'of all' });
    expect((await bench.get()).body).toBe('of all');
  });
});

async function answerByPlugin(bench: CacheBench, exchange: ExchangeState): Promise<void> {
  exchange.setResponse({ status: 403, headers: [], source: 'plugin' });
  await bench.bench.chain.runResponse(exchange);
}

describe('waiting', () => {
  it('is bounded in number and time, and leaves nothing behind', async () => {
    const clock = new FakeClock();
    const flights = new Flights(clock.setTimer);
    const flight = flights.begin('a');
    expect(flights.begin('a')).toBeUndefined();
    const waits = Array.from({ length: WAITING_MAX }, () => flights.wait('a'));
    expect([waits.every((wait) => wait !== undefined), flights.wait('a'), flights.wait('b')]).toEqual([
      true,
      undefined,
      undefined,
    ]);
    clock.advance(WAIT_MS - 1);
    expect([flights.waiting, clock.pendingTimers]).toEqual([WAITING_MAX, WAITING_MAX]);
    clock.advance(1);
    for (const wait of waits) await wait;
    expect([flights.waiting, clock.pendingTimers, flights.has('a')]).toEqual([0, 0, true]);
    const last = flights.wait('a');
    flight?.land();
    flight?.land();
    await last;
    expect([flights.waiting, clock.pendingTimers, flights.has('a')]).toEqual([0, 0, false]);
  });

  it('is below what the runtime lets wait, so that none of it refuses a request that could be answered', async () => {
    const bench = new CacheBench();
    const { atService, all } = await together(bench, WAITING_MAX + 10);
    expect(atService).toHaveLength(10);
    expect((await bench.get({ path: '/other' })).cache).toBe('MISS');
    expect((await bench.get({ path: '/other' })).cache).toBe('HIT');
    for (const exchange of [...atService]) await bench.finish(exchange);
    await all;
  });
});

describe('a namespace', () => {
  it.each([
    ['is shared by its instances', { namespace: 'n' }, { namespace: 'n' }, 'HIT'],
    ['is apart from another', { namespace: 'n' }, { namespace: 'm' }, 'MISS'],
    [
      'is apart where requests are told apart otherwise',
      { namespace: 'n' },
      { namespace: 'n', vary_headers: ['x'] },
      'MISS',
    ],
    ['is apart where queries count', { namespace: 'n', include_query: false }, { namespace: 'n' }, 'MISS'],
    ['outlives an edit of an instance', { statuses: [200] }, { statuses: [200, 404] }, 'HIT'],
  ])('%s', async (_name, first, second, cache) => {
    const clock = new FakeClock();
    const [one, two] = [first, second].map((more) => new CacheBench({ ttl_seconds: 60, ...more }, clock));
    await one?.get();
    expect((await two?.get())?.cache).toBe(cache);
  });
});
