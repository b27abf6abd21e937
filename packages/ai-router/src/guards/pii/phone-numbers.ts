import type { TextRange } from '../text-range.ts';
import { rangesOf } from './matches.ts';

/** With a country code: a plus, then 8 to 15 digits in groups. */
const INTERNATIONAL = /(?<![\w+.-])\+[1-9]\d{0,2}(?:[ .-]?\(\d{1,4}\))?(?:[ .-]?\d){4,14}(?![\w-])/g;
/** As it is dialled in most countries: `00` in the plus' place. Digits alone are any number, so a blank or hyphen stands after the country, or the digits are as many as such numbers have. */
const DIALLED =
  /(?<![\w+.-])00(?:[1-9]\d{0,2}[ -](?:\(\d{1,4}\) ?)?\d(?:[ -]?\d){4,12}|[1-9]\d{9,14})(?![\w-]|[.,]\d)/g;
/** As written in North America: `(212) 555-0123`, `212-555-0123`, `212.555.0123`. Areas and exchanges begin with 2 to 9. */
const NORTH_AMERICAN =
  /(?<![\w+.-])(?:\([2-9]\d{2}\) ?[2-9]\d{2}[-. ]\d{4}|[2-9]\d{2}([-.])[2-9]\d{2}\1\d{4}|1-[2-9]\d{2}-[2-9]\d{2}-\d{4})(?![\w-])/g;

/** Digits of a number in the international form. Source: ITU-T E.164. */
const DIGITS = { min: 8, max: 15 } as const;

/** Telephone numbers in the international form, as they are dialled, and as in North America. Digits alone are any number, and are not found. */
export function phoneRanges(text: string): readonly TextRange[] {
  const international = text.includes('+')
    ? rangesOf(text, INTERNATIONAL, (match) => {
        const digits = digitsIn(match);
        return digits >= DIGITS.min && digits <= DIGITS.max;
      })
    : [];
  const dialled = text.includes('00') ? rangesOf(text, DIALLED, (match) => digitsIn(match) - 2 >= DIGITS.min) : [];
  return [...international, ...dialled, ...rangesOf(text, NORTH_AMERICAN)];
}

function digitsIn(match: string): number {
  return match.replace(/\D/g, '').length;
}
