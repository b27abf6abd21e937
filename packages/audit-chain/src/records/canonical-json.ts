import canonicalize from 'canonicalize';
import { sortedJson } from './sorted-json.ts';

/** Why a value has no canonical form: where, as a JSON Pointer (RFC 6901), and which rule it breaks. */
export class CanonicalError extends Error {
  override readonly name = 'CanonicalError';
  readonly pointer: string;
  readonly rule: string;

  constructor(pointer: string, rule: string) {
    super(`${pointer === '' ? 'the value' : pointer}: ${rule}`);
    this.pointer = pointer;
    this.rule = rule;
  }
}

/** Values nested deeper than this are refused, so that no reader runs out of stack. */
export const DEPTH_MAX = 128;

/**
 * The canonical form of RFC 8785 of a value whose every reader agrees on it: plain objects, arrays, well-formed strings
 * without U+0000, finite numbers, integers within ±(2^53 - 1) (larger ones are to be strings), true, false and null.
 * Throws a CanonicalError that names the place. Source: reliability, Audit chain, Record bytes.
 */
export function canonicalJson(value: unknown): string {
  const plain = sortedJson(value);
  if (plain !== undefined) return plain;
  checkValue(value, '', 0);
  return canonicalize(value) ?? 'null';
}

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/**
 * The canonical form of a record: as `canonicalJson`, and its `timestamp`, if it has one, is a moment in UTC in the one form
 * `YYYY-MM-DDTHH:MM:SS.sssZ`, so that two records of one moment never differ in its spelling. Throws a CanonicalError.
 */
export function canonicalRecord(record: object): string {
  if ('timestamp' in record && !isTimestamp(record.timestamp)) {
    throw new CanonicalError('/timestamp', 'a timestamp is YYYY-MM-DDTHH:MM:SS.sssZ');
  }
  return canonicalJson(record);
}

function isTimestamp(value: unknown): boolean {
  if (typeof value !== 'string' || !TIMESTAMP.test(value)) return false;
  const atMs = Date.parse(value);
  // The 30th of February is parsed as another day, or not at all.
  return !Number.isNaN(atMs) && new Date(atMs).toISOString() === value;
}

function checkValue(value: unknown, pointer: string, depth: number): void {
  if (depth > DEPTH_MAX) throw new CanonicalError(pointer, `nested deeper than ${DEPTH_MAX}`);
  if (value === null || typeof value === 'boolean') return;
  if (typeof value === 'string') checkText(value, pointer);
  else if (typeof value === 'number') checkNumber(value, pointer);
  else if (Array.isArray(value))
    for (const [index, item] of value.entries()) checkValue(item, `${pointer}/${index}`, depth + 1);
  else if (isPlainObject(value)) checkMembers(value, pointer, depth);
  else throw new CanonicalError(pointer, `JSON has no ${nameOf(value)}`);
}

function checkMembers(value: object, pointer: string, depth: number): void {
  for (const [key, member] of Object.entries(value)) {
    checkText(key, pointer);
    checkValue(member, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`, depth + 1);
  }
}

function checkText(text: string, pointer: string): void {
  if (!text.isWellFormed()) throw new CanonicalError(pointer, 'text with a lone surrogate');
  if (text.includes('\u0000')) throw new CanonicalError(pointer, 'text with U+0000');
}

function checkNumber(value: number, pointer: string): void {
  if (!Number.isFinite(value)) throw new CanonicalError(pointer, `JSON has no ${value}`);
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    throw new CanonicalError(pointer, 'an integer beyond 2^53 - 1, which readers round: write it as a string');
  }
}

/** Objects of classes would be written as something else by their `toJSON`, or as nothing. */
function isPlainObject(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

function nameOf(value: unknown): string {
  return typeof value === 'object' ? (value?.constructor?.name ?? 'such object') : typeof value;
}
