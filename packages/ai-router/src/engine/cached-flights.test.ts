import { chatAnswer, eventually, openAiError } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import type { AnswerStore } from '../cache/answer-store.ts';
import { FOLLOWERS_MAX, FOLLOWED_MS_MAX, Flights } from '../cache/flights.ts';
import { LOOK_UPS_MS_MAX } from '../cache/store-budget.ts';
import { HeldTransport, startCached } from './cached.test-support.ts';
import { takeAnswer } from './router.test-support.ts';

const state = (answer: { header(name: string): string | undefined }) => answer.header('x-gateway-ai-cache');

describe('the same question many times at once', () => {
  it('is asked once, and all get its answer', async () => {
    const transport = new HeldTransport();
    await using test = await startCached({ transport });
    const asked = Array.from({ length: 20 }, () => test.ask());
    await eventually(() => expect(transport.held).toBe(1));
    transport.release();
    const answers = await Promise.all(asked);
    expect(answers.filter((answer) => state(answer) === 'hit')).toHaveLength(19);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect([test.calls(), test.answers.flights.size]).toEqual([1, 0]);
  });

  it('is asked by each when the first fails, and none of them fails by that', async () => {
    const transport = new HeldTransport();
    await using test = await startCached({ transport });
    test.providers['first']?.plan(openAiError(400, 'invalid_request_error'), chatAnswer());
    const asked = Array.from({ length: 5 }, () => test.ask());
    await eventually(() => expect(transport.held).toBe(1));
    transport.release();
    const answers = await Promise.all(asked);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(4);
    expect(test.answers.flights.size).toBe(0);
  });

  it('a client that waits for another leaves at once, and the other goes on', async () => {
    const transport = new HeldTransport();
    await using test = await startCached({ transport });
    const leaving = new AbortController();
    const first = test.begin({});
    const second = test.begin({}, leaving.signal);
    await eventually(() => expect(transport.held).toBe(1));
    leaving.abort();
    expect((await second).status).toBe(499);
    transport.release();
    expect((await takeAnswer(await first)).status).toBe(200);
    expect([test.calls(), test.answers.flights.size]).toEqual([1, 0]);
  });

  it('goes on when the client of the first leaves', async () => {
    const transport = new HeldTransport();
    await using test = await startCached({ transport });
    const leaving = new AbortController();
    const first = test.begin({}, leaving.signal);
    const second = test.begin({});
    await eventually(() => expect(transport.held).toBe(1));
    leaving.abort();
    transport.release();
    expect((await first).status).toBe(499);
    const answer = await takeAnswer(await second);
    expect([answer.status, state(answer)]).toEqual([200, 'miss']);
    expect([test.calls(), test.answers.flights.size]).toEqual([2, 0]);
  });

  it('is asked by each who will not have what was kept', async () => {
    const transport = new HeldTransport();
    await using test = await startCached({ transport });
    const asked = [test.ask(), test.ask({}, { cacheControl: 'no-cache' })];
    await eventually(() => expect(transport.held).toBe(2));
    transport.release();
    expect((await Promise.all(asked)).map(state)).toEqual(['miss', 'bypass']);
  });
});

describe('a store that has to be waited for', () => {
  it('is searched once, and who waits hears how the answer was found', async () => {
    const searches: (() => void)[] = [];
    const answer = { body: '{"kept":true}', provider: 'p', model: 'm', storedAtMs: Date.now(), expiresAtMs: Infinity };
    const found = [{ key: 'k', prompt: ' Hello?', similarity: 0.95, answer }];
    const store: AnswerStore = {
      get: () => Promise.resolve(undefined),
      findLike: () => new Promise((resolve) => searches.push(() => resolve(found))),
      put: () => undefined,
    };
    // Time stands still: a busy machine takes longer to ask than a store may take to answer.
    await using test = await startCached({
      config: { mode: 'hybrid' },
      store,
      timers: { after: () => () => undefined },
    });
    const asked = Array.from({ length: 5 }, () => test.ask());
    await eventually(() => expect(searches).toHaveLength(1));
    for (const search of searches) search();
    const answers = await Promise.all(asked);
    expect(answers.map((one) => one.header('x-gateway-ai-cache-type'))).toEqual(Array(5).fill('semantic'));
    expect(answers.map((one) => one.header('x-gateway-ai-cache-similarity'))).toEqual(Array(5).fill('0.95'));
    expect([searches.length, test.calls(), test.answers.flights.size]).toEqual([1, 0, 0]);
  });

  it('and never answers is not waited for longer than a request may wait for its store', async () => {
    const waits: number[] = [];
    const after = (ms: number, callback: () => void): (() => void) => {
      waits.push(ms);
      // Only the store's time runs out here.
      if (ms <= LOOK_UPS_MS_MAX) queueMicrotask(callback);
      return () => undefined;
    };
    const never = () => new Promise<never>(() => undefined);
    const store: AnswerStore = { get: never, findLike: never, put: () => undefined };
    await using test = await startCached({ config: { mode: 'hybrid' }, store, timers: { after } });
    const answer = await test.ask();
    expect([answer.status, state(answer), test.calls()]).toEqual([200, 'miss', 1]);
    expect(waits).toContain(LOOK_UPS_MS_MAX);
  });
});

describe('who waits', () => {
  const timersOf = () => {
    const waiting = new Set<() => void>();
    const after = (ms: number, callback: () => void): (() => void) => {
      expect(ms).toBe(FOLLOWED_MS_MAX);
      waiting.add(callback);
      return () => void waiting.delete(callback);
    };
    return { after, waiting };
  };

  it('waits so long and no longer, and is bounded in number', async () => {
    const timers = timersOf();
    const flights = new Flights<string>(timers);
    const { signal } = new AbortController();
    expect([flights.follow('k', signal), flights.lead('k'), flights.lead('k')]).toEqual([undefined, true, false]);
    const waiting = Array.from({ length: FOLLOWERS_MAX }, () => flights.follow('k', signal));
    expect(flights.follow('k', signal)).toBeUndefined();
    const [tooLong] = timers.waiting;
    tooLong?.();
    expect(await waiting[0]).toBeUndefined();
    flights.land('k', 'answer');
    for (const one of waiting.slice(1)) expect(await one).toBe('answer');
    expect([timers.waiting.size, flights.size]).toEqual([0, 0]);
    const gone = new AbortController();
    gone.abort();
    flights.lead('k');
    expect(flights.follow('k', gone.signal)).toBeUndefined();
  });
});
