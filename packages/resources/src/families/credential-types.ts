import * as v from 'valibot';
import type { FamilyRule, RuleViolation } from '../family.ts';

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

/**
 * Most characters of what callers may supply: an API key, the issuer that a token credential is found by, a consumer's password,
 * a secret that signs. None has a least: clients have the secrets of a gateway that came before, which cannot be changed here.
 */
export const apiKeyLengthMax = 512;
const jwtKeyLengthMax = 256;
/** See {@link apiKeyLengthMax}. */
export const credentialPasswordLengthMax = 256;
/** See {@link apiKeyLengthMax}. */
export const credentialSecretLengthMax = 1024;
/** Characters of a public key's PEM text: an RSA key of 16,384 bits has less than half of them. */
export const publicKeyLengthMax = 8192;

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

/** `key` is the secret of an API key and the issuer of a token credential, which is kept readable and found by. */
export const keyOfType: FamilyRule = ({ type, key }) =>
  type === 'jwt' && typeof key === 'string' && key.length > jwtKeyLengthMax
    ? [violation('key', 'max_length', `must be at most ${jwtKeyLengthMax} characters`)]
    : [];

/**
 * Tokens are checked with exactly one of a shared secret and a public key; the algorithm says which. A shared secret that is not
 * given is made where the record is written, as for other kinds.
 */
export const jwtMaterial: FamilyRule = (record) => {
  if (record['type'] !== 'jwt') return [];
  const algorithm = typeof record['algorithm'] === 'string' ? record['algorithm'] : jwtAlgorithmDefault;
  const isShared = jwtSecretAlgorithms.some((known) => known === algorithm);
  const other = isShared ? 'public_key' : 'secret';
  const isLacking = !isShared && !isGiven(record['public_key']);
  return [
    ...(isLacking ? [violation('public_key', 'required', `is required for ${algorithm}`)] : []),
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
