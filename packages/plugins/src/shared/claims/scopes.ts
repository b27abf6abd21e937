import * as v from 'valibot';
import { ENTRIES_MAX } from '../config-fields.ts';

/** Longest name of a scope, in characters. */
export const SCOPE_LENGTH_MAX = 256;

/**
 * The scopes that a claim grants: text with spaces between them, or a list. Anything else grants none.
 * Source: RFC 6749, section 3.3; RFC 8693, section 4.2.
 */
export function scopesOf(claim: unknown): readonly string[] {
  if (typeof claim === 'string') return claim.split(' ').filter((scope) => scope !== '');
  return Array.isArray(claim) ? claim.filter((scope) => typeof scope === 'string') : [];
}

/** Whether all required names are among the given ones. */
export function hasEvery(given: readonly string[], required: readonly string[]): boolean {
  return required.every((name) => given.includes(name));
}

/** The field `required_scopes`. Source of the characters: RFC 6749, section 3.3. */
export function requiredScopesField(description = 'Scopes that a token must have, all of them; else 403') {
  return v.pipe(
    v.array(scopeName, 'must be a list of scopes'),
    v.maxLength(ENTRIES_MAX, `must have at most ${ENTRIES_MAX} entries`),
    v.description(description),
  );
}

const scopeName = v.pipe(
  v.string('must be text'),
  v.maxLength(SCOPE_LENGTH_MAX, `must have at most ${SCOPE_LENGTH_MAX} characters`),
  v.regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/, 'must be one scope: printable ASCII without space, quote and backslash'),
);
