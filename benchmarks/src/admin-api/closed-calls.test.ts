import { describe, expect, it } from 'vitest';
import { closedCalls } from './closed-calls.ts';

describe('closedCalls', () => {
  it('makes each call once, and never more at a time than there are callers', async () => {
    const seen: number[] = [];
    let running = 0;
    let most = 0;
    const times = await closedCalls(50, 4, async (index) => {
      running += 1;
      most = Math.max(most, running);
      await Promise.resolve();
      seen.push(index);
      running -= 1;
    });
    expect(seen.toSorted((left, right) => left - right)).toEqual(Array.from({ length: 50 }, (_, index) => index));
    expect(most).toBe(4);
    expect(times.perSecond).toBeGreaterThan(0);
    expect(times.p99Ms).toBeGreaterThanOrEqual(times.p50Ms);
  });

  it('fails with the first call that fails', async () => {
    await expect(closedCalls(3, 1, () => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
  });
});
