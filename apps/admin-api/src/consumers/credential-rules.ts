import { createHash } from 'node:crypto';
import { hmacAlgorithms, jwtAlgorithmDefault } from '@portcullis/resources';
import type { JwtAlgorithm } from '@portcullis/resources';
import type { FieldProblem } from '../http/problem.ts';
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
  check: keyProblems,
  secretPointers: ({ type }: Values) => (type === 'api_key' ? ['/key'] : []),
  hashedSecrets: { '/key': 'key_hash', '/password': 'password_hash' },
  isSameSecret: (stored: Values, pointer: string, secret: string, mask: string | undefined) => {
    if (pointer === '/key') return stored['key_hash'] === apiKeyHash(secret);
    // The hash of a password has a salt: comparing with it costs a hash each, and a bundle may hold thousands.
    return pointer === '/password' && mask !== undefined && stored['password_mask'] === mask;
  },
  madeUp: ({ type }: Values) => secretsOfNew[String(type)] ?? [],
  keptFields: ['key_id', 'key', 'secret'],
} as const satisfies FamilyBehaviour;

/** What a new record of a bundle must bring, because a made one would be shown to nobody. */
const secretsOfNew: Readonly<Record<string, readonly string[]>> = {
  api_key: ['key'],
  basic: ['password'],
  hmac: ['secret'],
};

function withDefaults(values: Values): Values {
  const { type, algorithms, algorithm } = values;
  if (type === 'hmac') return { ...values, algorithms: algorithms ?? [...hmacAlgorithms] };
  if (type === 'jwt') return { ...values, algorithm: algorithm ?? jwtAlgorithmDefault };
  return values;
}

function keyProblems({ public_key: pem, algorithm }: Values): FieldProblem[] {
  if (typeof pem !== 'string') return [];
  const fault = publicKeyFault(pem, algorithm as JwtAlgorithm);
  return fault ? [{ pointer: '/public_key', ...fault }] : [];
}
