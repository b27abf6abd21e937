import { describe, expect, it } from 'vitest';
import { welchT, withoutSlowest } from './welch.ts';

describe('welchT', () => {
  it('is what its formula gives by hand', () => {
    // Means 2 and 4, variances 1 and 4: -2 / sqrt(1/3 + 4/3).
    expect(welchT([1, 2, 3], [2, 4, 6])).toBeCloseTo(-1.549, 3);
  });

  it('is nothing for equal samples, and changes its sign with their order', () => {
    expect(welchT([5, 6, 7], [7, 6, 5])).toBe(0);
    expect(welchT([1, 2], [8, 9])).toBeCloseTo(-welchT([8, 9], [1, 2]));
  });
});

describe('withoutSlowest', () => {
  it('leaves out the same share of both together', () => {
    const fast = [1, 2, 3, 4, 5];
    expect(withoutSlowest(fast, [6, 7, 8, 900, 901], 0.2)).toEqual([fast, [6, 7, 8]]);
  });
});
