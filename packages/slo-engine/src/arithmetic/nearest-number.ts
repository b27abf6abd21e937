import type { Rational } from './rational.ts';

/** Bits of a quotient that are enough to round it: more than the 53 of a number, one to round by, and one for what is left. */
const quotientBits = 66;

/** The smallest number is 2 to the power of minus this. */
const smallestPower = 1074;

/** Below this, quotients at the smallest scale are rounded by hand: such numbers have fewer than 53 bits. */
const exactIntegers = 2n ** 53n;

/**
 * The JavaScript number that is nearest to a fraction, and the even one of two that are equally near. It is what numbers
 * are shown as; nothing is decided by it.
 * @returns an infinity beyond the largest number
 */
export function nearestNumber({ numerator, denominator }: Rational): number {
  if (numerator < 0n) return -nearestNumber({ numerator: -numerator, denominator });
  if (numerator === 0n) return 0;
  const shift = Math.min(quotientBits - bitLength(numerator) + bitLength(denominator), smallestPower);
  const dividend = shift > 0 ? numerator << BigInt(shift) : numerator;
  const divisor = shift < 0 ? denominator << BigInt(-shift) : denominator;
  const quotient = dividend / divisor;
  const rest = dividend % divisor;
  if (quotient < exactIntegers) return Number(roundHalfEven(quotient, rest, divisor)) * 2 ** -shift;
  // A lowest bit for what was cut off: the conversion then rounds to the right side of a tie.
  return scaled(Number(quotient * 4n + (rest === 0n ? 0n : 1n)), -shift - 2);
}

function roundHalfEven(quotient: bigint, rest: bigint, divisor: bigint): bigint {
  const twice = rest * 2n;
  const isUp = twice > divisor || (twice === divisor && quotient % 2n === 1n);
  return isUp ? quotient + 1n : quotient;
}

/** `value * 2 ** power` in two steps, because the power alone may be smaller than any number. */
function scaled(value: number, power: number): number {
  const half = Math.trunc(power / 2);
  return value * 2 ** half * 2 ** (power - half);
}

function bitLength(value: bigint): number {
  const hex = value.toString(16);
  return hex.length * 4 - Math.clz32(Number.parseInt(hex.charAt(0), 16)) + 28;
}
