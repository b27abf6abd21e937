import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SmoothWeights } from './smooth-weights.ts';

const weights = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 6 });
const someWeight = weights.filter((list) => list.some((weight) => weight > 0));

describe('smooth weighted round-robin', () => {
  it('gives the sequence that nginx gives', () => {
    const sequence = new SmoothWeights([5, 1, 1]);
    expect(Array.from({ length: 14 }, () => sequence.next()[0]).join('')).toBe('00102000010200');
  });

  it('is exact over as many requests as the sum, and nobody has more than their share before', () => {
    fc.assert(
      fc.property(someWeight, fc.integer({ min: 1, max: 3 }), (list, rounds) => {
        const sum = list.reduce((total, weight) => total + weight, 0);
        const sequence = new SmoothWeights(list);
        const firsts = list.map(() => 0);
        for (let request = 1; request <= sum * rounds; request += 1) {
          const first = sequence.next()[0] as number;
          firsts[first] = (firsts[first] as number) + 1;
          for (const [index, count] of firsts.entries()) {
            expect(count).toBeLessThanOrEqual(Math.ceil((request * (list[index] as number)) / sum));
          }
        }
        expect(firsts).toEqual(list.map((weight) => weight * rounds));
      }),
    );
  });

  it('names each target once, in the order in which the sequence comes to it, those without weight last', () => {
    fc.assert(
      fc.property(someWeight, fc.nat(20), (list, before) => {
        const sequence = new SmoothWeights(list);
        for (let request = 0; request < before; request += 1) sequence.next();
        const order = sequence.next();
        expect(order.toSorted((one, other) => one - other)).toEqual([...list.keys()]);
        const upcoming = Array.from({ length: 100 }, () => sequence.next()[0] as number);
        const sighted = [...new Set([order[0] as number, ...upcoming])];
        const never = [...list.keys()].filter((index) => list[index] === 0);
        expect(order).toEqual([...sighted, ...never]);
      }),
    );
  });

  it('does not move when it is looked at, and following the tail moves nothing', () => {
    fc.assert(
      fc.property(weights, fc.nat(20), (list, requests) => {
        const looked = new SmoothWeights(list);
        const plain = new SmoothWeights(list);
        for (let request = 0; request < requests; request += 1) {
          expect(looked.peek()).toEqual(looked.peek());
          const seen = looked.peek();
          expect(looked.next()).toEqual(seen);
          expect(plain.next()).toEqual(seen);
        }
      }),
    );
  });

  it('keeps the order of the array where nothing has weight', () => {
    const sequence = new SmoothWeights([0, 0, 0]);
    expect([sequence.next(), sequence.next()]).toEqual([
      [0, 1, 2],
      [0, 1, 2],
    ]);
  });

  it('names targets in order of weight where one comes after very many requests only', () => {
    expect(new SmoothWeights([1_000_000, 1, 2]).next()).toEqual([0, 2, 1]);
  });
});
