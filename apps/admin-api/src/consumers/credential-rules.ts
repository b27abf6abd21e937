import { createHash } from 'node:crypto';
import { hmacAlgorithms, jwtAlgorithmDefault, jwtSecretAlgorithms } from '@portcullis/resources';
import type { JwtAlgorithm } from '@portcullis/resources';
import type { FieldProblem } from '../http/problem.ts';
import { hashedReferenceProblems, referenceProblems } from '../resources/secret-references.ts';
import { variableProblems } from '../plugins/variable-references.ts';
import type { FamilyBehaviour } from '../resources/family-behaviour.ts';
import type { Values } from '../resources/values.ts';
import { publicKeyFault } from './public-key.ts';

/** SHA-256 of an API key, lower-case hex: the form in which keys are stored, compared and delivered. */
export function apiKeyHash(key: string): string {
  return createHash('sha256').update(key, 'utf8').digest('hex');
}

/**
 * What a credential's fields mean by its kind, without doing anything: planning a bundle and writing a record share it.
 * `key` is an API key's secret and a token credential's public issuer, so its kind decides whether it is one.
 */
export const credentialRules = {
  derive: withDefaults,
  takesReferences: true,
  check: (values: Values) => [
    ...keyProblems(values),
    ...referenceProblems(values, ['/secret']),
    ...variableProblems(values['secret'], '/secret'),
    ...hashedReferenceProblems(values, values['type'] === 'api_key' ? ['/key', '/password'] : ['/password']),
  ],
  secretPointers: ({ type }: Values) => (type === 'api_key' ? ['/key'] : []),
  hashedSecrets: { '/key': 'key_hash', '/password': 'password_hash' },
  isSameSecret: (stored: Values, pointer: string, secret: string, mask: string | undefined) => {
    if (pointer === '/key') return stored['key_hash'] === apiKeyHash(secret);
    // The hash of a password has a salt: comparing with it costs a hash each, and a bundle may hold thousands.
    return pointer === '/password' && mask !== undefined && stored['password_mask'] === mask;
  },
  madeUp,
  keptFields: ['key_id', 'key', 'secret'],
} as const satisfies FamilyBehaviour;

/**
 * What a new record of a bundle must bring: secrets that would be shown to nobody, and what it is told by the next time where
 * it has no name.
 */
function madeUp(values: Values): readonly string[] {
  const { type, name } = values;
  switch (type) {
    case 'api_key':
      return ['key'];
    case 'basic':
      return ['password'];
    case 'hmac':
      return name === undefined ? ['key_id', 'secret'] : ['secret'];
    default:
      return [...(name === undefined ? ['key'] : []), ...(sharesSecret(values) ? ['secret'] : [])];
  }
}

/** Whether the tokens of a token credential are signed and checked with one shared secret. */
export function sharesSecret({ algorithm }: Values): boolean {
  const chosen = algorithm ?? jwtAlgorithmDefault;
  return jwtSecretAlgorithms.some((known) => known === chosen);
}

function withDefaults(values: Values): Values {
  const { type, algorithms, algorithm, username, key_id: keyId, key } = values;
  switch (type) {
    case 'basic':
      return named(values, username);
    case 'hmac':
      return named({ ...values, algorithms: algorithms ?? [...hmacAlgorithms] }, keyId);
    case 'jwt':
      return named({ ...values, algorithm: algorithm ?? jwtAlgorithmDefault }, key);
    default:
      return values;
  }
}

/** A credential is called by what identifies it unless it has a name. */
export function named(values: Values, identifier: unknown): Values {
  return (values['name'] ?? null) === null && identifier !== undefined ? { ...values, name: identifier } : values;
}

function keyProblems({ public_key: pem, algorithm }: Values): FieldProblem[] {
  if (typeof pem !== 'string') return [];
  const fault = publicKeyFault(pem, algorithm as JwtAlgorithm);
  return fault ? [{ pointer: '/public_key', ...fault }] : [];
}
