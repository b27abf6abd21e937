import { describe, expect, it } from 'vitest';
import { burstSeconds, RecordAllowance } from './record-allowance.ts';

const takenAt = (allowance: RecordAllowance, nowMs: number, wanted: number): number => {
  let taken = 0;
  for (let index = 0; index < wanted; index += 1) if (allowance.take(nowMs)) taken += 1;
  return taken;
};

describe('the allowance of raw records', () => {
  it('lets a bunch through, and then so many a second', () => {
    const allowance = new RecordAllowance(100);
    expect(takenAt(allowance, 5, 5000)).toBe(100 * burstSeconds);
    expect(takenAt(allowance, 1005, 5000)).toBe(100);
    expect(takenAt(allowance, 1505, 5000)).toBe(50);
  });

  it('spreads what it lets through over time', () => {
    const allowance = new RecordAllowance(100);
    takenAt(allowance, 0, 5000);
    const perTenth = Array.from({ length: 10 }, (_, tenth) => takenAt(allowance, (tenth + 1) * 100, 1000));
    expect(perTenth).toEqual(Array.from({ length: 10 }, () => 10));
  });

  it('gathers no more than one bunch', () => {
    const allowance = new RecordAllowance(10);
    takenAt(allowance, 0, 5000);
    expect(takenAt(allowance, 3_600_000, 5000)).toBe(10 * burstSeconds);
  });

  it('takes back what was not used', () => {
    const allowance = new RecordAllowance(1);
    takenAt(allowance, 0, burstSeconds);
    expect(allowance.take(0)).toBe(false);
    allowance.giveBack();
    expect(allowance.take(0)).toBe(true);
  });

  it('of 0 keeps none', () => {
    expect(takenAt(new RecordAllowance(0), 1000, 10)).toBe(0);
  });
});
