import type * as v from 'valibot';
import { logRecord } from '../shared/records/log-record.ts';
import type { HeaderChoice } from '../shared/records/logged-headers.ts';
import { redactedHeader, REDACTED } from '../shared/records/redaction.ts';

/** Names of fields, from the outermost on, with dots between them. */
export const KEY_FIELD: RegExp = /^[a-z][a-z0-9_-]*(?:\.[a-z0-9][a-z0-9_-]*)*$/;

/**
 * Makes what finds the key of a record.
 * @param field of the record, of the form {@link KEY_FIELD}
 * @returns text for text, numbers and true or false; `undefined` for everything else, and for what is not there
 */
export function keyFinder(field: string | undefined): (record: object) => string | undefined {
  if (field === undefined) return () => undefined;
  const names = field.split('.');
  return (record) => {
    let value: unknown = record;
    for (const name of names) {
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
      value = (value as Record<string, unknown>)[name];
    }
    return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? `${value}`
      : undefined;
  };
}

/** Types of what is a key as it stands. */
const KEYS: ReadonlySet<string> = new Set(['string', 'number', 'boolean']);

/** Parts of a record that clients and upstreams name. */
const HEADERS: ReadonlySet<string> = new Set(['request_headers', 'response_headers']);

/**
 * Why no record has such a key, which would leave every message without one, or with the same: their order would be lost and nobody told.
 * @param field of the form {@link KEY_FIELD}
 * @param included which headers records have
 * @returns `undefined` when records may have it
 */
export function keyFieldFault(field: string, included: HeaderChoice): string | undefined {
  const [first = '', ...others] = field.split('.');
  if (HEADERS.has(first) && others.length === 1) return headerFault(others[0] ?? '', included);
  let fields: Fields | undefined = logRecord.entries;
  let found: Field | undefined;
  for (const name of [first, ...others]) {
    found = fields !== undefined && Object.hasOwn(fields, name) ? bare(fields[name]) : undefined;
    fields = found?.entries;
  }
  if (found === undefined) return 'names no field of a record';
  return KEYS.has(found.type) ? undefined : 'names several values, and a key is one';
}

function headerFault(name: string, included: HeaderChoice): string | undefined {
  if (redactedHeader(name, '') === REDACTED)
    return 'names a header that may be a credential, and is the same in all records';
  return included === true || (included !== false && included.includes(name))
    ? undefined
    : 'names a header that records do not have: see include_headers';
}

/** What a schema says of a part of a record. */
interface Field extends v.GenericSchema {
  readonly entries?: Fields;
  readonly wrapped?: Field;
}

type Fields = Readonly<Record<string, Field>>;

/** Without what says that it may be null or absent. */
function bare(field: Field | undefined): Field | undefined {
  return field?.wrapped === undefined ? field : bare(field.wrapped);
}
