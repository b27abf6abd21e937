import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nearestNumber } from './nearest-number.ts';
import { compareRationals, decimalTextMax, floorRational, parseDecimal } from './rational.ts';

const fractionOf = (text: number | string): string => {
  const { numerator, denominator } = parseDecimal(text);
  return `${numerator}/${denominator}`;
};

const wholeNumbers = fc.bigInt({ min: 0n, max: 2n ** 53n });

describe('parseDecimal', () => {
  it('reads what the text says, and numbers as their shortest text', () => {
    expect(fractionOf(99.99)).toBe('9999/100');
    expect(fractionOf('99.990')).toBe('99990/1000');
    expect(fractionOf(1e-7)).toBe('1/10000000');
    expect(fractionOf('-1.5e3')).toBe('-1500/1');
    expect(fractionOf(5e-324)).toBe(`5/${10n ** 324n}`);
    expect(fractionOf(1e21)).toBe(`${10n ** 21n}/1`);
    expect(fractionOf('1.5E+1')).toBe('15/1');
  });

  it('refuses what is no decimal', () => {
    const texts = ['', '.5', '5.', '1e', '0x10', ' 1', '1 ', '1_0', '١', 'NaN', '1e401', '1e-9999'];
    for (const text of [...texts, '1'.repeat(decimalTextMax + 1), Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => parseDecimal(text)).toThrow(RangeError);
    }
    expect(fractionOf('1'.repeat(decimalTextMax))).toBe(`${'1'.repeat(decimalTextMax)}/1`);
  });

  it('compares as fractions', () => {
    expect(compareRationals(parseDecimal(0.1), parseDecimal('0.10'))).toBe(0);
    expect(compareRationals(parseDecimal('0.1000000000000000000001'), parseDecimal(0.1))).toBe(1);
    expect(compareRationals(parseDecimal(-2), parseDecimal(-1))).toBe(-1);
    expect([
      floorRational(parseDecimal(-0.5)),
      floorRational(parseDecimal('2.999')),
      floorRational(parseDecimal(-3)),
    ]).toEqual([-1n, 2n, -3n]);
  });
});

describe('nearestNumber', () => {
  it('gives back every number from its text', () => {
    const numbers = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (value === 0 ? 0 : value));
    fc.assert(
      fc.property(numbers, (value) => {
        expect(nearestNumber(parseDecimal(value))).toBe(value);
      }),
      { numRuns: 2000 },
    );
    for (const value of [5e-324, 2.225_073_858_507_201e-308, 2.225_073_858_507_201_4e-308, Number.MAX_VALUE]) {
      expect(nearestNumber(parseDecimal(value))).toBe(value);
    }
  });

  it('divides whole numbers as the processor does, which rounds once', () => {
    fc.assert(
      fc.property(wholeNumbers, fc.bigInt({ min: 1n, max: 2n ** 53n }), (numerator, denominator) => {
        expect(nearestNumber({ numerator, denominator })).toBe(Number(numerator) / Number(denominator));
      }),
      { numRuns: 2000 },
    );
  });

  it('rounds ties to even, and what is just beside them to its side', () => {
    const tie = 2n ** 54n + 2n;
    const near = (numerator: bigint, denominator = 1n): bigint => BigInt(nearestNumber({ numerator, denominator }));
    expect(near(tie)).toBe(2n ** 54n);
    expect(near(tie * 10n ** 30n + 1n, 10n ** 30n)).toBe(2n ** 54n + 4n);
    expect(near(tie * 10n ** 30n - 1n, 10n ** 30n)).toBe(2n ** 54n);
    expect(nearestNumber({ numerator: 1n, denominator: 2n ** 1075n })).toBe(0);
    expect(nearestNumber({ numerator: 3n, denominator: 2n ** 1075n })).toBe(1e-323);
    expect(nearestNumber({ numerator: 10n ** 400n, denominator: 1n })).toBe(Number.POSITIVE_INFINITY);
  });
});
