import { generateKeyPairSync } from 'node:crypto';
import { makeCertificate } from '@portcullis/testkit/certificates';
import { describe, expect, it } from 'vitest';
import { makeKey } from '../../testing/tokens.ts';
import { KeyRing, TRIES_MAX } from './key-ring.ts';
import { KEYS_MAX, readPublicKeys } from './public-keys.ts';

const [rsa, p256, p384, p521, ed] = [
  makeKey('rsa'),
  makeKey('p256'),
  makeKey('p384'),
  makeKey('p521'),
  makeKey('ed25519'),
];
const RSA = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'];
const pemOf = (kind: 'spki' | 'pkcs1') => rsa.publicKey.export({ type: kind, format: 'pem' } as never).toString();
const setOf = (...keys: unknown[]): string => JSON.stringify({ keys });
const secp256k1 = generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).publicKey;
const p256Private = p256.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

describe('readPublicKeys', () => {
  it.each<[string, string, readonly (readonly string[])[]]>([
    ['an RSA key', rsa.pem, [RSA]],
    ['an RSA key in its older form', pemOf('pkcs1'), [RSA]],
    ['a key on P-256', p256.pem, [['ES256']]],
    ['a key on P-384', p384.pem, [['ES384']]],
    ['a key on P-521', p521.pem, [['ES512']]],
    ['an Ed25519 key', ed.pem, [['EdDSA', 'Ed25519']]],
    ['a certificate', makeCertificate({ key: p256.privateKey }).pem, [['ES256']]],
    [
      'several keys with text around',
      `issuer\n${p256.pem}\n${ed.pem}`.replace('issuer', ''),
      [['ES256'], ['EdDSA', 'Ed25519']],
    ],
    ['a JWK', JSON.stringify(p256.jwk), [['ES256']]],
    ['a JWK of one algorithm', JSON.stringify({ ...rsa.jwk, alg: 'PS256' }), [['PS256']]],
    [
      'a JWK set without what is not for us',
      setOf({ kty: 'new' }, { ...rsa.jwk, use: 'enc' }, { ...ed.jwk, kid: 'e' }, 1),
      [['EdDSA', 'Ed25519']],
    ],
    ['a JWK that may verify', JSON.stringify({ ...ed.jwk, key_ops: ['verify'], use: 'sig' }), [['EdDSA', 'Ed25519']]],
  ])('reads %s', (_name, text, algorithms) => {
    expect(readPublicKeys(text).keys?.map((key) => key.algorithms)).toEqual(algorithms);
  });

  it.each<[string, string, RegExp]>([
    ['nothing', '', /must be PEM/],
    ['text', 'my key', /must be PEM/],
    ['base64 without its frame', rsa.pem.split('\n')[1] ?? '', /must be PEM/],
    ['broken PEM', p256.pem.replace(/\n[A-Za-z0-9]{8}/, '\nAAAAAAAA'), /can be read/],
    ['a private key', p256Private, /private/],
    ['a private key beside a public one', `${p256.pem}${p256Private}`, /private/],
    ['a private JWK', JSON.stringify(p256.privateKey.export({ format: 'jwk' })), /private or shared/],
    ['a shared JWK', JSON.stringify({ kty: 'oct', k: 'c2VjcmV0' }), /private or shared/],
    ['a shared JWK within a set', setOf(p256.jwk, { kty: 'oct', k: 'c2VjcmV0' }), /private or shared/],
    ['a short RSA key', makeKey('rsa', 1024).pem, /2048 to 8192 bits/],
    ['a short RSA key as a JWK', JSON.stringify(makeKey('rsa', 1024).jwk), /2048 to 8192 bits/],
    ['another curve', secp256k1.export({ type: 'spki', format: 'pem' }).toString(), /P-256/],
    ['a point that is not on its curve', JSON.stringify({ ...p256.jwk, y: p384.jwk['y'] }), /can be read/],
    ['an algorithm of another curve', JSON.stringify({ ...p256.jwk, alg: 'ES384' }), /P-256/],
    ['an algorithm with a shared secret', JSON.stringify({ ...rsa.jwk, alg: 'HS256' }), /2048 to 8192 bits/],
    ['an empty set', setOf(), /can be read/],
    ['a key for encryption', setOf({ ...rsa.jwk, use: 'enc' }), /can be read/],
    ['too many keys', setOf(...Array<unknown>(KEYS_MAX + 1).fill(p256.jwk)), /at most 100 keys/],
    ['too many keys in PEM', p256.pem.repeat(KEYS_MAX + 1), /at most 100 keys/],
  ])('reads no keys from %s', (_name, text, mistake) => {
    const { keys, mistake: said } = readPublicKeys(text);
    expect(keys).toBeUndefined();
    expect(said).toMatch(mistake);
  });
});

describe('a key ring', () => {
  const read = (...jwks: unknown[]) => readPublicKeys(setOf(...jwks)).keys ?? [];
  const kidsOf = (ring: KeyRing, algorithm: string, kid?: string) =>
    ring.candidates(algorithm, kid).map((key) => key.kid);

  it('offers the keys of a kid, or those without one, and only what fits the algorithm', () => {
    const ring = new KeyRing(read({ ...rsa.jwk, kid: 'r' }, { ...p256.jwk, kid: 'p' }, ed.jwk));
    expect(kidsOf(ring, 'RS256', 'r')).toEqual(['r']);
    expect(kidsOf(ring, 'ES256', 'r')).toEqual([]);
    expect(kidsOf(ring, 'EdDSA', 'any')).toEqual([undefined]);
    expect(kidsOf(ring, 'ES256')).toEqual(['p']);
    expect(kidsOf(ring, 'ES256', '__proto__')).toEqual([]);
  });

  it('offers no more than a few', () => {
    const many = Array.from({ length: TRIES_MAX + 1 }, (_, index) => ({ ...p256.jwk, kid: `k${index}` }));
    expect(new KeyRing(read(...many)).candidates('ES256', undefined)).toHaveLength(TRIES_MAX);
  });

  it('keeps the objects of keys that stay, and not of those that changed', () => {
    const before = new KeyRing(
      read({ ...p256.jwk, kid: 'stays' }, { ...p384.jwk, kid: 'goes' }, { ...ed.jwk, kid: 'new' }),
    );
    const after = new KeyRing(read({ ...ed.jwk, kid: 'other' }, { ...p256.jwk, kid: 'stays' }), before);
    expect([...before.keys].map((key) => after.has(key))).toEqual([true, false, false]);
  });
});
