import {
  deliveredApiKey,
  deliveredBasic,
  deliveredHmac,
  deliveredJwt,
  jwtSecretAlgorithms,
} from '@portcullis/resources';
import * as v from 'valibot';
import type { CredentialRecord } from './records.ts';

interface Common {
  readonly id: string;
  readonly consumerId: string;
  /** What requests name it by; of an API key the digest, see {@link keyName}. */
  readonly name: string;
  /** Milliseconds since 1970 from which on it is refused; `undefined` for never. */
  readonly expiresAtMs: number | undefined;
}

/** A credential as the directory keeps it. */
export type Credential =
  | (Common & { readonly type: 'api_key' })
  | (Common & { readonly type: 'basic'; readonly passwordHash: string })
  | (Common & { readonly type: 'hmac'; readonly secret: string; readonly algorithms: readonly string[] })
  | (Common & {
      readonly type: 'jwt';
      readonly algorithm: string;
      readonly secret: string | undefined;
      readonly publicKey: string | undefined;
    });

/** A mistake of a credential, at a path within its record. */
export interface CredentialMistake {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

const forms = { api_key: deliveredApiKey, basic: deliveredBasic, hmac: deliveredHmac, jwt: deliveredJwt } as const;

const kinds: Readonly<Record<keyof typeof forms, string>> = {
  api_key: 'an API key',
  basic: 'a basic credential',
  hmac: 'an HMAC credential',
  jwt: 'a JWT credential',
};

/** What is wrong with a credential; nothing for a type that this gateway does not know. The messages show no value. */
export function credentialMistakes(record: CredentialRecord): readonly CredentialMistake[] {
  const { type } = record;
  if (!isKnown(type)) return [];
  const result = v.safeParse<v.GenericSchema>(forms[type], record);
  const message = `is not what gateways get for ${kinds[type]}`;
  if (!result.success) return result.issues.map((issue) => ({ path: pathOf(issue), message }));
  return type === 'jwt' ? materialMistakes(v.parse(deliveredJwt, record)) : [];
}

/** Reads a credential without mistakes; `undefined` for a type that this gateway does not know. */
export function readCredential(record: CredentialRecord): Credential | undefined {
  const { id, consumer_id: consumerId } = record;
  switch (record.type) {
    case 'api_key': {
      const { key_hash: digest, expires_at: expiresAt } = v.parse(deliveredApiKey, record);
      return { type: 'api_key', id, consumerId, name: keyName(digest), expiresAtMs: timeOf(expiresAt) };
    }
    case 'basic': {
      const { username: name, password_hash: passwordHash, expires_at: expiresAt } = v.parse(deliveredBasic, record);
      return { type: 'basic', id, consumerId, name, expiresAtMs: timeOf(expiresAt), passwordHash };
    }
    case 'hmac': {
      const { key_id: name, secret, algorithms, expires_at: expiresAt } = v.parse(deliveredHmac, record);
      return { type: 'hmac', id, consumerId, name, expiresAtMs: timeOf(expiresAt), secret, algorithms };
    }
    case 'jwt': {
      const { key: name, algorithm, secret, public_key: publicKey, expires_at } = v.parse(deliveredJwt, record);
      return { type: 'jwt', id, consumerId, name, expiresAtMs: timeOf(expires_at), algorithm, secret, publicKey };
    }
    default:
      return undefined;
  }
}

/** An API key's digest as its name: one character a byte, which takes half the memory of hexadecimal. */
export function keyName(hexDigest: string): string {
  return Buffer.from(hexDigest, 'hex').toString('latin1');
}

function isKnown(type: string): type is keyof typeof forms {
  return Object.hasOwn(forms, type);
}

/** A secret for algorithms that share one, a public key for the others, and never both: an algorithm must not choose between them. */
function materialMistakes(jwt: v.InferOutput<typeof deliveredJwt>): readonly CredentialMistake[] {
  const shares = jwtSecretAlgorithms.some((algorithm) => algorithm === jwt.algorithm);
  const [needed, forbidden] = shares ? (['secret', 'public_key'] as const) : (['public_key', 'secret'] as const);
  const mistakes: CredentialMistake[] = [];
  if (jwt[needed] === undefined) mistakes.push({ path: [needed], message: `is needed for ${jwt.algorithm}` });
  if (jwt[forbidden] !== undefined)
    mistakes.push({ path: [forbidden], message: `does not belong to ${jwt.algorithm}` });
  return mistakes;
}

function pathOf(issue: v.BaseIssue<unknown>): readonly (string | number)[] {
  return (issue.path ?? []).map(({ key }) => (typeof key === 'number' ? key : String(key)));
}

function timeOf(expiresAt: string | undefined): number | undefined {
  if (expiresAt === undefined) return undefined;
  const atMs = Date.parse(expiresAt);
  // A time that cannot be read counts as past: a comparison with NaN would let the credential in for ever.
  return Number.isNaN(atMs) ? Number.NEGATIVE_INFINITY : atMs;
}
