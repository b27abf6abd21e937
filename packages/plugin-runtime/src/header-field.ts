/**
 * Whether two field names are the same; ASCII letters match without regard to case. Made for the hot path: equal strings
 * and different lengths are told at once.
 */
export function isSameName(a: string, b: string): boolean {
  if (a === b) return true;
  const length = a.length;
  if (length !== b.length) return false;
  for (let index = 0; index < length; index += 1) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left !== right && lowered(left) !== lowered(right)) return false;
  }
  return true;
}

/** Whether this may be a field name: one or more token characters. Source: RFC 9110, section 5.6.2. */
export function isFieldName(name: unknown): name is string {
  return typeof name === 'string' && TOKEN.test(name);
}

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
