import {
  alternativeNames,
  distinguishedName,
  generalName,
  makeAuthority,
  makeCertificate,
  nameConstraints,
  newRsaKey,
} from '@portcullis/testkit/certificates';
import { utf8 } from '@portcullis/testkit/der';
import { describe, expect, it, vi } from 'vitest';
import { mtlsClientCertificateAuth } from './index.ts';
import { root } from './made-chains.test-support.ts';
import { AUTHORITIES_MAX } from './trusted-authorities.ts';

const { pem } = root;
const leaf = makeCertificate();
const print = 'ab'.repeat(32);

/** A certificate whose PEM is right and whose DER is not. */
const broken = pem.replace(/\n[A-Za-z0-9+/]{8}/, '\nAAAAAAAA');

const manyNames = (count: number) =>
  makeAuthority({ extensions: [alternativeNames(...Array.from({ length: count }, () => generalName.dns('a')))] }).pem;
const manyParts = (count: number) =>
  makeAuthority({
    subject: distinguishedName(...Array.from({ length: count }, () => [['2.5.4.11', utf8('x')] as const])),
  }).pem;
const manyConstraints = (count: number) =>
  makeAuthority({
    extensions: [nameConstraints({ excluded: Array.from({ length: count }, () => generalName.dns('a')) })],
  }).pem;

function issuesOf(config: unknown) {
  const compiled = mtlsClientCertificateAuth.plugin.compile(config);
  return compiled.ok ? [] : compiled.issues.map(({ pointer, message }) => [pointer, message]);
}

describe('a config of mtls_client_certificate_auth', () => {
  it.each<[string, object, string, RegExp]>([
    ['without trust', {}, '', /at least one of/],
    ['with a word that is not required', { require_verified_header: false }, '', /at least one of/],
    ['with constraints only', { allowed_common_names: ['a'] }, '', /at least one of/],
    ['with no PEM', { trusted_ca_pems: [] }, '/trusted_ca_pems', /empty/],
    ['with one PEM for a list', { trusted_ca_pems: pem }, '/trusted_ca_pems', /list/],
    ['with text for PEM', { trusted_ca_pems: [pem, 'hello'] }, '/trusted_ca_pems/1', /PEM/],
    ['with PEM that is cut off', { trusted_ca_pems: [pem.slice(0, 100)] }, '/trusted_ca_pems/0', /PEM/],
    [
      'with PEM of something else',
      { trusted_ca_pems: [pem.replaceAll('CERTIFICATE', 'PUBLIC KEY')] },
      '/trusted_ca_pems/0',
      /PEM/,
    ],
    [
      'with a private key beside the certificate',
      { trusted_ca_pems: [pem + root.keyPem] },
      '/trusted_ca_pems/0',
      /nothing but/,
    ],
    ['with bytes that are no certificate', { trusted_ca_pems: [broken] }, '/trusted_ca_pems/0', /cannot be read/],
    [
      "with a client's certificate for an authority",
      { trusted_ca_pems: [leaf.pem] },
      '/trusted_ca_pems/0',
      /fingerprint/,
    ],
    [
      'with an authority that may sign no certificates',
      { trusted_ca_pems: [makeAuthority({ keyUse: [6] }).pem] },
      '/trusted_ca_pems/0',
      /authorities/,
    ],
    [
      'with a weak authority',
      { trusted_ca_pems: [makeAuthority({ key: newRsaKey(1024) }).pem] },
      '/trusted_ca_pems/0',
      /2048/,
    ],
    [
      'with a second certificate that is wrong',
      { trusted_ca_pems: [pem + leaf.pem] },
      '/trusted_ca_pems/0',
      /certificate 2/,
    ],
    [
      'with far too many certificates in a text',
      { trusted_ca_pems: [pem, pem.repeat(AUTHORITIES_MAX)] },
      '/trusted_ca_pems',
      /at most 100 certificates/,
    ],
    ['with an authority of many names', { trusted_ca_pems: [pem, manyNames(129)] }, '/trusted_ca_pems/1', /names/],
    ['with an authority of a name in many parts', { trusted_ca_pems: [manyParts(65)] }, '/trusted_ca_pems/0', /names/],
    [
      'with an authority of many constraints',
      { trusted_ca_pems: [manyConstraints(500)] },
      '/trusted_ca_pems/0',
      /names/,
    ],
    ['with a SHA-1 fingerprint', { trusted_fingerprints: ['ab'.repeat(20)] }, '/trusted_fingerprints/0', /64/],
    [
      'with colons in some places',
      { trusted_fingerprints: [`ab:${'ab'.repeat(31)}`] },
      '/trusted_fingerprints/0',
      /SHA-256/,
    ],
    [
      'with a fingerprint that is no hex',
      { trusted_fingerprints: [print, 'zz'.repeat(32)] },
      '/trusted_fingerprints/1',
      /SHA-256/,
    ],
    [
      'with a subject in another form',
      { trusted_fingerprints: [print], allowed_subjects: ['/CN=a/O=b'] },
      '/allowed_subjects/0',
      /RFC 4514/,
    ],
    [
      'with an unknown keyword',
      { trusted_fingerprints: [print], allowed_subjects: ['CN=a', 'XX=a'] },
      '/allowed_subjects/1',
      /RFC 4514/,
    ],
    [
      'with no common names',
      { trusted_fingerprints: [print], allowed_common_names: [] },
      '/allowed_common_names',
      /empty/,
    ],
    [
      'with an address that is none',
      { trusted_fingerprints: [print], required_sans: ['IP:192.0.2'] },
      '/required_sans/0',
      /IP address/,
    ],
    [
      'with an unknown claim',
      { trusted_fingerprints: [print], upstream_headers: { 'X-A': 'sub' } },
      '/upstream_headers',
      /fingerprint/,
    ],
    [
      'with a claim in the header of the consumer',
      { trusted_fingerprints: [print], upstream_headers: { 'X-Consumer-ID': 'subject' } },
      '/upstream_headers/X-Consumer-ID',
      /gateway/,
    ],
    [
      'with one header for certificate and word',
      { require_verified_header: true, header_name: 'X-A', verify_header_name: 'x-a' },
      '/verify_header_name',
      /certificate/,
    ],
    [
      'with a header that only the gateway sets',
      { trusted_fingerprints: [print], header_name: 'Host' },
      '/header_name',
      /gateway/,
    ],
    ['with an empty word', { require_verified_header: true, verify_header_value: '' }, '/verify_header_value', /1/],
    ['with room for no certificate', { trusted_fingerprints: [print], max_cert_bytes: 10 }, '/max_cert_bytes', /256/],
    [
      'with room for far too large a one',
      { trusted_fingerprints: [print], max_cert_bytes: 1e9 },
      '/max_cert_bytes',
      /131072/,
    ],
    ['with an unknown field', { trusted_fingerprints: [print], crl: 'x' }, '/crl', /no field/],
  ])('%s is refused in its place', (_name, config, pointer, message) => {
    expect(issuesOf(config)).toEqual([[pointer, expect.stringMatching(message)]]);
  });

  it('never has a part of a PEM in what is said about it', () => {
    const config = { trusted_ca_pems: [pem + root.keyPem, broken, leaf.pem] };
    const said = JSON.stringify(issuesOf(config));
    for (const line of [...root.keyPem.split('\n'), ...pem.split('\n')].filter((text) =>
      /^[A-Za-z0-9+/=]{20,}$/.test(text),
    ))
      expect(said).not.toContain(line);
  });

  it('may have as many authorities, and as many names in each, as the limits say', () => {
    const pems = [pem.repeat(AUTHORITIES_MAX - 3), manyNames(128), manyParts(64), manyConstraints(400)];
    expect(issuesOf({ trusted_ca_pems: pems })).toEqual([]);
  });

  it('is checked without the parser of certificates, which costs a hundred times more', () => {
    vi.resetModules();
    vi.doMock('pkijs', () => expect.unreachable('the parser was loaded'));
    vi.doMock('asn1js', () => expect.unreachable('the parser was loaded'));
    return import('./index.ts').then(({ mtlsClientCertificateAuth: fresh }) => {
      vi.doUnmock('pkijs');
      vi.doUnmock('asn1js');
      expect(fresh.plugin.compile({ trusted_ca_pems: [pem] })).toMatchObject({ ok: true });
    });
  });

  it('may trust an authority that is over: a config does not become wrong by itself', () => {
    const past = makeAuthority({ notAfter: new Date('2025-02-01T00:00:00Z') });
    expect(issuesOf({ trusted_ca_pems: [past.pem] })).toEqual([]);
  });
});
