/** Hashes are lower-case hex at every border of this package: one spelling, comparable with `===`, readable in a database. */

/** Bytes of a SHA-256 hash. */
export const HASH_BYTES = 32;

const HASH_TEXT = /^[0-9a-f]{64}$/;

/** Whether the value is a SHA-256 hash in lower-case hex. */
export function isHash(value: unknown): value is string {
  return typeof value === 'string' && HASH_TEXT.test(value);
}

/** Gives the hash back, or throws a TypeError that says which argument is none. */
export function hashText(value: string, what: string): string {
  if (!isHash(value)) throw new TypeError(`${what} is no SHA-256 hash in lower-case hex`);
  return value;
}
