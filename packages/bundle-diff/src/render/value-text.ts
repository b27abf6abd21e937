import { harmlessText } from './harmless-text.ts';

/** Characters of a value that are shown. */
export const valueLengthMax = 80;

/** Characters before the first difference that are shown when two long values begin alike. */
const contextLength = 20;

/** A value as JSON on one line, shortened. */
export function valueText(value: unknown): string {
  return windowOf(jsonText(value), 0);
}

/** Two values as JSON, each on one line; of long ones the part where they begin to differ. */
export function valueTexts(left: unknown, right: unknown): readonly [string, string] {
  const [before, after] = [jsonText(left), jsonText(right)];
  if (before.length <= valueLengthMax && after.length <= valueLengthMax) return [before, after];
  const start = Math.max(0, sharedLength(before, after) - contextLength);
  return [windowOf(before, start), windowOf(after, start)];
}

function jsonText(value: unknown): string {
  return harmlessText(JSON.stringify(value) ?? 'null');
}

function sharedLength(left: string, right: string): number {
  let length = 0;
  while (length < left.length && left[length] === right[length]) length += 1;
  return length;
}

function windowOf(text: string, start: number): string {
  if (text.length <= valueLengthMax) return text;
  const from = Math.min(start, text.length - valueLengthMax);
  const end = from + valueLengthMax;
  // A pair of surrogates that is cut in two is no character any more.
  const shown = text.slice(from, end).toWellFormed();
  return `${from > 0 ? '…' : ''}${shown}${end < text.length ? '…' : ''}`;
}
