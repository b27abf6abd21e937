import type { TextRange } from '../text-range.ts';
import { ibanLengths } from './iban-lengths.ts';

/** Where one may begin: a country and two check digits. */
const BEGINNING = /(?<![A-Za-z0-9])(?:[A-Z]{2}|[a-z]{2})\d{2}(?=[A-Za-z0-9 ])/g;
const BLANK = 32;
const ZERO = 48;
const LETTER_A = 65;

/** International bank account numbers of the length of their country whose check digits are right, in capitals or small letters, with single blanks or without. */
export function ibanRanges(text: string): readonly TextRange[] {
  const ranges: TextRange[] = [];
  for (const { index } of text.matchAll(BEGINNING)) {
    const length = ibanLengths.get(text.slice(index, index + 2).toUpperCase());
    const end = length === undefined ? -1 : endOf(text, index, length);
    if (end !== -1) ranges.push({ start: index, end });
  }
  return ranges;
}

/** Where a number of so many characters that begins here ends; -1 when there is none. */
function endOf(text: string, start: number, length: number): number {
  let rest = 0;
  let taken = 0;
  let at = start;
  for (; taken < length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === BLANK && text.charCodeAt(at - 1) !== BLANK) continue;
    const value = valueOf(unit);
    if (value === -1) return -1;
    // The first four count last: they are added below.
    if (taken >= 4) rest = added(rest, value);
    taken += 1;
  }
  for (let first = start; first < start + 4; first += 1) rest = added(rest, valueOf(text.charCodeAt(first)));
  return rest === 1 && valueOf(text.charCodeAt(at)) === -1 ? at : -1;
}

/** Modulo 97, letters as 10 to 35. Source: ISO 7064. */
function added(rest: number, value: number): number {
  return (rest * (value > 9 ? 100 : 10) + value) % 97;
}

/** 0 to 35; -1 for what is no digit and no letter. */
function valueOf(unit: number): number {
  if (unit >= ZERO && unit < ZERO + 10) return unit - ZERO;
  // Without the bit of small letters.
  const capital = unit & ~32;
  return unit < 128 && capital >= LETTER_A && capital < LETTER_A + 26 ? capital - LETTER_A + 10 : -1;
}
