/*
 * Quick looks at the text of one JSON object, without parsing it. A quote within a string is escaped in JSON, so `"name"` is a name or a
 * whole string and never a part of one. Names that are written with escapes are not found: no provider writes them. Texts are searched for
 * `name"`, since a search that begins with a quote stops at each of the many.
 */

const QUOTE = 34;
const BACKSLASH = 92;
const COLON = 58;

/**
 * Whether a member of some name may have a value other than `null`, at any depth. Errs on the side of yes.
 * @param tail the name and its closing quote
 */
export function maySay(json: string, tail: string): boolean {
  for (let at = json.indexOf(tail); at !== -1; at = json.indexOf(tail, at + 1)) {
    const value = valueStart(json, at, tail);
    if (value !== -1 && !json.startsWith('null', value)) return true;
  }
  return false;
}

/**
 * Characters of the strings that are members of some name, at any depth.
 * @param tail the name and its closing quote
 */
export function lengthOfStrings(json: string, tail: string): number {
  let sum = 0;
  let at = json.indexOf(tail);
  while (at !== -1) {
    const value = valueStart(json, at, tail);
    const isText = value !== -1 && json.charCodeAt(value) === QUOTE;
    const end = isText ? endOfText(json, value + 1) : at;
    if (isText) sum += charactersOf(json, value + 1, end);
    at = json.indexOf(tail, end + 1);
  }
  return sum;
}

/** Where the quote is that ends a string; the end of the text without one. */
function endOfText(json: string, start: number): number {
  let at = start;
  while (at < json.length && json.charCodeAt(at) !== QUOTE) at += json.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return Math.min(at, json.length);
}

/** Characters that a part of a string stands for: escapes are one each. */
export function charactersOf(json: string, start: number, end: number): number {
  let sum = 0;
  for (let at = start; at < end; sum += 1) {
    if (json.charCodeAt(at) !== BACKSLASH) at += 1;
    else at += json.charCodeAt(at + 1) === 117 ? 6 : 2;
  }
  return sum;
}

/** Where the value is of the member whose name ends there; -1 when none does. */
function valueStart(json: string, at: number, tail: string): number {
  if (json.charCodeAt(at - 1) !== QUOTE) return -1;
  const colon = afterSpaces(json, at + tail.length);
  return json.charCodeAt(colon) === COLON ? afterSpaces(json, colon + 1) : -1;
}

function afterSpaces(json: string, at: number): number {
  let next = at;
  let code = json.charCodeAt(next);
  while (code === 32 || code === 9 || code === 10 || code === 13) code = json.charCodeAt((next += 1));
  return next;
}
