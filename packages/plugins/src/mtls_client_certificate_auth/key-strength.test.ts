import { createPublicKey, generateKeyPairSync, randomBytes, type KeyObject, type X509Certificate } from 'node:crypto';
import { AlgorithmIdentifier, RSASSAPSSParams } from 'pkijs';
import { describe, expect, it } from 'vitest';
import { hasStrongKey } from './key-strength.ts';
import { isStrongSignature } from './signature-strength.ts';

/** A public key of so many bits that nobody has the private one of. */
function rsaKey(bits: number): KeyObject {
  const modulus = randomBytes(bits / 8);
  modulus[0] = 0x80 | Number(modulus[0]);
  modulus[modulus.length - 1] = 1 | Number(modulus.at(-1));
  return createPublicKey({ key: { kty: 'RSA', n: modulus.toString('base64url'), e: 'AQAB' }, format: 'jwk' });
}

const curve = (namedCurve: string) => generateKeyPairSync('ec', { namedCurve }).publicKey;

describe('a key', () => {
  it.each<[string, boolean, () => KeyObject]>([
    ['of RSA with 2040 bits', false, () => rsaKey(2040)],
    ['of RSA with 2048 bits', true, () => rsaKey(2048)],
    ['of RSA with 8192 bits', true, () => rsaKey(8192)],
    ['of RSA with 8200 bits', false, () => rsaKey(8200)],
    ['on P-384', true, () => curve('P-384')],
    ['on P-521', true, () => curve('P-521')],
    ['on a Brainpool curve', true, () => curve('brainpoolP256r1')],
    ['on P-224', false, () => curve('P-224')],
    ['on Ed448', true, () => generateKeyPairSync('ed448').publicKey],
    ['for agreements only', false, () => generateKeyPairSync('x25519').publicKey],
  ])('%s is strong: %s', (_name, expected, key) => {
    expect(hasStrongKey({ publicKey: key() } as X509Certificate)).toBe(expected);
  });

  it('of a kind that nobody knows is not', () => {
    const unknown = {
      get publicKey(): never {
        throw new Error('unsupported');
      },
    };
    expect(hasStrongKey(unknown as unknown as X509Certificate)).toBe(false);
  });
});

describe('a signature', () => {
  const pss = (hash: string | undefined) => {
    const hashAlgorithm = hash === undefined ? {} : { hashAlgorithm: new AlgorithmIdentifier({ algorithmId: hash }) };
    const algorithmParams: unknown = new RSASSAPSSParams(hashAlgorithm).toSchema();
    return new AlgorithmIdentifier({ algorithmId: '1.2.840.113549.1.1.10', algorithmParams });
  };
  const plain = (algorithmId: string) => new AlgorithmIdentifier({ algorithmId });

  it.each<[string, boolean, AlgorithmIdentifier]>([
    ['of PSS with SHA-256', true, pss('2.16.840.1.101.3.4.2.1')],
    ['of PSS with SHA-1, its default', false, pss(undefined)],
    ['of PSS with MD5', false, pss('1.2.840.113549.2.5')],
    ['of PSS without parameters', false, plain('1.2.840.113549.1.1.10')],
    ['of RSA with SHA-512', true, plain('1.2.840.113549.1.1.13')],
    ['of RSA with SHA-1', false, plain('1.2.840.113549.1.1.5')],
    ['of RSA with MD5', false, plain('1.2.840.113549.1.1.4')],
    ['of ECDSA with SHA-384', true, plain('1.2.840.10045.4.3.3')],
    ['of ECDSA with SHA-1', false, plain('1.2.840.10045.4.1')],
    ['on Ed25519', true, plain('1.3.101.112')],
    ['of DSA', false, plain('2.16.840.1.101.3.4.3.2')],
  ])('%s is strong: %s', (_name, expected, algorithm) => {
    expect(isStrongSignature(algorithm)).toBe(expected);
  });
});
