import { hash } from 'node:crypto';
import { canonicalJson } from './canonical-json.ts';

/** Bytes of a salt. Written as twice as many lower-case hex digits. */
export const SALT_BYTES = 16;
const SALT_TEXT = /^[0-9a-f]{32}$/;

/** Stands in a record's canonical form in place of a value that may have to be erased later. */
export interface Commitment {
  /** SHA-256 over the salt's bytes and the value's canonical form, lower-case hex. */
  readonly c: string;
}

/** The fields that stand as commitments in records of schema version 2. Source: reliability, Audit chain, Per-field commitments. */
export const COMMITTED_FIELDS: readonly string[] = ['before', 'after', 'metadata', 'source_ip', 'actor_username'];

/**
 * Commits to a value without showing it. The salt (32 hex digits, random, a new one for each field of each record) keeps
 * anybody from guessing an erased value. Its length is fixed, so that salt and value cannot be divided in another way.
 * Throws a CanonicalError for values without canonical form and a TypeError for other salts.
 */
export function commitField(value: unknown, salt: string): Commitment {
  if (!SALT_TEXT.test(salt)) throw new TypeError(`a salt is ${SALT_BYTES * 2} lower-case hex digits`);
  const canonical = canonicalJson(value);
  // One call with all bytes: to feed a hash piece by piece takes several times as long, five times a record.
  const bytes = Buffer.allocUnsafe(SALT_BYTES + Buffer.byteLength(canonical, 'utf8'));
  bytes.write(salt, 'hex');
  bytes.write(canonical, SALT_BYTES, 'utf8');
  return { c: hash('sha256', bytes, 'hex') };
}
