import { describe, expect, it } from 'vitest';
import { median, quantile } from './quantile.ts';

describe('median', () => {
  it.each([
    [[7], 7],
    [[9, 1, 5], 5],
    [[10, 2, 4, 100], 7],
    [[0.3, 0.1], 0.2],
  ])('of %j is %d', (values, expected) => {
    expect(median(values)).toBeCloseTo(expected, 12);
  });

  it('leaves its argument in order', () => {
    const values = [3, 1, 2];
    median(values);
    expect(values).toEqual([3, 1, 2]);
  });

  it('refuses to name a median of nothing', () => {
    expect(() => median([])).toThrow(RangeError);
  });
});

describe('quantile', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);

  it.each([
    [0.5, 50],
    [0.99, 99],
    [1, 100],
    [0.001, 1],
  ])('a share of %d of 1…100 lies at %d', (share, expected) => {
    expect(quantile(hundred, share)).toBe(expected);
  });

  it('has nothing to say of no values', () => {
    expect(quantile([], 0.5)).toBeUndefined();
  });
});
