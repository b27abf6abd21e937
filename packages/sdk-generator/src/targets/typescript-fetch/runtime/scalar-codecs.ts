/** The first part of `src/runtime/codec.ts`: what codecs are, and those of single values. */
export const scalarCodecs: string = String.raw`import { DecodeError, InvalidRequestError } from './errors.ts';

/** Reads a type from JSON, and makes JSON of it. */
export interface Codec<T> {
  /** @throws DecodeError naming the place */
  read(json: unknown, at: string): T;
  /** @throws InvalidRequestError naming the place */
  write(value: T, at: string): unknown;
  /** Whether a value that is to be written is one of this type. */
  fits(value: unknown): boolean;
  /** How many fields of JSON, or of a value that is to be written, an object of this type knows. */
  readonly knows?: (value: unknown, side: Side) => number;
}

type Side = 'json' | 'value';

function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'string' ? 'another text' : typeof value === 'object' ? 'an object' : ${'`a ${typeof value}`'};
}

function unread(at: string, expected: string, found: unknown): DecodeError {
  return new DecodeError(at, ${'`expected ${expected}, found ${kindOf(found)}`'});
}

function unsent(at: string, expected: string, found: unknown): InvalidRequestError {
  return new InvalidRequestError(at, ${'`expected ${expected}, found ${kindOf(found)}`'});
}

function plain<T>(expected: string, isOne: (value: unknown) => value is T): Codec<T> {
  return {
    read: (json, at) => {
      if (isOne(json)) return json;
      throw unread(at, expected, json);
    },
    write: (value, at) => {
      if (isOne(value)) return value;
      throw unsent(at, expected, value);
    },
    fits: isOne,
  };
}

export const any: Codec<unknown> = plain('a value', (value): value is unknown => value !== undefined);
export const string: Codec<string> = plain('a text', (value): value is string => typeof value === 'string');
export const boolean: Codec<boolean> = plain('a boolean', (value): value is boolean => typeof value === 'boolean');
export const number: Codec<number> = plain('a number', (value): value is number => Number.isFinite(value));
/** Numbers beyond 9007199254740991 are not exact: JavaScript has no others in JSON. */
export const integer: Codec<number> = plain('an integer', (value): value is number => Number.isInteger(value));
export const date: Codec<string> = plain(
  'a date (YYYY-MM-DD)',
  (value): value is string => typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && isDay(value),
);

/** A day of the calendar: others, such as the 30th of February, would become the first ones of the next month. */
function isDay(text: string): boolean {
  const day = new Date(${'`${text}T00:00:00Z`'});
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

/** Source: RFC 3339, 5.6. */
const moment = /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i;

export const dateTime: Codec<Date> = {
  read: (json, at) => {
    const day = typeof json === 'string' ? moment.exec(json)?.[1] : undefined;
    const read = typeof json === 'string' && day !== undefined && isDay(day) ? new Date(json.toUpperCase()) : undefined;
    if (read === undefined || Number.isNaN(read.getTime())) throw unread(at, 'a date with time (RFC 3339)', json);
    return read;
  },
  write: (value, at) => {
    if (!dateTime.fits(value)) throw unsent(at, 'a valid Date', value);
    return value.toISOString();
  },
  fits: (value) => value instanceof Date && !Number.isNaN(value.getTime()),
};

/** Bytes in Base64, with padding and nothing between. Source: RFC 4648, 4. */
export const bytes: Codec<Uint8Array> = {
  read: (json, at) => {
    if (typeof json !== 'string' || json.length % 4 !== 0 || !/^[A-Za-z\d+/]*={0,2}$/.test(json)) {
      throw unread(at, 'bytes in Base64', json);
    }
    try {
      return Uint8Array.from(atob(json), (character) => character.charCodeAt(0));
    } catch {
      throw unread(at, 'bytes in Base64', json);
    }
  },
  write: (value, at) => {
    if (!bytes.fits(value)) throw unsent(at, 'a Uint8Array', value);
    return base64(value);
  },
  fits: (value) => value instanceof Uint8Array,
};

/** Base64 of bytes. */
export function base64(content: Uint8Array): string {
  let binary = '';
  for (const byte of content) binary += String.fromCharCode(byte);
  return btoa(binary);
}

`;
