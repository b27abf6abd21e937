import type { TextRange } from '../text-range.ts';
import { rangesOf } from './matches.ts';

/** With a country code: a plus, then 8 to 15 digits in groups. */
const INTERNATIONAL = /(?<![\w+.-])\+[1-9]\d{0,2}(?:[ .-]?\(\d{1,4}\))?(?:[ .-]?\d){4,14}(?![\w-])/g;
/** As written in North America: `(212) 555-0123`, `212-555-0123`, `212.555.0123`. Areas and exchanges begin with 2 to 9. */
const NORTH_AMERICAN =
  /(?<![\w+.-])(?:\([2-9]\d{2}\) ?[2-9]\d{2}[-. ]\d{4}|[2-9]\d{2}([-.])[2-9]\d{2}\1\d{4}|1-[2-9]\d{2}-[2-9]\d{2}-\d{4})(?![\w-])/g;

/** Digits of a number in the international form. Source: ITU-T E.164. */
const DIGITS = { min: 8, max: 15 } as const;

/** Telephone numbers in the international form, and in that of North America. Digits alone are any number, and are not found. */
export function phoneRanges(text: string): readonly TextRange[] {
  const international = text.includes('+')
    ? rangesOf(text, INTERNATIONAL, (match) => {
        const digits = match.replace(/\D/g, '').length;
        return digits >= DIGITS.min && digits <= DIGITS.max;
      })
    : [];
  return [...international, ...rangesOf(text, NORTH_AMERICAN)];
}
