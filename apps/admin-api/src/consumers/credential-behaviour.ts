import { randomBytes } from 'node:crypto';
import { isRedactionMask } from '@portcullis/bundle-diff';
import { credentialPasswordLengthMax, hasAtMost } from '@portcullis/resources';
import type { PasswordHasher } from '../identity/password-hasher.ts';
import type { FamilyBehaviour, Prepared, PrepareInput } from '../resources/family-behaviour.ts';
import { variableProblems } from '../plugins/variable-references.ts';
import { without } from '../resources/values.ts';
import type { ResourceStates } from '../store/resource-states.ts';
import { lastUse } from '../tokens/api-token-behaviour.ts';
import { apiKeyHash, credentialRules, named, sharesSecret } from './credential-rules.ts';

/** Characters of a key that are kept to tell keys apart. Short keys keep fewer, so that most of a key stays unknown. */
const prefixLengthMax = 6;
/** Bytes of what is made: an API key or an issuer, and a secret that signs. */
const madeKeyBytes = 24;
const madeSecretBytes = 32;

/**
 * Credentials. What gateways only compare is stored as a hash (API keys, passwords); what they have to sign with is sealed.
 * What is made here is shown in the answer that made it, and never again. Source: wire contract, Certificates, consumers, vaults.
 */
export function createCredentialBehaviour(hasher: PasswordHasher, states: ResourceStates): FamilyBehaviour {
  return {
    ...credentialRules,
    async anticipate({ password }, tenantId) {
      return isFitPassword(password) ? { password_hash: await hasher.hash(password, tenantId) } : {};
    },
    async prepare(input) {
      const problems = variableProblems(input.values['secret'], '/secret', input.tenantId);
      if (problems.length > 0) return { ok: false, problems };
      return (byType[String(input.values['type'])] ?? unchanged)(input);
    },
    async liveFields(executor, tenantId, records) {
      const ids = records.map((record) => record.id);
      const known = await states.getMany(executor, tenantId, 'consumer-credentials', ids);
      return new Map(ids.map((id) => [id, lastUse(known.get(id))]));
    },
  };
}

const byType: Readonly<Record<string, (input: PrepareInput) => Prepared>> = {
  api_key: prepareApiKey,
  basic: prepareBasic,
  hmac: prepareHmac,
  jwt: prepareJwt,
};

function unchanged({ values }: PrepareInput): Prepared {
  return { ok: true, body: values };
}

function prepareApiKey({ values, stored }: PrepareInput): Prepared {
  const sent = values['key'];
  const key = typeof sent === 'string' ? sent : stored ? undefined : `pk_${madeText(madeKeyBytes)}`;
  const body = without(values, 'key');
  if (key === undefined) {
    return { ok: true, body: { ...body, key_hash: stored?.body['key_hash'], key_prefix: stored?.body['key_prefix'] } };
  }
  const prefix = key.slice(0, Math.min(prefixLengthMax, Math.floor(key.length / 4)));
  return { ok: true, body: { ...body, key_hash: apiKeyHash(key), key_prefix: prefix }, reveal: { key } };
}

function prepareBasic({ values, stored, anticipated, maskOf }: PrepareInput): Prepared {
  const { password } = values;
  const body = without(values, 'password');
  if (typeof password === 'string') {
    const hash = anticipated['password_hash'];
    if (typeof hash !== 'string') throw new TypeError('a password was sent that was not hashed before the write');
    return { ok: true, body: { ...body, password_hash: hash, password_mask: maskOf(password) } };
  }
  if (!stored) {
    const problem = { pointer: '/password', code: 'required', message: 'is required for a new basic credential' };
    return { ok: false, problems: [problem] };
  }
  const { password_hash, password_mask } = stored.body;
  return { ok: true, body: { ...body, password_hash, password_mask } };
}

function prepareHmac({ values }: PrepareInput): Prepared {
  const keyId = values['key_id'] ?? madeText(madeKeyBytes);
  const body = named({ ...values, key_id: keyId }, keyId);
  if (values['secret'] !== undefined) return { ok: true, body };
  const secret = madeText(madeSecretBytes);
  return { ok: true, body: { ...body, secret }, reveal: { secret } };
}

function prepareJwt({ values }: PrepareInput): Prepared {
  const key = values['key'] ?? madeText(madeKeyBytes);
  const body = named({ ...values, key, issuer: key }, key);
  if (!sharesSecret(values) || values['secret'] !== undefined) return { ok: true, body };
  const secret = madeText(madeSecretBytes);
  return { ok: true, body: { ...body, secret }, reveal: { secret } };
}

function madeText(bytes: number): string {
  return randomBytes(bytes).toString('base64url');
}

function isFitPassword(password: unknown): password is string {
  if (typeof password !== 'string' || isRedactionMask(password)) return false;
  return password !== '' && hasAtMost(password, credentialPasswordLengthMax);
}
