import { createHash, randomBytes } from 'node:crypto';
import type { FamilyBehaviour } from '../resources/family-behaviour.ts';
import { without } from '../resources/values.ts';

/** Characters of a key that are kept to tell keys apart. Short keys keep fewer, so that most of a key stays unknown. */
const prefixLengthMax = 6;

/** SHA-256 of an API key, lower-case hex: the form in which keys are stored, compared and delivered. */
export function apiKeyHash(key: string): string {
  return createHash('sha256').update(key, 'utf8').digest('hex');
}

/** API keys are made where none is given, shown once and stored hashed. Source: wire contract, Certificates, consumers, vaults. */
export const credentialBehaviour: FamilyBehaviour = {
  async prepare({ values, stored }) {
    const sent = values['key'];
    const key = typeof sent === 'string' ? sent : stored ? undefined : `pk_${randomBytes(24).toString('base64url')}`;
    const body = without(values, 'key');
    if (key === undefined) {
      return {
        ok: true,
        body: { ...body, key_hash: stored?.body['key_hash'], key_prefix: stored?.body['key_prefix'] },
      };
    }
    const prefix = key.slice(0, Math.min(prefixLengthMax, Math.floor(key.length / 4)));
    return { ok: true, body: { ...body, key_hash: apiKeyHash(key), key_prefix: prefix }, reveal: { key } };
  },
};
