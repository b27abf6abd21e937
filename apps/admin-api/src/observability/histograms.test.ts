import { latencyBinMax, latencyQuantile } from '@portcullis/resources';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readHistogram } from './histogram-text.ts';
import { LatencySum } from './latency-sum.ts';

const counts = fc
  .array(fc.tuple(fc.nat({ max: latencyBinMax }), fc.nat({ max: Number.MAX_SAFE_INTEGER })), { maxLength: 60 })
  .map((pairs) => new Map(pairs.toSorted(([left], [right]) => left - right)));

function pairsIn(text: string): [number, number][] {
  const pairs: [number, number][] = [];
  readHistogram(text, (bin, count) => pairs.push([bin, count]));
  return pairs;
}

describe('stored histograms', () => {
  it('come back as they were written, without empty bins, also from the form of earlier releases', () => {
    fc.assert(
      fc.property(counts, (given) => {
        const wanted = [...given].filter(([, count]) => count > 0);
        const sum = new LatencySum();
        sum.addPairs([...given]);
        expect(pairsIn(sum.toText())).toEqual(wanted);
        const again = new LatencySum();
        again.addText(JSON.stringify([...given]));
        expect(again.toText()).toBe(sum.toText());
      }),
    );
  });

  it('add up whatever they are added to, and begin anew', () => {
    fc.assert(
      fc.property(counts, counts, (left, right) => {
        const sum = new LatencySum();
        sum.addPairs([...left]);
        const other = new LatencySum();
        other.addPairs([...right]);
        sum.addSum(other);
        const wanted = new Map<number, bigint>();
        for (const [bin, count] of [...left, ...right]) wanted.set(bin, (wanted.get(bin) ?? 0n) + BigInt(count));
        const most = BigInt(Number.MAX_SAFE_INTEGER);
        for (const [bin, count] of pairsIn(sum.toText())) {
          const exact = wanted.get(bin) ?? 0n;
          expect(BigInt(count)).toBe(exact > most ? most : exact);
        }
        sum.clear();
        expect(sum.toText()).toBe('');
        expect(sum.quantileUs(0.5)).toBeUndefined();
      }),
    );
  });

  it('have the quantiles that the library finds', () => {
    const small = counts.map((given) => new Map([...given].map(([bin, count]) => [bin, count % 1000])));
    fc.assert(
      fc.property(small, fc.constantFrom(0.01, 0.5, 0.95, 0.99, 1), (given, share) => {
        const sum = new LatencySum();
        sum.addPairs([...given]);
        expect(sum.quantileUs(share)).toBe(latencyQuantile(given, share));
      }),
    );
  });

  it('that are damaged are no numbers', () => {
    expect(() => pairsIn('A')).toThrow(SyntaxError);
    expect(() => pairsIn('B!')).toThrow(SyntaxError);
    expect(() => pairsIn('Bé')).toThrow(SyntaxError);
    expect(() => pairsIn('g')).toThrow(SyntaxError);
  });
});
