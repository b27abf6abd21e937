import * as v from 'valibot';
import type { FamilyRule, RuleViolation } from '../family.ts';
import { hasAtLeast, maxCharacters } from '../text-length.ts';

/** Kinds of credentials. Source: wire contract, Certificates, consumers, vaults. */
export const credentialTypes = ['api_key', 'basic', 'hmac', 'jwt'] as const;

/** Algorithms of request signatures: Kong's, without SHA-1. All are allowed where a credential names none. */
export const hmacAlgorithms = ['hmac-sha256', 'hmac-sha384', 'hmac-sha512'] as const;

/** Algorithms of JSON Web Tokens that share a secret. The first is the default, as in Kong. */
export const jwtSecretAlgorithms = ['HS256', 'HS384', 'HS512'] as const;

/** Algorithms of JSON Web Tokens that are checked with a public key. */
export const jwtKeyAlgorithms = [
  'RS256',
  'RS384',
  'RS512',
  'ES256',
  'ES384',
  'ES512',
  'PS256',
  'PS384',
  'PS512',
  'EdDSA',
] as const;

/** See {@link jwtSecretAlgorithms} and {@link jwtKeyAlgorithms}. */
export type JwtAlgorithm = (typeof jwtSecretAlgorithms)[number] | (typeof jwtKeyAlgorithms)[number];

/** The algorithm of a token credential that names none. */
export const jwtAlgorithmDefault: JwtAlgorithm = 'HS256';

/** Length bounds, in characters, of what callers may supply. */
export const apiKeyLength = { min: 16, max: 512 } as const;
/** Length of the issuer that a token credential is found by. */
export const jwtKeyLength = { min: 1, max: 256 } as const;
/** Length of a consumer's password. */
export const credentialPasswordLength = { min: 8, max: 256 } as const;
/** Length of a secret that signs requests or tokens. */
export const credentialSecretLength = { min: 16, max: 1024 } as const;
/** Characters of a public key's PEM text: an RSA key of 16,384 bits has less than half of them. */
export const publicKeyLengthMax = 8192;

/** What reads show in place of a secret. A bundle may hold it: it stands for the stored secret, whose length was checked. */
const mask = /^\[redacted(?::[0-9a-f]{8})?\]$/;

/** A secret of at least so many characters, or the mask of a stored one. */
export function secretText({ min, max }: { readonly min: number; readonly max: number }): v.GenericSchema<string> {
  return v.pipe(
    v.string(),
    v.check((text) => hasAtLeast(text, min) || mask.test(text), `must have at least ${min} characters`),
    maxCharacters(max),
    v.metadata({ minLength: min }),
  );
}

/** The fields of each kind, beside those that all have. */
const fieldsOfType: Readonly<Record<string, readonly string[]>> = {
  api_key: ['key'],
  basic: ['username', 'password'],
  hmac: ['key_id', 'secret', 'algorithms'],
  jwt: ['key', 'algorithm', 'secret', 'public_key'],
};
const typedFields = new Set(Object.values(fieldsOfType).flat());

/** A field of another kind than the record's is refused, so that nobody believes it does something. */
export const onlyFieldsOfType: FamilyRule = (record) => {
  const own = fieldsOfType[String(record['type'])] ?? [];
  return [...typedFields]
    .filter((field) => isGiven(record[field]) && !own.includes(field))
    .map((field) => violation(field, 'not_allowed', `is no field of ${String(record['type'])} credentials`));
};

/** A user name identifies a basic credential; its password is asked for where it is hashed. */
export const basicNeedsUsername: FamilyRule = (record) =>
  record['type'] === 'basic' && !isGiven(record['username'])
    ? [violation('username', 'required', 'is required for basic credentials')]
    : [];

/** `key` is the secret of an API key and the issuer of a token credential. */
export const keyOfType: FamilyRule = (record) => {
  const { type, key } = record;
  if (typeof key !== 'string' || (type !== 'api_key' && type !== 'jwt')) return [];
  if (type === 'api_key' && mask.test(key)) return [];
  const { min, max } = type === 'api_key' ? apiKeyLength : jwtKeyLength;
  if (key.length < min) return [violation('key', 'min_length', `must have at least ${min} characters`)];
  if (key.length > max) return [violation('key', 'max_length', `must have at most ${max} characters`)];
  return [];
};

/** Tokens are checked with exactly one of a shared secret and a public key; the algorithm says which. */
export const jwtMaterial: FamilyRule = (record) => {
  if (record['type'] !== 'jwt') return [];
  const algorithm = typeof record['algorithm'] === 'string' ? record['algorithm'] : jwtAlgorithmDefault;
  const isShared = jwtSecretAlgorithms.some((known) => known === algorithm);
  const [needed, other] = isShared ? ['secret', 'public_key'] : ['public_key', 'secret'];
  return [
    ...(isGiven(record[needed]) ? [] : [violation(needed, 'required', `is required for ${algorithm}`)]),
    ...(isGiven(record[other]) ? [violation(other, 'not_allowed', `is not used by ${algorithm}`)] : []),
  ];
};

/** Printable ASCII without spaces: what a header can carry as it is. */
export const visibleText: v.GenericSchema<string> = v.pipe(
  v.string(),
  v.regex(/^[\x21-\x7E]+$/, 'must be printable ASCII without spaces'),
);

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function violation(field: string, code: string, message: string): RuleViolation {
  return { pointer: `/${field}`, code, message };
}
