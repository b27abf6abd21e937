import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { caCertificateBehaviour } from './ca-certificate-behaviour.ts';
import { certificateRules } from './certificate-behaviour.ts';
import { derOf, pemOf, testdata } from './testdata.test-support.ts';

const rsa = { cert: testdata('rsa-leaf.pem'), key: testdata('rsa-leaf.key') };
const ecdsa = { cert: testdata('ecdsa-leaf.pem'), key: testdata('ecdsa-leaf.key') };
const ed25519 = { cert: testdata('ed25519-leaf.pem'), key: testdata('ed25519-leaf.key') };
const alternative = ({ cert, key }: typeof rsa): object => ({ cert_alt: cert, key_alt: key });

const problemsOf = (values: object): unknown[] =>
  certificateRules.check({ ...values }).map(({ pointer, code, message }) => `${pointer} ${code} ${message}`);
const caProblemsOf = (cert: string): unknown[] =>
  (caCertificateBehaviour.check?.({ cert }) ?? []).map(({ message }) => message);

describe('certificates', () => {
  it.each([
    ['RSA', rsa],
    ['ECDSA', ecdsa],
    ['Ed25519', ed25519],
    ['an RSA key in its older form', { ...rsa, key: testdata('rsa-leaf.pkcs1.key') }],
    ['an EC key behind the parameters of its curve', { ...ecdsa, key: testdata('ecdsa-leaf.sec1.key') }],
    ['a chain', { ...rsa, cert: rsa.cert + testdata('intermediate.pem') + testdata('root.pem') }],
    ['an expired one', { cert: testdata('expired.pem'), key: testdata('expired.key') }],
    ['two of different types', { ...rsa, ...alternative(ecdsa) }],
    ['a mask in place of the key', { ...rsa, key: '[redacted:0123abcd]' }],
    [
      'references in place of keys',
      { ...rsa, key: 'vault://prod/tls/key', cert_alt: ecdsa.cert, key_alt: 'env://KEY' },
    ],
  ])('may be: %s', (_, values) => {
    expect(problemsOf(values)).toEqual([]);
  });

  it.each(['vault://', 'vault://prod', 'vault://Prod/tls', 'env://', 'env://A B'])(
    'do not take %j for a key',
    (key) => {
      expect(problemsOf({ ...rsa, key })).toEqual([expect.stringMatching(/^\/key malformed_reference /)]);
    },
  );

  it('show what is in the leaf', () => {
    const shown = certificateRules.derive(
      { ...rsa, name: 'a', cert: rsa.cert + testdata('intermediate.pem') },
      undefined,
    );
    const leaf = new X509Certificate(rsa.cert);
    expect(shown).toMatchObject({
      name: 'a',
      subject: String.raw`CN=a.test,O=Acme\, Inc.,C=DE`,
      issuer: 'CN=Intermediate,O=Portcullis tests',
      serial: leaf.serialNumber,
      not_before: new Date(leaf.validFrom).toISOString(),
      not_after: new Date(leaf.validTo).toISOString(),
      fingerprint_sha256: leaf.fingerprint256.replaceAll(':', '').toLowerCase(),
      key_type: 'rsa',
    });
    const typeOf = (values: object): unknown => certificateRules.derive({ ...values }, undefined)['key_type'];
    expect([typeOf(ecdsa), typeOf(ed25519)]).toEqual(['ecdsa', 'ed25519']);
  });

  it('that cannot be read derive nothing', () => {
    const values = { cert: 'x', key: 'y' };
    expect(certificateRules.derive(values, undefined)).toEqual(values);
    expect(caCertificateBehaviour.derive?.(values, undefined)).toEqual(values);
  });

  const chainOf = (length: number): string => rsa.cert + testdata('root.pem').repeat(length - 1);
  it.each([
    ['another key', { ...rsa, key: ecdsa.key }, '/key key_mismatch is not the private key of cert'],
    ['garbage', { ...rsa, cert: 'garbage' }, '/cert invalid_certificate holds no PEM block'],
    [
      'garbage in PEM',
      { ...rsa, cert: pemOf('CERTIFICATE', Buffer.from('x')) },
      '/cert invalid_certificate certificate 1 cannot be read',
    ],
    [
      'bytes after the certificate',
      { ...rsa, cert: pemOf('CERTIFICATE', Buffer.concat([derOf(rsa.cert), Buffer.from([0])])) },
      '/cert invalid_certificate certificate 1 cannot be read',
    ],
    [
      'text after the certificate',
      { ...rsa, cert: `${rsa.cert}x` },
      '/cert invalid_certificate has text after its last PEM block',
    ],
    [
      'its key beside it',
      { ...rsa, cert: rsa.cert + rsa.key },
      '/cert invalid_certificate holds a private key, which belongs into a field of its own',
    ],
    [
      'a request for one',
      { ...rsa, cert: pemOf('CERTIFICATE REQUEST', Buffer.from('x')) },
      '/cert invalid_certificate must hold certificates only, not CERTIFICATE REQUEST',
    ],
    [
      'few bits',
      { ...rsa, cert: testdata('weak.pem') },
      '/cert invalid_certificate certificate 1 has an RSA key of 1024 bits; it needs 2048',
    ],
    [
      'an odd curve',
      { ...rsa, cert: testdata('odd-curve.pem') },
      '/cert invalid_certificate certificate 1 has a key on a curve other than P-256, P-384 and P-521',
    ],
    [
      'a gap in the chain',
      { ...rsa, cert: rsa.cert + testdata('root.pem') },
      '/cert invalid_certificate certificate 1 was not issued by certificate 2',
    ],
    [
      'the chain first',
      { ...rsa, cert: testdata('intermediate.pem') + rsa.cert },
      '/cert invalid_certificate certificate 1 was not issued by certificate 2',
    ],
    ['a long chain', { ...rsa, cert: chainOf(11) }, '/cert invalid_certificate must hold at most 10 certificates'],
    [
      'a chain within the bound and with a gap',
      { ...rsa, cert: chainOf(10) },
      '/cert invalid_certificate certificate 1 was not issued by certificate 2',
    ],
    [
      'an encrypted key',
      { ...ecdsa, key: testdata('encrypted-pkcs8.key') },
      '/key invalid_key is encrypted: store the key without a passphrase; it is sealed at rest',
    ],
    [
      'an encrypted key in its older form',
      { ...rsa, key: testdata('encrypted-pkcs1.key') },
      '/key invalid_key is encrypted: store the key without a passphrase; it is sealed at rest',
    ],
    ['two keys', { ...rsa, key: rsa.key + rsa.key }, '/key invalid_key must hold exactly one private key'],
    ['a certificate as key', { ...rsa, key: rsa.cert }, '/key invalid_key must hold a private key, not CERTIFICATE'],
    [
      'a broken key',
      { ...rsa, key: pemOf('PRIVATE KEY', Buffer.from('x')) },
      '/key invalid_key is a private key that cannot be read',
    ],
    [
      'one type twice',
      { ...rsa, ...alternative(rsa) },
      '/cert_alt same_key_type must have a key of another type than cert',
    ],
    [
      'an alternative of another key',
      { ...rsa, ...alternative({ ...ecdsa, key: ed25519.key }) },
      '/key_alt key_mismatch is not the private key of cert_alt',
    ],
  ])('may not be: %s', (_, values, problem) => {
    expect(problemsOf(values)).toContain(problem);
  });

  it('name everything that is wrong at once, and repeat nothing of a key', () => {
    const secret = 'c2VjcmV0LWtleS1tYXRlcmlhbA==';
    const problems = problemsOf({
      cert: 'x',
      key: `-----BEGIN PRIVATE KEY-----\n${secret}\n-----END PRIVATE KEY-----`,
      cert_alt: 'x',
      key_alt: secret,
    });
    expect(problems.map((text) => String(text).split(' ')[0])).toEqual(['/cert', '/key', '/cert_alt', '/key_alt']);
    expect(JSON.stringify(problems)).not.toContain(secret);
  });

  it('with any bytes changed are read or refused, and never break the service', () => {
    const mutation = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 4 });
    const mutated = (pem: string, changes: readonly (readonly [number, number])[]): Buffer => {
      const der = derOf(pem);
      for (const [at, byte] of changes) der[at % der.length] = byte;
      return der;
    };
    fc.assert(
      fc.property(fc.constantFrom(rsa, ecdsa, ed25519), mutation, mutation, (pair, inCert, inKey) => {
        const cert = pemOf('CERTIFICATE', mutated(pair.cert, inCert));
        const key = pemOf('PRIVATE KEY', mutated(pair.key, inKey));
        const values = { cert: cert + testdata('intermediate.pem'), key, cert_alt: cert, key_alt: pair.key };
        const isRefused = problemsOf(values).some((problem) => String(problem).startsWith('/cert '));
        expect('subject' in certificateRules.derive(values, undefined)).toBe(!isRefused);
        if ('subject' in (caCertificateBehaviour.derive?.({ cert }, undefined) ?? {})) return;
        expect(caProblemsOf(cert)).toHaveLength(1);
      }),
      { numRuns: 500 },
    );
  });

  it('refuse keys that no TLS certificate has', () => {
    const pem = { format: 'pem', type: 'pkcs8' } as const;
    const weak = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey.export(pem).toString();
    const exchange = generateKeyPairSync('x25519').privateKey.export(pem).toString();
    const odd = generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).privateKey.export(pem).toString();
    for (const key of [weak, exchange, odd])
      expect(problemsOf({ ...rsa, key })).toEqual([expect.stringMatching(/^\/key invalid_key has a/)]);
  });
});

describe('CA certificates', () => {
  it('are one certificate of an authority', () => {
    expect([caProblemsOf(testdata('root.pem')), caProblemsOf(testdata('intermediate.pem'))]).toEqual([[], []]);
    expect(caProblemsOf(rsa.cert)).toEqual(['is not the certificate of an authority (CA:TRUE is missing)']);
    expect(caProblemsOf(testdata('intermediate.pem') + testdata('root.pem'))).toEqual([
      'must hold exactly one certificate',
    ]);
    expect(caProblemsOf(rsa.key)).toEqual(['holds a private key, which belongs into a field of its own']);
  });

  it('show their digest, subject and validity', () => {
    const root = new X509Certificate(testdata('root.pem'));
    expect(caCertificateBehaviour.derive?.({ cert: testdata('root.pem') }, undefined)).toMatchObject({
      cert_digest: root.fingerprint256.replaceAll(':', '').toLowerCase(),
      subject: 'CN=Root,O=Portcullis tests',
      not_after: new Date(root.validTo).toISOString(),
    });
  });
});
