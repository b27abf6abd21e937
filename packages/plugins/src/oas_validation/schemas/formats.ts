import { fullFormats } from 'ajv-formats/dist/formats.js';

/** Longest text whose format is looked at, in characters: no date or address has as many. What is longer is not of the format. */
export const FORMAT_LENGTH_MAX = 8192;

/** Formats whose texts may be of any length, and mean nothing that could be checked. */
const FREE = ['binary', 'password'] as const;

/** Formats that are checked. Others are annotations, as JSON Schema has it. Source: OpenAPI 3.1, 4.4; JSON Schema Validation, 7.3. */
const TEXTS = [
  ...(['date', 'time', 'date-time', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid'] as const),
  ...(['uri', 'uri-reference', 'json-pointer', 'relative-json-pointer', 'byte'] as const),
];
const NUMBERS = ['int32', 'int64', 'float', 'double'] as const;

/** A format of texts. */
export interface TextFormat {
  readonly test: (text: string) => boolean;
  /** Characters that are looked at in about a microsecond. */
  readonly charactersPerStep: number;
}

/** Formats of texts, by name. */
export const textFormats: ReadonlyMap<string, TextFormat> = new Map(
  TEXTS.map((name) => [name, boundedFormat(name, fullFormats[name])]),
);

/** Formats of numbers, by name. */
export const numberFormats: ReadonlyMap<string, (value: number) => boolean> = new Map(
  NUMBERS.map((name) => [name, name === 'int32' ? isInt32 : name === 'int64' ? Number.isInteger : Number.isFinite]),
);

/** Whether a format is known, checked or not. */
export function isKnownFormat(name: string): boolean {
  return textFormats.has(name) || numberFormats.has(name) || FREE.some((free) => free === name);
}

function isInt32(value: number): boolean {
  return Number.isInteger(value) && value >= -(2 ** 31) && value < 2 ** 31;
}

function boundedFormat(name: string, format: unknown): TextFormat {
  const test = testOf(format);
  // What is coded in base 64 is content, and as long as content is.
  if (name === 'byte') return { test, charactersPerStep: 256 };
  return { test: (text) => text.length <= FORMAT_LENGTH_MAX && test(text), charactersPerStep: 64 };
}

function testOf(format: unknown): TextFormat['test'] {
  if (format instanceof RegExp) return (text) => format.test(text);
  if (typeof format === 'function') return (text) => format(text) === true;
  const { validate } = format as { readonly validate: unknown };
  return testOf(validate);
}
