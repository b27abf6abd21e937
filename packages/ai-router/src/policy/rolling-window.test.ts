import fc from 'fast-check';
import { expect, it } from 'vitest';
import { MOMENTS_PER_WINDOW_MAX, RollingWindow } from './rolling-window.ts';

const LENGTH_MS = 60_000;

it('never forgets a request before its time, and all of them in time, however many come', () => {
  const gaps = fc.array(fc.integer({ min: 0, max: 200 }), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(gaps, fc.boolean(), (pattern, isScarce) => {
      const window = new RollingWindow({ left: isScarce ? 0 : 1000 });
      const moments: number[] = [];
      let nowMs = 0;
      for (let request = 0; request < 4000; request += 1) {
        nowMs += pattern[request % pattern.length] ?? 0;
        moments.push(nowMs);
        window.count(nowMs, LENGTH_MS);
        if (request % 100 !== 0) continue;
        const exact = moments.filter((moment) => moment > nowMs - LENGTH_MS).length;
        // Moments that became one count as long as the latest.
        const late = moments.filter((moment) => moment > nowMs - LENGTH_MS - LENGTH_MS / 32).length;
        expect(window.used(nowMs, LENGTH_MS)).toBeGreaterThanOrEqual(exact);
        expect(window.used(nowMs, LENGTH_MS)).toBeLessThanOrEqual(late);
      }
      expect(window.used(nowMs + LENGTH_MS, LENGTH_MS)).toBe(0);
    }),
    { numRuns: 20 },
  );
});

it('is exact up to its bound, and keeps a bounded number of moments and gives all back', () => {
  const budget = { left: 100_000 };
  const window = new RollingWindow(budget);
  for (let request = 0; request < MOMENTS_PER_WINDOW_MAX; request += 1) window.count(request * 3, LENGTH_MS);
  expect(window.used(LENGTH_MS, LENGTH_MS)).toBe(MOMENTS_PER_WINDOW_MAX - 1);
  expect(window.waitMs(LENGTH_MS, LENGTH_MS, MOMENTS_PER_WINDOW_MAX - 3)).toBe(6);
  for (let request = 0; request < 50_000; request += 1) window.count(LENGTH_MS + request, LENGTH_MS);
  expect(100_000 - budget.left).toBeLessThanOrEqual(2 * MOMENTS_PER_WINDOW_MAX + 1);
  expect(window.used(10 * LENGTH_MS, LENGTH_MS)).toBe(0);
  expect(budget.left).toBe(100_000);
  window.count(10 * LENGTH_MS, LENGTH_MS);
  window.drop();
  expect(budget.left).toBe(100_000);
});
