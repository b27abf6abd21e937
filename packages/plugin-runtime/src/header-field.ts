/**
 * Whether two field names are the same; ASCII letters match without regard to case. Made for the hot path: equal strings
 * and different lengths are told at once.
 */
export function isSameName(a: string, b: string): boolean {
  // Of ten names in a message nine differ in length: short enough for the compiler to put it into the loops that call it.
  return a.length === b.length && (a === b || isSameWord(a, b));
}

function isSameWord(a: string, b: string): boolean {
  const length = a.length;
  for (let index = 0; index < length; index += 1) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left !== right && lowered(left) !== lowered(right)) return false;
  }
  return true;
}

/** Whether this may be a field name: one or more token characters. Source: RFC 9110, section 5.6.2. */
export function isFieldName(name: unknown): name is string {
  if (typeof name !== 'string') return false;
  if (knownNames.has(name)) return true;
  if (!TOKEN.test(name)) return false;
  if (knownNames.size < KNOWN_NAMES_MAX && name.length <= KNOWN_NAME_LENGTH_MAX) knownNames.add(name);
  return true;
}

/** Names that were found good: plugins use the same few all the time. */
const knownNames = new Set<string>();

const KNOWN_NAMES_MAX = 256;
const KNOWN_NAME_LENGTH_MAX = 64;

/**
 * Whether this may be sent as a field value: no control character but the tab, and no character beyond one byte, so that
 * no value can begin another header line. Source: RFC 9110, section 5.5.
 */
export function isFieldValue(value: unknown): value is string {
  if (typeof value !== 'string') return false;
  for (let index = 0; index < value.length; index += 1) {
    const code = value.charCodeAt(index);
    if ((code < 0x20 && code !== 0x09) || code === 0x7f || code > 0xff) return false;
  }
  return true;
}

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

function lowered(code: number): number {
  return code >= 0x41 && code <= 0x5a ? code + 0x20 : code;
}
