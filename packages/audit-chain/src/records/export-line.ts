import type { RecordLinks } from '../chain/chain-batch.ts';
import { isHash } from '../hashing/hex.ts';
import { jsonForm, parseCanonical } from './json-form.ts';

/** A committed value with its salt, or null once it was erased. */
export type Disclosure = { readonly salt: string; readonly value: unknown } | null;

/** A record as it is exported: the bytes that are hashed, its place in the chains, and what commitments in it stand for. */
export interface ExportRecord extends RecordLinks {
  readonly canonical: string;
  /** By name of the committed field. A name that is missing, or null, is an erased value. */
  readonly disclosures?: Readonly<Record<string, Disclosure>>;
  /** What the store shows of the record in its other columns, to be compared with what is hashed. */
  readonly displayed?: Readonly<Record<string, unknown>>;
}

/** A line of an export that cannot be read. */
export class ExportLineError extends Error {
  override readonly name = 'ExportLineError';
}

const SEQUENCES = ['tenant_sequence', 'global_sequence'] as const;
const HASHES = ['previous_hash', 'audit_hash', 'global_previous_hash', 'global_hash'] as const;
const OBJECTS = ['disclosures', 'displayed'] as const;
const MEMBERS: ReadonlySet<string> = new Set(['canonical', ...SEQUENCES, ...HASHES, ...OBJECTS]);

/** The record as one line of NDJSON, without the line break: the RFC 8785 form of the object, so that it has one spelling. */
export function exportLine(record: ExportRecord): string {
  return jsonForm(
    Object.fromEntries(Object.entries(record).filter(([name, value]) => MEMBERS.has(name) && value !== undefined)),
  );
}

/**
 * Reads a line of `exportLine`. `isExact` is false where the line says it in another spelling than `exportLine` would.
 * Throws an ExportLineError for what is no record.
 */
export function parseExportLine(line: string): { readonly record: ExportRecord; readonly isExact: boolean } {
  let exact: { readonly value: unknown } | undefined;
  let value: unknown;
  try {
    exact = parseCanonical(line);
    value = exact === undefined ? JSON.parse(line) : exact.value;
  } catch {
    throw new ExportLineError('the line is no JSON');
  }
  return { record: checkExportRecord(value), isExact: exact !== undefined };
}

/** Gives the value back as a record, or throws an ExportLineError that names the member that is wrong. */
export function checkExportRecord(value: unknown): ExportRecord {
  if (!isObject(value)) throw new ExportLineError('a record is an object');
  for (const name of Object.keys(value))
    if (!MEMBERS.has(name)) throw new ExportLineError(`a record has no member ${name.slice(0, 64)}`);
  if (typeof value['canonical'] !== 'string') throw new ExportLineError('canonical is text');
  for (const name of SEQUENCES) {
    const sequence = value[name];
    if (!Number.isSafeInteger(sequence) || Number(sequence) < 1)
      throw new ExportLineError(`${name} is a whole number from 1`);
  }
  for (const name of HASHES)
    if (!isHash(value[name])) throw new ExportLineError(`${name} is a SHA-256 hash in lower-case hex`);
  for (const name of OBJECTS) {
    if (value[name] !== undefined && !isObject(value[name])) throw new ExportLineError(`${name} is an object`);
  }
  for (const disclosure of Object.values(value['disclosures'] ?? {})) checkDisclosure(disclosure);
  return value as unknown as ExportRecord;
}

function checkDisclosure(disclosure: unknown): void {
  if (disclosure === null) return;
  if (
    !isObject(disclosure) ||
    typeof disclosure['salt'] !== 'string' ||
    !('value' in disclosure) ||
    Object.keys(disclosure).length > 2
  ) {
    throw new ExportLineError('a disclosure has a salt and a value, or is null');
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
