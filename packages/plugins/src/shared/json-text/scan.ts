/** Deepest nesting of a text that is edited, in levels. Texts of services have some ten. */
export const JSON_DEPTH_MAX = 128;

/** A text is too deep, has too many places, or would grow too much to be edited here. No mistake of the plugin's. */
export class JsonLimitError extends Error {
  override readonly name = 'JsonLimitError';
}

// All positions are of a text that JSON.parse has accepted: nothing here checks its form again.

/** The first position from `at` on that is no white space. */
export function afterBlanks(text: string, at: number): number {
  let next = at;
  while (isBlank(text.charCodeAt(next))) next += 1;
  return next;
}

/** The position after the last that is no white space. */
export function beforeBlanks(text: string): number {
  let end = text.length;
  while (isBlank(text.charCodeAt(end - 1))) end -= 1;
  return end;
}

/** The position after a string. @param at of its opening quote */
export function afterString(text: string, at: number): number {
  let quote = text.indexOf('"', at + 1);
  while (isEscaped(text, quote)) quote = text.indexOf('"', quote + 1);
  return quote + 1;
}

/**
 * The position after a value.
 * @param at of its first character
 * @param depth levels around it
 * @param ends of {@link endsIn}, for the text
 * @throws JsonLimitError when it is nested beyond {@link JSON_DEPTH_MAX}
 */
export function afterValue(text: string, at: number, depth: number, ends: Int32Array | undefined): number {
  const first = text.charCodeAt(at);
  const isString = first === QUOTE;
  if (isString || first === OBJECT || first === ARRAY) {
    return ends?.[at] ?? (isString ? afterString(text, at) : afterContainer(text, at, depth, undefined));
  }
  let end = at + 1;
  while (isOfWord(text.charCodeAt(end))) end += 1;
  return end;
}

/**
 * For each opening quote and bracket of a text the position after its closing one: going through nested values then costs no more than
 * going through the text once. @throws JsonLimitError
 */
export function endsIn(text: string): Int32Array {
  const ends = new Int32Array(text.length);
  const start = afterBlanks(text, 0);
  const first = text.charCodeAt(start);
  if (first === OBJECT || first === ARRAY) afterContainer(text, start, 0, ends);
  return ends;
}

function afterContainer(text: string, at: number, depth: number, ends: Int32Array | undefined): number {
  const open: number[] = [];
  let next = at;
  for (;;) {
    const code = text.charCodeAt(next);
    if (code === QUOTE) {
      const end = afterString(text, next);
      if (ends !== undefined) ends[next] = end;
      next = end;
      continue;
    }
    if (code === OBJECT || code === ARRAY) {
      open.push(next);
      if (depth + open.length > JSON_DEPTH_MAX) throw new JsonLimitError('nested too deeply');
    } else if (code === OBJECT_END || code === ARRAY_END) {
      const start = open.pop() ?? at;
      if (ends !== undefined) ends[start] = next + 1;
      if (open.length === 0) return next + 1;
    }
    next += 1;
  }
}

/** Whether an odd number of backslashes stands before. */
function isEscaped(text: string, at: number): boolean {
  let before = at - 1;
  while (text.charCodeAt(before) === BACKSLASH) before -= 1;
  return (at - before) % 2 === 0;
}

function isBlank(code: number): boolean {
  // The others below are not found between values.
  return code <= BLANK;
}

/** Of a number, `true`, `false` or `null`. Not a number at the end of the text. */
function isOfWord(code: number): boolean {
  return code > BLANK && code !== COMMA && code !== ARRAY_END && code !== OBJECT_END;
}

export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const ARRAY = 0x5b;
export const OBJECT = 0x7b;
const BLANK = 0x20;
const BACKSLASH = 0x5c;
const ARRAY_END = 0x5d;
const OBJECT_END = 0x7d;
