import { hash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cosine } from '../stores/scan/likest.ts';
import { fittedVector } from './fitted-vector.ts';

/** Numbers that look drawn from a normal distribution, the same each time. */
function drawn(seed: string, length: number): number[] {
  return Array.from({ length }, (_, at) => {
    const bytes = Buffer.from(hash('sha256', `${seed} ${at}`), 'hex');
    let sum = 0;
    for (let place = 0; place < 12; place += 1) sum += bytes.readUInt16LE(2 * place) / 65_536;
    return sum - 6;
  });
}

/** A vector and another whose cosine with it is about so much. */
function pair(seed: string, similarity: number, length: number): readonly [number[], number[]] {
  const [one, noise] = [drawn(`${seed} one`, length), drawn(`${seed} noise`, length)];
  const rest = Math.sqrt(1 - similarity ** 2);
  return [one, one.map((value, at) => similarity * value + rest * (noise[at] ?? 0))];
}

describe('vectors are fitted', () => {
  it('to so many dimensions, with length 1, the same each time', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: -1e3, max: 1e3, noNaN: true }), { maxLength: 100 }),
        fc.integer({ min: 8, max: 64 }),
        (values, dimensions) => {
          const fitted = fittedVector(values, dimensions);
          expect(fitted).toEqual(fittedVector(values, dimensions));
          if (fitted === undefined) return;
          expect(fitted).toHaveLength(dimensions);
          expect(Math.hypot(...fitted)).toBeCloseTo(1, 4);
        },
      ),
    );
  });

  it('shorter ones keep their cosines', () => {
    const [one, other] = pair('short', 0.7, 100);
    const exact = cosine(fitted(one, 100), fitted(other, 100));
    expect(cosine(fitted(one, 256), fitted(other, 256))).toBeCloseTo(exact, 5);
  });

  it.each([
    [0.95, 0.02],
    [0.8, 0.08],
    [0, 0.3],
  ])('longer ones nearly, and the better the more alike they are: %s within %s', (similarity, within) => {
    for (let seed = 0; seed < 40; seed += 1) {
      const [one, other] = pair(`long ${seed}`, similarity, 1536);
      const exact = cosine(fitted(one, 1536), fitted(other, 1536));
      expect(Math.abs(cosine(fitted(one, 256), fitted(other, 256)) - exact)).toBeLessThan(within);
    }
  });

  it.each([
    ['nothing', []],
    ['zeros', [0, 0, 0]],
    ['not a number', [1, NaN]],
    ['infinite', [1, Infinity]],
    ['too large to have a length', [1e300, 1e300]],
    ['too small to have a direction', [1e-30, 1e-30]],
  ])('no vector: %s', (_, values) => {
    expect(fittedVector(values, 8)).toBeUndefined();
  });
});

function fitted(values: readonly number[], dimensions: number): Float32Array {
  return fittedVector(values, dimensions) ?? new Float32Array(dimensions);
}
