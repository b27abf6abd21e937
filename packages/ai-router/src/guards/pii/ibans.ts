import type { TextRange } from '../text-range.ts';
import { rangesOf } from './matches.ts';

const IBAN = /(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?![A-Za-z0-9])/g;

/** Shortest and longest that any country uses. Source: ISO 13616 registry. */
const LENGTHS = { min: 15, max: 34 } as const;

/** International bank account numbers whose check digits are right. */
export function ibanRanges(text: string): readonly TextRange[] {
  return rangesOf(text, IBAN, (match) => {
    const number = match.replace(/ /g, '');
    return number.length >= LENGTHS.min && number.length <= LENGTHS.max && remainder(number) === 1;
  });
}

/** Modulo 97 of the rearranged number, letters as 10 to 35. Source: ISO 7064. */
function remainder(number: string): number {
  const rearranged = number.slice(4) + number.slice(0, 4);
  let rest = 0;
  for (const character of rearranged) {
    const value = Number.parseInt(character, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest;
}
