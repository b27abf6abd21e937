import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { publicKeyFault } from './public-key.ts';

const pkcs8 = { type: 'pkcs8', format: 'pem' } as const;
const spki = (key: KeyObject): string => String(key.export({ type: 'spki', format: 'pem' }));
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const pem = {
  rsa: spki(rsa.publicKey),
  pkcs1: String(rsa.publicKey.export({ type: 'pkcs1', format: 'pem' })),
  shortRsa: spki(generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey),
  p256: spki(generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey),
  p384: spki(generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey),
  p521: spki(generateKeyPairSync('ec', { namedCurve: 'P-521' }).publicKey),
  ed25519: spki(generateKeyPairSync('ed25519').publicKey),
  ed448: spki(generateKeyPairSync('ed448').publicKey),
  x25519: spki(generateKeyPairSync('x25519').publicKey),
};

describe('public keys of token credentials', () => {
  it.each([
    ['RS256', pem.rsa],
    ['RS384', pem.pkcs1],
    ['RS512', pem.rsa],
    ['PS256', pem.rsa],
    ['PS512', pem.pkcs1],
    ['ES256', pem.p256],
    ['ES384', pem.p384],
    ['ES512', pem.p521],
    ['EdDSA', pem.ed25519],
    ['RS256', `\n${pem.rsa}\n`],
  ] as const)('%s takes a key of its kind', (algorithm, text) => {
    expect(publicKeyFault(text, algorithm)).toBeUndefined();
  });

  it.each([
    ['RS256', pem.p256],
    ['RS256', pem.shortRsa],
    ['PS384', pem.ed25519],
    ['ES256', pem.p384],
    ['ES384', pem.p256],
    ['ES512', pem.rsa],
    ['EdDSA', pem.ed448],
    ['EdDSA', pem.x25519],
    ['EdDSA', pem.p256],
  ] as const)('%s refuses a key of another kind', (algorithm, text) => {
    expect(publicKeyFault(text, algorithm)).toMatchObject({
      code: 'key_type',
      message: expect.stringContaining(algorithm),
    });
  });

  it.each([
    ['PKCS#8', rsa.privateKey.export(pkcs8)],
    ['PKCS#1', rsa.privateKey.export({ type: 'pkcs1', format: 'pem' })],
    ['an encrypted one', rsa.privateKey.export({ ...pkcs8, cipher: 'aes-256-cbc', passphrase: 'p' })],
    ['a private key behind a public one', `${pem.rsa}${String(rsa.privateKey.export(pkcs8))}`],
  ])('a private key is refused and not repeated: %s', (_name, text) => {
    const fault = publicKeyFault(String(text), 'RS256');
    expect(fault).toMatchObject({ code: 'private_key' });
    expect(JSON.stringify(fault)).not.toContain(String(text).slice(60, 90));
  });

  it.each([
    ['nothing', ''],
    ['no PEM', 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI'],
    ['two keys', `${pem.rsa}${pem.p256}`],
    ['a broken body', '-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n'],
    ['a certificate', '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n'],
  ])('%s is malformed', (_name, text) => {
    expect(publicKeyFault(text, 'RS256')).toMatchObject({ code: 'malformed_pem' });
  });
});
