import type { TextRange } from '../text-range.ts';
import { rangesOf } from './matches.ts';

/** Digits without marks, or in the groups that cards are printed in: fours, or 4-6-4 and 4-6-5, parted by blanks, hyphens or dots. */
const CARD =
  /(?<![\d.,-])[2-6](?:\d{12,18}|\d{3}([ .-])\d{4}\1\d{4}\1\d{4}(?:\1\d{3})?|\d{3}([ .-])\d{6}\2\d{4,5})(?![\d-]|[.,]\d)/g;

/** Numbers of payment cards: of a length and first digits that are issued, not all the same digit, and with a right check digit. */
export function cardRanges(text: string): readonly TextRange[] {
  return rangesOf(text, CARD, (match) => hasCheckDigit(match) && isIssued(match.replace(/[ .-]/g, '')));
}

/** Source: ISO/IEC 7812-1: first digits of the card schemes, with the lengths that they use. */
function isIssued(digits: string): boolean {
  const { length } = digits;
  if (/^(\d)\1+$/.test(digits)) return false;
  if (digits.startsWith('4')) return length === 13 || length === 16 || length === 19;
  if (/^3[47]/.test(digits)) return length === 15;
  if (/^3(?:0[0-5]|[689])/.test(digits)) return length >= 14 && length <= 19;
  if (/^5[1-5]|^2(?:22[1-9]|2[3-9]|[3-6]|7[01]|720)/.test(digits)) return length === 16;
  // Discover, Maestro, UnionPay, JCB, RuPay and others.
  return /^(?:35|5[06-9]|6)/.test(digits) && length >= 15;
}

const ZERO = 48;

/** Luhn's sum, over what may stand between digits. Most candidates are none: this comes first and makes no text. */
function hasCheckDigit(candidate: string): boolean {
  let sum = 0;
  let isDoubled = false;
  for (let at = candidate.length - 1; at >= 0; at -= 1) {
    const digit = candidate.charCodeAt(at) - ZERO;
    if (digit < 0) continue;
    const counted = isDoubled ? digit * 2 : digit;
    sum += counted > 9 ? counted - 9 : counted;
    isDoubled = !isDoubled;
  }
  return sum % 10 === 0;
}
