import { expect, it } from 'vitest';
import { randomOf, roundSeed } from './random.ts';

it('a seed decides every draw', () => {
  const draws = (seed: number): number[] => Array.from({ length: 50 }, randomOf(seed).next);
  expect(draws(1)).toEqual(draws(1));
  expect(draws(1)).not.toEqual(draws(2));
  expect(draws(3).every((value) => value >= 0 && value < 1)).toBe(true);
});

it('choices reach every item and no other', () => {
  const random = randomOf(9);
  const seen = new Set(Array.from({ length: 200 }, () => random.pick(['a', 'b', 'c'])));
  expect([...seen].toSorted()).toEqual(['a', 'b', 'c']);
  expect(() => random.pick([])).toThrow(RangeError);
});

it('rounds have seeds of their own', () => {
  const seeds = Array.from({ length: 1000 }, (_, round) => roundSeed(1, round));
  expect(new Set(seeds).size).toBe(1000);
  expect(roundSeed(1, 0)).not.toBe(roundSeed(0, 1));
});
