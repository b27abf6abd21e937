import type { TextRange } from '../text-range.ts';
import { rangesOf } from './matches.ts';

/** `AAA-GG-SSSS`, but for what was never issued: areas 000, 666 and 9xx, group 00, serial 0000. */
const SSN = /(?<![\w.-])(?!000|666|9)\d{3}([- ])(?!00)\d{2}\1(?!0000)\d{4}(?![\w-])/g;

/** Social security numbers of the United States. Nine digits without marks between them are any number, and are not found. */
export function ssnRanges(text: string): readonly TextRange[] {
  return rangesOf(text, SSN);
}
