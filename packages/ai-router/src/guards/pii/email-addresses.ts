import type { TextRange } from '../text-range.ts';
import { rangesOf } from './matches.ts';

/** Source: RFC 5321, 4.5.3.1, for the lengths; quoted local parts are not looked for. */
const EMAIL =
  /(?<![\p{L}\p{N}.!#$%&'*+/=?^_`{|}~-])[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-][\p{L}\p{N}.!#$%&'*+/=?^_`{|}~-]{0,63}@(?:[\p{L}\p{N}][\p{L}\p{N}-]{0,62}\.){1,8}\p{L}{2,24}(?![\p{L}\p{N}])/gu;

/** Addresses such as `name@example.org`. */
export function emailRanges(text: string): readonly TextRange[] {
  return text.includes('@') ? rangesOf(text, EMAIL) : [];
}
