import { createPrivateKey } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { keyStrength } from './key-strength.ts';
import { readPem } from './pem.ts';

/** A private key, or the rule that its text breaks. */
export type PrivateKeyReading =
  | { readonly ok: true; readonly key: KeyObject }
  | { readonly ok: false; readonly message: string };

/** Forms of a private key by PEM label. */
const forms: ReadonlyMap<string, 'pkcs8' | 'pkcs1' | 'sec1'> = new Map([
  ['PRIVATE KEY', 'pkcs8'],
  ['RSA PRIVATE KEY', 'pkcs1'],
  ['EC PRIVATE KEY', 'sec1'],
]);

/** Reads the text of exactly one private key. OpenSSL writes the parameters of a curve before its key; they say nothing new. */
export function readPrivateKey(text: string): PrivateKeyReading {
  const pem = readPem(text);
  if (!pem.ok) return pem;
  const [block, ...others] = pem.blocks.filter(({ label }) => label !== 'EC PARAMETERS');
  if (!block || others.length > 0) return refusal('must hold exactly one private key');
  if (block.isEncrypted) return refusal('is encrypted: store the key without a passphrase; it is sealed at rest');
  const type = forms.get(block.label);
  if (!type) return refusal(`must hold a private key, not ${block.label}`);
  const key = parse(block.der, type);
  if (!key) return refusal('is a private key that cannot be read');
  const strength = keyStrength(key);
  return strength.ok ? { ok: true, key } : strength;
}

function refusal(message: string): PrivateKeyReading {
  return { ok: false, message };
}

/** The library's errors are dropped: what they say of a key is nobody's business. */
function parse(der: Buffer, type: 'pkcs8' | 'pkcs1' | 'sec1'): KeyObject | undefined {
  try {
    return createPrivateKey({ key: der, format: 'der', type });
  } catch {
    return undefined;
  }
}
