import { VaultError } from './vault-error.ts';

/** Bytes of a secret, and of the answer that brings it. Keys and certificate chains have some thousands. */
export const SECRET_BYTES_MAX: number = 64 * 1024;

/** What a vault has under one path. */
export interface SecretContent {
  /**
   * @param key `undefined` for the secret as a whole
   * @throws VaultError `not_found` when there is no such text
   */
  value(key: string | undefined): string;
}

/** A secret that is one text: a variable or a file. With a key, it is a JSON object. One line break at its end is no part of it. */
export function textContent(text: string): SecretContent {
  const whole = text.replace(/\r?\n$/, '');
  if (whole === '') throw new VaultError('not_found', 'the secret is empty');
  let fields: SecretContent | undefined;
  return {
    value: (key) => (key === undefined ? whole : (fields ??= fieldsContent(parsedObject(whole))).value(key)),
  };
}

/**
 * A secret that is values by name. Without a key it has to be the only one. Only text counts: a number may have been changed on its
 * way through JSON, and a secret that is almost right is worse than none.
 */
export function fieldsContent(fields: Readonly<Record<string, unknown>>): SecretContent {
  const values = new Map(Object.entries(fields));
  return {
    value(key) {
      if (key === undefined && values.size !== 1)
        throw new VaultError('not_found', 'the secret has several keys: name one');
      const value = key === undefined ? [...values.values()][0] : values.get(key);
      if (typeof value === 'string' && value !== '') return value;
      throw new VaultError('not_found', values.has(key ?? '') ? 'the key holds no text' : 'the secret has no such key');
    },
  };
}

/** Bytes of UTF-8 as text. @throws VaultError `unavailable` for anything else, and for more than {@link SECRET_BYTES_MAX} */
export function textOf(bytes: Uint8Array): string {
  if (bytes.length > SECRET_BYTES_MAX)
    throw new VaultError('unavailable', `the secret has more than ${SECRET_BYTES_MAX} bytes`);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new VaultError('unavailable', 'the secret is no text in UTF-8');
  }
}

/** Whether a value of JSON has named fields. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parsedObject(text: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Said below. The parser's message quotes the text.
  }
  if (isObject(value)) return value;
  throw new VaultError('not_found', 'the secret is no JSON object, so it has no keys');
}
