import { SharedStoreError, type SharedStore } from '@portcullis/plugin-runtime';
import { FakeClock } from '@portcullis/testkit';
import { expect, it } from 'vitest';
import { StoreWatch } from './store-watch.ts';

it.each([
  ['one waits', 1, 240, 20],
  ['many wait', 8, 10, 10],
])('decides alone when the store says nothing: %s', async (_name, calls, patientMs, moreMs) => {
  const { watch, clock, turn } = watchOf();
  const ends = Array.from({ length: calls }, () => watch.wait(new Promise<string>(() => undefined), () => 'alone'));
  const isOver = stateOf(Promise.all(ends));
  await turn(patientMs);
  expect([isOver(), watch.isSilent()]).toEqual([false, false]);
  await turn(moreMs);
  expect([isOver(), watch.isSilent()]).toEqual([true, true]);
  expect(await Promise.all(ends)).toEqual(ends.map(() => 'alone'));
  expect(clock.pendingTimers).toBe(0);
});

it('does not wait twice as long because a timer came a little early', async () => {
  const { watch, turn } = watchOf(0.3);
  const ends = Array.from({ length: 8 }, () => watch.wait(new Promise<string>(() => undefined), () => 'alone'));
  const isOver = stateOf(Promise.all(ends));
  await turn(20);
  expect(isOver()).toBe(true);
});

it('waits for a store that is slow, as long as it says something', async () => {
  const { watch, turn } = watchOf();
  const slow = Promise.withResolvers<string>();
  const late = Array.from({ length: 8 }, () => watch.wait(slow.promise, () => 'alone'));
  for (let answered = 0; answered < 20; answered += 1) {
    expect(await watch.wait(Promise.resolve('quick'), () => 'alone')).toBe('quick');
    await turn(10);
  }
  slow.resolve('slow');
  expect(new Set(await Promise.all(late))).toEqual(new Set(['slow']));
});

it('asks a silent store now and then, and trusts it when it answers', async () => {
  const { watch, turn, probes } = watchOf();
  void watch.wait(new Promise<string>(() => undefined), () => 'alone');
  for (let waited = 0; waited < 20; waited += 1) await turn(15);
  for (let asked = 0; asked < 10; asked += 1) expect(watch.isSilent()).toBe(true);
  expect(probes).toHaveLength(1);
  probes[0]?.reject(new SharedStoreError('timeout', 'still silent'));
  await turn(250);
  expect([watch.isSilent(), probes.length]).toEqual([true, 2]);
  probes[1]?.resolve(1);
  await turn(0);
  expect(watch.isSilent()).toBe(false);
});

it('decides alone at once when a call fails, and hides no mistake', async () => {
  const { watch } = watchOf();
  const failed = Promise.reject(new SharedStoreError('unavailable', 'gone'));
  expect(await watch.wait(failed, (failure) => failure)).toBe('unavailable');
  await expect(watch.wait(Promise.reject(new TypeError('garbage')), () => 'alone')).rejects.toThrow('garbage');
});

/** @param lateMs by how much the clock that is read is behind the timers' */
function watchOf(lateMs = 0) {
  const clock = new FakeClock();
  let behindMs = 0;
  const probes: PromiseWithResolvers<unknown>[] = [];
  const store: SharedStore = {
    run: () => {
      const probe = Promise.withResolvers<unknown>();
      probes.push(probe);
      return probe.promise;
    },
  };
  const timers = {
    set: (callback: () => void, delayMs: number) => ((behindMs = lateMs), clock.setTimer(callback, delayMs)),
    clear: (cancel: unknown) => (cancel as (() => void) | undefined)?.(),
  };
  /** Moves time on in small steps, and lets what follows come to its end. */
  const turn = async (milliseconds: number): Promise<void> => {
    for (let left = milliseconds; left >= 0; left -= 5) {
      clock.advance(Math.min(5, left));
      await new Promise((resolve) => setImmediate(resolve));
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return {
    clock,
    probes,
    turn,
    watch: new StoreWatch({ store, monotonicMs: () => clock.monotonicMs() - behindMs, timers }),
  };
}

function stateOf(promise: Promise<unknown>): () => boolean {
  let isOver = false;
  void promise.then(() => (isOver = true));
  return () => isOver;
}
