import * as v from 'valibot';
import { maxCharacters, minCharacters } from './text-length.ts';

/** Bounds of fields that many families share. Source: wire contract, Lists and records; Configuration operations. */
export const fieldLimits = {
  idLengthMax: 128,
  nameLengthMax: 256,
  descriptionLengthMax: 2000,
  labelsMax: 64,
  labelKeyLengthMax: 128,
  labelValueLengthMax: 256,
  listItemsMax: 256,
} as const;

/** Whether a text has no control characters. They forge log lines and header values. */
export function hasNoControlCharacters(text: string): boolean {
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  return !/[\u0000-\u001F\u007F]/.test(text);
}

const noControlCharacters = v.check(hasNoControlCharacters, 'must not contain control characters');

/** It can stand in a path as it is, which `.` and `..` cannot. */
const recordId = /^(?!\.{1,2}$)[A-Za-z0-9._~-]{1,128}$/;

/** Whether a text may be a record's ID. */
export function isRecordId(text: string): boolean {
  return recordId.test(text);
}

/** A record's ID as callers may supply it. */
export const id: v.GenericSchema<string> = v.pipe(
  v.string(),
  v.regex(recordId, 'must be 1 to 128 of A-Z a-z 0-9 . _ ~ - and not only one or two dots'),
  v.description('Stable ID; a UUID version 7 is made where none is given'),
);

/** A tenant's ID: its slug. */
export const tenantId: v.GenericSchema<string> = v.pipe(
  v.string(),
  v.regex(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/, 'must be 1 to 63 of a-z 0-9 and inner hyphens'),
  v.description("The tenant's slug"),
);

/** The name of a record, unique in its scope. */
export const name: v.GenericSchema<string> = v.pipe(
  v.string(),
  minCharacters(1),
  maxCharacters(fieldLimits.nameLengthMax),
  noControlCharacters,
  v.check((text) => text.trim() === text, 'must not begin or end with white space'),
);

/** A reference to another record by its ID. */
export const reference: v.GenericSchema<string> = id;

/** Free text about a record. */
export const description: v.GenericSchema<string | undefined, string | undefined> = v.optional(
  v.pipe(v.string(), maxCharacters(fieldLimits.descriptionLengthMax), v.description('Free text for people')),
);

const stringMap = (about: string) =>
  v.pipe(
    v.record(
      v.pipe(v.string(), minCharacters(1), maxCharacters(fieldLimits.labelKeyLengthMax), noControlCharacters),
      v.pipe(v.string(), maxCharacters(fieldLimits.labelValueLengthMax), noControlCharacters),
    ),
    v.check(
      (map) => Object.keys(map).length <= fieldLimits.labelsMax,
      `must have at most ${fieldLimits.labelsMax} entries`,
    ),
    v.metadata({ maxProperties: fieldLimits.labelsMax }),
    v.description(about),
  );

/** Operator labels: string to string, filterable with `labels=k=v`. */
export const labels: v.GenericSchema<Record<string, string> | undefined, Record<string, string>> = v.optional(
  stringMap('Operator labels; they do not affect traffic'),
  {},
);

/** Free key-value notes of a record. */
export const metadata: v.GenericSchema<Record<string, string> | undefined, Record<string, string>> = v.optional(
  stringMap('Free notes of the owner'),
  {},
);

/** Whether the record takes part in traffic. */
export const enabled: v.GenericSchema<boolean | undefined, boolean> = v.optional(v.boolean(), true);

/** A whole number in a range, with a default. */
export function integer(
  minimum: number,
  maximum: number,
  fallback: number,
  about: string,
): v.GenericSchema<number | undefined, number> {
  return v.optional(
    v.pipe(
      v.number(),
      v.integer('must be a whole number'),
      v.minValue(minimum, `must be at least ${minimum}`),
      v.maxValue(maximum, `must be at most ${maximum}`),
      v.description(about),
    ),
    fallback,
  );
}

/** A list of distinct short texts. */
export function textList(
  item: v.GenericSchema<string>,
  about: string,
): v.GenericSchema<string[] | undefined, string[]> {
  return v.optional(
    v.pipe(
      v.array(item),
      v.maxLength(fieldLimits.listItemsMax, `must have at most ${fieldLimits.listItemsMax} items`),
      v.check((items) => new Set(items).size === items.length, 'must not repeat an item'),
      v.description(about),
    ),
    [],
  );
}

/** A time as RFC 3339 writes it, with any offset from UTC; stored as given. `Date.parse` reads every one. */
export const timestamp: v.GenericSchema<string> = v.pipe(
  v.string(),
  v.check(isTimestamp, 'must be an RFC 3339 time such as 2026-01-31T09:30:00Z'),
  v.metadata({ format: 'date-time' }),
);

/**
 * Whether a text is an RFC 3339 time of a day that the calendar has. Leap seconds are refused: `Date` has none.
 * Source: RFC 3339, 5.6 and 5.7.
 */
function isTimestamp(text: string): boolean {
  const day = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/.exec(text)?.[1];
  if (day === undefined || Number.isNaN(Date.parse(text))) return false;
  // Date.parse takes February 30th for March 1st or 2nd.
  const midnight = new Date(day);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
}
