import { describe, expect, it } from 'vitest';
import { type AnswerStore, AnswerStoreError, type KeptAnswer } from '../answer-store.ts';
import { contractClock, entryOf } from './contract-entries.test-support.ts';
import { PAUSE_MAX_MS, PAUSE_MIN_MS } from './outage-pause.ts';
import { CALLS_MAX, SLOW_IN_A_ROW, SLOW_MS, SteadyStore } from './steady-store.ts';

/** A store that does what the test says, and counts its calls. */
function storeOf(answer: () => Promise<KeptAnswer | undefined>): AnswerStore & { calls: number } {
  const store = {
    calls: 0,
    get: () => {
      store.calls += 1;
      return answer();
    },
    findLike: async () => {
      await store.get();
      return [];
    },
    put: async () => {
      await store.get();
    },
  };
  return store;
}

const down = (): Promise<never> => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.1'));
const query = { partition: 'p', vector: new Float32Array([1]), similarityMin: 0.9, limit: 5 };

describe('a store that fails', () => {
  it('is left alone for longer and longer, and asked again', async () => {
    const clock = contractClock();
    const inner = storeOf(down);
    const store = new SteadyStore(inner, clock);
    let pauseMs = PAUSE_MIN_MS;
    for (let failures = 1; failures <= 12; failures += 1) {
      for (const call of [() => store.get('k'), () => store.findLike(query), () => store.put(entryOf({ seed: 1 }))]) {
        const failure: unknown = await call().catch((error: unknown) => error);
        expect(failure).toMatchObject({ name: 'AnswerStoreError', code: 'unavailable' });
        expect(String(failure)).not.toContain('10.0.0.1');
      }
      expect(inner.calls).toBe(failures);
      clock.ms += pauseMs - 1;
      await store.get('k').catch(() => undefined);
      expect(inner.calls).toBe(failures);
      clock.ms += 1;
      pauseMs = Math.min(PAUSE_MAX_MS, 2 * pauseMs);
    }
  });

  it('is trusted again after one answer', async () => {
    const clock = contractClock();
    let isDown = true;
    const inner = storeOf(() => (isDown ? down() : Promise.resolve(undefined)));
    const store = new SteadyStore(inner, clock);
    await store.get('k').catch(() => undefined);
    clock.ms += PAUSE_MIN_MS;
    isDown = false;
    expect(await store.get('k')).toBeUndefined();
    isDown = true;
    await store.get('k').catch(() => undefined);
    clock.ms += PAUSE_MIN_MS;
    isDown = false;
    expect(await store.get('k')).toBeUndefined();
  });

  it('calls that were under way together are one failure', async () => {
    const clock = contractClock();
    const inner = storeOf(down);
    const store = new SteadyStore(inner, clock);
    await Promise.allSettled(Array.from({ length: 20 }, () => store.get('k')));
    clock.ms += PAUSE_MIN_MS;
    await store.get('k').catch(() => undefined);
    expect(inner.calls).toBe(21);
  });

  it('a missing index is no outage', async () => {
    const inner = storeOf(() => Promise.reject(new AnswerStoreError('no_index', 'no index')));
    const store = new SteadyStore(inner, contractClock());
    for (let tries = 0; tries < 3; tries += 1) {
      await expect(store.findLike(query)).rejects.toMatchObject({ code: 'no_index' });
    }
    expect(inner.calls).toBe(3);
  });
});

describe('a store that is slow', () => {
  it('is left alone after a few slow look-ups, longer each time, until one is not', async () => {
    const clock = contractClock();
    let takesMs = SLOW_MS + 1;
    const inner = storeOf(async () => void (clock.ms += takesMs));
    const store = new SteadyStore(inner, clock);
    for (let calls = 0; calls < SLOW_IN_A_ROW; calls += 1) await store.get('k');
    await expect(store.get('k')).rejects.toMatchObject({ code: 'unavailable' });
    clock.ms += PAUSE_MIN_MS;
    await store.get('k');
    clock.ms += 2 * PAUSE_MIN_MS - 1;
    await expect(store.get('k')).rejects.toMatchObject({ code: 'unavailable' });
    expect(inner.calls).toBe(SLOW_IN_A_ROW + 1);
    clock.ms += 1;
    takesMs = SLOW_MS;
    for (let calls = 0; calls < 9; calls += 1) await store.findLike(query);
    expect(inner.calls).toBe(SLOW_IN_A_ROW + 10);
  });

  it('what is put may take its time', async () => {
    const clock = contractClock();
    const inner = storeOf(async () => void (clock.ms += 10 * SLOW_MS));
    const store = new SteadyStore(inner, clock);
    for (let calls = 0; calls < 9; calls += 1) await store.put(entryOf({ seed: 1 }));
    expect(inner.calls).toBe(9);
    for (let calls = 0; calls < SLOW_IN_A_ROW; calls += 1) await store.get('k');
    clock.ms += PAUSE_MIN_MS;
    await store.put(entryOf({ seed: 1 }));
    // It said nothing of look-ups: the next one decides, at once.
    await store.get('k');
    expect(inner.calls).toBe(9 + SLOW_IN_A_ROW + 2);
  });

  it('who leaves waits no longer, and that is no outage', async () => {
    const waiting: ((answer: undefined) => void)[] = [];
    const inner = storeOf(() => new Promise((resolve) => waiting.push(resolve)));
    const store = new SteadyStore(inner, contractClock());
    const leaving = new AbortController();
    const left = store.get('k', leaving.signal);
    leaving.abort();
    await expect(left).rejects.toMatchObject({ code: 'unavailable' });
    await expect(store.get('k', AbortSignal.abort())).rejects.toMatchObject({ code: 'unavailable' });
    const stays = store.get('k');
    for (const resolve of waiting) resolve(undefined);
    expect(await stays).toBeUndefined();
    expect(inner.calls).toBe(2);
  });

  it('takes no more than so many calls at a time', async () => {
    const waiting: ((answer: undefined) => void)[] = [];
    const inner = storeOf(() => new Promise((resolve) => waiting.push(resolve)));
    const store = new SteadyStore(inner, contractClock());
    const calls = Array.from({ length: CALLS_MAX }, () => store.get('k'));
    await expect(store.get('k')).rejects.toMatchObject({ code: 'unavailable' });
    for (const resolve of waiting) resolve(undefined);
    await Promise.all(calls);
    expect(inner.calls).toBe(CALLS_MAX);
    const next = store.get('k');
    for (const resolve of waiting) resolve(undefined);
    expect(await next).toBeUndefined();
  });
});
