import { describe, expect, it } from 'vitest';
import { growthOf } from './growth.ts';

describe('growthOf', () => {
  it('is the slope of a line, by a million requests', () => {
    expect(
      growthOf([
        [0, 10],
        [500_000, 12],
        [1_000_000, 14],
      ]),
    ).toBeCloseTo(4, 9);
  });

  it('is not led astray by one high reading at the start', () => {
    const points = Array.from({ length: 11 }, (_, at): [number, number] => [at * 100_000, at === 0 ? 11 : 10]);
    expect(growthOf(points)).toBeLessThan(0);
  });

  it('is 0 where nothing can be said', () => {
    expect(growthOf([])).toBe(0);
    expect(growthOf([[5, 5]])).toBe(0);
    expect(
      growthOf([
        [5, 5],
        [5, 9],
      ]),
    ).toBe(0);
  });
});
