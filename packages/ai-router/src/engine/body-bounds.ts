import type { RouterError } from '../errors/router-error.ts';

/** Levels of lists and objects in a request. Source: security, JSON. */
export const BODY_DEPTH_MAX = 64;

/** Values and names in a request, all together: each takes memory of its own, whatever few bytes it is. Lists of tokens are the longest that clients send. */
export const BODY_VALUES_MAX = 500_000;

/** The same of a provider's answer, which may tell how likely each of its tokens was. Vectors are numbers and are not counted. */
export const ANSWER_VALUES_MAX = 4_000_000;

const QUOTE = 34;
const COMMA = 44;
const BACKSLASH = 92;
const OPEN_LIST = 91;
const CLOSE_LIST = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;

/** Whether a body would become more than it is worth: looked at before it is parsed. Strings are jumped over. */
export function bodyBoundsIssue(bytes: Uint8Array, valuesMax: number = BODY_VALUES_MAX): RouterError | undefined {
  let depth = 0;
  let values = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) at = endOfString(bytes, at);
    else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) depth -= 1;
    else if (byte === COMMA) values += 1;
    else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
      values += 1;
      depth += 1;
      if (depth > BODY_DEPTH_MAX) return tooDeep;
    }
    if (values > valuesMax) return tooMany;
  }
  return undefined;
}

/** @returns where the closing quote is, or the last byte */
function endOfString(bytes: Uint8Array, open: number): number {
  let at = bytes.indexOf(QUOTE, open + 1);
  while (at !== -1 && isEscaped(bytes, at)) at = bytes.indexOf(QUOTE, at + 1);
  return at === -1 ? bytes.length : at;
}

/** An odd number of backslashes is before it. */
function isEscaped(bytes: Uint8Array, at: number): boolean {
  let before = at - 1;
  while (bytes[before] === BACKSLASH) before -= 1;
  return (at - before) % 2 === 0;
}

const tooDeep: RouterError = Object.freeze({
  code: 'invalid_request_error',
  message: `The body has more than ${BODY_DEPTH_MAX} levels`,
});
const tooMany: RouterError = Object.freeze({
  code: 'request_too_large',
  message: `The body has more than ${BODY_VALUES_MAX} values`,
});
