import { createSecretKey } from 'node:crypto';
import type { JwtCredential, PluginLog } from '@portcullis/plugin-runtime';
import { sharedSecretAlgorithms } from '../shared/jwt/algorithms.ts';
import { readPublicKeys } from '../shared/jwt/public-keys.ts';
import type { VerificationKey } from '../shared/jwt/verify-signature.ts';

/**
 * The key of a credential; `undefined` for one that no token can be checked with. It is made once, and kept as long as the
 * credential's object.
 */
export type KeyOfCredential = (credential: JwtCredential) => VerificationKey | undefined;

/** See {@link KeyOfCredential}. */
export function credentialKeys(log: PluginLog): KeyOfCredential {
  const made = new WeakMap<JwtCredential, VerificationKey | 'unusable'>();
  return (credential) => {
    let key = made.get(credential);
    if (key === undefined) {
      key = makeKey(credential) ?? 'unusable';
      made.set(credential, key);
      if (key === 'unusable') log.warn('a JWT credential has no key that fits its algorithm', idOf(credential));
    }
    return key === 'unusable' ? undefined : key;
  };
}

/** The algorithm is the credential's: what it is made for decides whether its text is a secret or a public key. */
function makeKey({ algorithm, secret, publicKey }: JwtCredential): VerificationKey | undefined {
  const isShared = sharedSecretAlgorithms.some((name) => name === algorithm);
  return isShared ? sharedKey(algorithm, secret) : publicKeyOf(algorithm, publicKey);
}

/** PEM text is public: whoever signs with it as a secret has read it where everybody can. */
function sharedKey(algorithm: string, secret = ''): VerificationKey | undefined {
  if (secret === '' || /-----BEGIN [A-Z0-9 ]+-----/.test(secret)) return undefined;
  return { key: createSecretKey(secret, 'utf8'), algorithms: [algorithm] };
}

function publicKeyOf(algorithm: string, pem = ''): VerificationKey | undefined {
  const key = readPublicKeys(pem).keys?.find(({ algorithms }) => algorithms.includes(algorithm));
  // Two names of one algorithm. Source: RFC 9864, section 2.2.
  return key && { key: key.key, algorithms: EDWARDS.includes(algorithm) ? EDWARDS : [algorithm] };
}

function idOf({ match }: JwtCredential): Readonly<Record<string, string>> {
  return match.consumer.credentialId === undefined ? {} : { credential_id: match.consumer.credentialId };
}

const EDWARDS: readonly string[] = ['EdDSA', 'Ed25519'];
