import { describe, expect, it } from 'vitest';
import { Counters } from './counters.ts';
import { limitWindows } from './limit-window.ts';
import { RequestLimits } from './request-limits.ts';

const MINUTE_MS = 60_000;

function limitsOf(counters: Counters, limit: number, countersMax?: number, onCrowded = () => undefined): RequestLimits {
  const windows = limitWindows({ limit, window_seconds: 60 });
  const bound = countersMax === undefined ? {} : { countersMax };
  return new RequestLimits({ windows, isSliding: true, counters, onCrowded, ...bound });
}

describe('a set of counters', () => {
  it('has its whole budget again when what was kept is over, however it went', () => {
    const counters = new Counters(1000);
    const limits = limitsOf(counters, 100_000);
    // A steady flow: moments come at one end and go at the other.
    for (let nowMs = 0; nowMs < 10 * MINUTE_MS; nowMs += 100) limits.take('steady', nowMs);
    expect(counters.budget.isSpent).toBe(false);
    expect(counters.budget.isScarce).toBe(false);
    for (let nowMs = 10 * MINUTE_MS; nowMs < 10 * MINUTE_MS + 2000; nowMs += 1) limits.take('burst', nowMs);
    expect(counters.budget.isScarce).toBe(true);
    limits.release();
    expect(counters.budget.left).toBe(1000);
  });

  it('looks for clients that are gone when the budget is scarce, without new clients coming', () => {
    const counters = new Counters(10_000);
    const limits = limitsOf(counters, 100_000);
    for (let client = 0; client < 100; client += 1)
      for (let nowMs = 0; nowMs < 95; nowMs += 1) limits.take(`gone${client}`, client * 95 + nowMs);
    expect(counters.budget.isScarce).toBe(true);
    for (let sent = 0; sent < 100; sent += 1) limits.take('here', 2 * MINUTE_MS + sent);
    expect(counters.budget.isScarce).toBe(false);
    expect(limits.size).toBeLessThan(100);
  });

  it('forgets nobody whom any of its users refuses', () => {
    let warnings = 0;
    const counters = new Counters();
    const strict = limitsOf(counters, 2, 40, () => void (warnings += 1));
    const lax = limitsOf(counters, 1000, 40);
    for (let sent = 0; sent < 2; sent += 1) strict.take('greedy', 0);
    // Each uses more than the one that is refused: it is the least used that goes.
    for (let client = 0; client < 2000; client += 1)
      for (let sent = 0; sent < 3; sent += 1) lax.take(`c${client}`, client);
    expect(strict.take('greedy', 2000)[0]?.isExceeded).toBe(true);
    expect(warnings).toBeGreaterThan(0);
    strict.release();
    for (let client = 0; client < 2000; client += 1)
      for (let sent = 0; sent < 3; sent += 1) lax.take(`d${client}`, 2000);
    expect(lax.take('greedy', 2001)[0]?.remaining).toBe(999);
  });

  it('keeps the counters of a window while one of its users is there', () => {
    const counters = new Counters();
    const first = limitsOf(counters, 1);
    first.take('a', 0);
    const second = limitsOf(counters, 1);
    first.release();
    expect(second.take('a', 1)[0]?.isExceeded).toBe(true);
    second.release();
    expect(limitsOf(counters, 1).take('a', 1)[0]?.isExceeded).toBe(false);
  });
});
