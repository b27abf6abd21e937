import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textHash } from './text-hash.ts';

describe('the hash of a text', () => {
  it('is a whole number of 32 bits, the same each time', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer(), (text, seed) => {
        const hash = textHash(text, seed);
        expect(Number.isInteger(hash) && hash >= 0 && hash < 2 ** 32).toBe(true);
        expect(textHash(text, seed)).toBe(hash);
      }),
    );
  });

  // Decisions of gateways of two releases have to agree.
  it.each([
    ['', 0, 2_872_998_923],
    ['01930000-0000-7000-8000-000000000001', 7, 822_219_758],
    ['löng', 1, 3_834_833_984],
  ])('stays what it is: %j with seed %d', (text, seed, hash) => {
    expect(textHash(text, seed)).toBe(hash);
  });

  it('is spread evenly over texts that differ in a digit, for each of its bits', () => {
    const texts = 20_000;
    const ones = Array.from({ length: 32 }, () => 0);
    for (let at = 0; at < texts; at += 1) {
      const hash = textHash(`request-${at}`, 7);
      for (let bit = 0; bit < 32; bit += 1) ones[bit] = (ones[bit] ?? 0) + ((hash >>> bit) & 1);
    }
    // Five standard deviations of a fair coin.
    const farthest = Math.max(...ones.map((count) => Math.abs(count - texts / 2)));
    expect(farthest).toBeLessThan((5 * Math.sqrt(texts)) / 2);
  });
});
