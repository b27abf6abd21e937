import type { TextRange } from '../text-range.ts';
import { rangesOf } from './matches.ts';

/** 13 to 19 digits, alone or parted by single blanks or hyphens. */
const CARD = /(?<![\d.,-])[2-6](?:[ -]?\d){12,18}(?![\d-]|[.,]\d)/g;

/** Numbers of payment cards: of a length and a first digit that are issued, and with a right check digit. */
export function cardRanges(text: string): readonly TextRange[] {
  return rangesOf(text, CARD, (match) => {
    const digits = match.replace(/[ -]/g, '');
    return isIssued(digits) && new Set(digits).size > 1 && hasCheckDigit(digits);
  });
}

/** Source: ISO/IEC 7812-1: first digits of the card schemes, with the lengths that they use. */
function isIssued(digits: string): boolean {
  const { length } = digits;
  if (digits.startsWith('4')) return length === 13 || length === 16 || length === 19;
  if (/^3[47]/.test(digits)) return length === 15;
  if (/^3(?:0[0-5]|[689])/.test(digits)) return length >= 14 && length <= 19;
  return length >= 15;
}

/** Luhn's sum. */
function hasCheckDigit(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = digits.charCodeAt(digits.length - 1 - index) - 48;
    const counted = index % 2 === 0 ? digit : digit * 2;
    sum += counted > 9 ? counted - 9 : counted;
  }
  return sum % 10 === 0;
}
