import { createPublicKey, type KeyObject } from 'node:crypto';
import type { JwtAlgorithm } from '@portcullis/resources';

/** An RSA key below this is no protection. Source: RFC 7518, 3.3. */
const rsaBitsMin = 2048;
/** A longer one takes a gateway longer to check with than it is worth. */
const rsaBitsMax = 8192;

const curves: Readonly<Record<string, string>> = { ES256: 'prime256v1', ES384: 'secp384r1', ES512: 'secp521r1' };

/** What is wrong with a public key, said without repeating any of it. */
export interface PublicKeyFault {
  readonly code: 'private_key' | 'malformed_pem' | 'key_type';
  readonly message: string;
}

/**
 * What makes a PEM text unfit to check tokens of an algorithm with; nothing when it is fit. Only a public key by itself is:
 * a private one does not belong here, and a certificate says more than is checked.
 */
export function publicKeyFault(pem: string, algorithm: JwtAlgorithm): PublicKeyFault | undefined {
  if (/PRIVATE KEY/i.test(pem)) return { code: 'private_key', message: 'must be the public key, not the private one' };
  const labels = [...pem.matchAll(/-----BEGIN ([^-]*)-----/g)].map((match) => match[1]);
  const key = labels.length === 1 && /^(?:RSA )?PUBLIC KEY$/.test(labels[0] ?? '') ? parsed(pem) : undefined;
  if (!key) return { code: 'malformed_pem', message: 'must be the PEM text of one public key' };
  const wanted = misfit(key, algorithm);
  return wanted === undefined ? undefined : { code: 'key_type', message: `must be ${wanted} for ${algorithm}` };
}

function parsed(pem: string): KeyObject | undefined {
  try {
    return createPublicKey({ key: pem, format: 'pem' });
  } catch {
    return undefined;
  }
}

/** What the algorithm asks for, when the key is something else. Source: RFC 7518, 3.3 to 3.5; RFC 8037, 3.1. */
function misfit({ asymmetricKeyType: type, asymmetricKeyDetails: details }: KeyObject, algorithm: JwtAlgorithm) {
  if (algorithm === 'EdDSA') return type === 'ed25519' ? undefined : 'an Ed25519 key';
  const curve = curves[algorithm];
  if (curve !== undefined) {
    return type === 'ec' && details?.namedCurve === curve ? undefined : `a key on the curve ${curve}`;
  }
  const bits = details?.modulusLength ?? 0;
  const isFit = type === 'rsa' && bits >= rsaBitsMin && bits <= rsaBitsMax;
  return isFit ? undefined : `an RSA key of ${rsaBitsMin} to ${rsaBitsMax} bits`;
}
