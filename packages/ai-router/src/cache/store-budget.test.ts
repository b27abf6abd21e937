import { describe, expect, it } from 'vitest';
import { LOOK_UPS_MS_MAX, StoreBudget } from './store-budget.ts';
import { contractClock } from './stores/contract-entries.test-support.ts';

describe('the time for look-ups', () => {
  it('is one for all of a request, and what lies between does not count', async () => {
    const clock = contractClock();
    const timers: { ms: number; callback: () => void }[] = [];
    let stopped = 0;
    const after = (ms: number, callback: () => void) => {
      timers.push({ ms, callback });
      return () => void (stopped += 1);
    };
    const budget = new StoreBudget(clock, { after });
    const first = Promise.withResolvers<string>();
    const got = budget.within(first.promise);
    clock.ms += 100;
    first.resolve('answer');
    expect(await got).toBe('answer');
    clock.ms += 5000;
    const second = budget.within(Promise.withResolvers().promise);
    expect(timers.map(({ ms }) => ms)).toEqual([LOOK_UPS_MS_MAX, LOOK_UPS_MS_MAX - 100]);
    timers[1]?.callback();
    await expect(second).rejects.toMatchObject({ code: 'unavailable' });
    expect(stopped).toBe(1);
    await expect(budget.within(Promise.reject(new Error('down')))).rejects.toThrow('down');
  });
});
