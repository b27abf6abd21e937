/** An exact fraction. `denominator` is above 0; it need not be in lowest terms. */
export interface Rational {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** A number as somebody wrote it: a decimal text, or a JavaScript number, which stands for its shortest decimal text. */
export type Decimal = number | string;

/** Longest decimal text that is read. Every JavaScript number is shorter. */
export const decimalTextMax = 100;

/** Largest power of ten in a decimal text, either way. Those of JavaScript numbers end at 308 and −324. */
export const decimalExponentMax = 400;

const decimalPattern = /^([+-]?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,4}))?$/;

/**
 * Reads a decimal as the fraction that its text says: 99.99 is 9999/100, and not the binary number next to it.
 * Source: reliability rules, finding 2.
 * @throws RangeError for what is no decimal, is longer than `decimalTextMax` or has a power beyond `decimalExponentMax`
 */
export function parseDecimal(decimal: Decimal): Rational {
  const text = typeof decimal === 'number' ? String(decimal) : decimal;
  const match = text.length <= decimalTextMax ? decimalPattern.exec(text) : null;
  const [, sign = '', whole = '', fraction = '', power = '0'] = match ?? [];
  const exponent = Number(power) - fraction.length;
  if (match === null || Math.abs(Number(power)) > decimalExponentMax) {
    throw new RangeError('A decimal number must be a finite number or a text such as 99.95.');
  }
  const digits = BigInt(`${whole}${fraction}`);
  const scale = 10n ** BigInt(Math.abs(exponent));
  const numerator = (sign === '-' ? -digits : digits) * (exponent > 0 ? scale : 1n);
  return { numerator, denominator: exponent < 0 ? scale : 1n };
}

/** Compares two fractions. @returns below 0, 0 or above 0, as the left one is smaller, equal or larger */
export function compareRationals(left: Rational, right: Rational): -1 | 0 | 1 {
  const difference = left.numerator * right.denominator - right.numerator * left.denominator;
  if (difference === 0n) return 0;
  return difference < 0n ? -1 : 1;
}

/** The largest integer that is not above a fraction. */
export function floorRational({ numerator, denominator }: Rational): bigint {
  const quotient = numerator / denominator;
  return numerator < 0n && quotient * denominator !== numerator ? quotient - 1n : quotient;
}
