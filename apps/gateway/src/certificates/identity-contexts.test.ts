import { makeAuthority, makeCertificate, newRsaKey, type MadeCertificate } from '@portcullis/testkit/certificates';
import { describe, expect, it } from 'vitest';
import {
  authorityRecord,
  certificateRecord,
  change,
  listenWith,
  serverFor,
  sniRecord,
  type Change,
} from './certificate-index.test-support.ts';
import { CertificateIndex } from './certificate-index.ts';
import { IdentityContexts } from './identity-contexts.ts';
import { planIdentity } from './identity-plan.ts';
import { readCertificate } from './read-certificate.ts';

const ecdsa = serverFor(['site.test'], { subject: 'ecdsa' });
const rsa = serverFor(['site.test'], { subject: 'rsa', key: newRsaKey(2048) });
const [root, stranger] = [makeAuthority({ subject: 'root' }), makeAuthority({ subject: 'stranger' })];
const intermediate = makeAuthority({ subject: 'intermediate', issuer: root });

/** A server with the identities of these records. */
async function serving(records: readonly Change[], index = new CertificateIndex()) {
  expect(await change(index, records)).toEqual([]);
  return listenWith(() => index.identities());
}

/** What a client presents: its certificate and what leads to an authority. */
function presenting(client: MadeCertificate, ...chain: readonly MadeCertificate[]) {
  return { key: client.keyPem, cert: [client, ...chain].map(({ pem }) => pem).join('') };
}

describe('identities', () => {
  it('have certificates of two kinds side by side: each client gets the one that it can verify', async () => {
    const both = certificateRecord('c', rsa, { cert_alt: ecdsa.pem, key_alt: ecdsa.keyPem });
    await using server = await serving([both, sniRecord('site.test', 'c')]);
    const withRsa = await server.shake('site.test', { sigalgs: 'RSA-PSS+SHA256:RSA+SHA256' });
    const withEcdsa = await server.shake('site.test', { sigalgs: 'ECDSA+SHA256' });
    expect([withRsa.subject, withEcdsa.subject]).toEqual(['rsa', 'ecdsa']);
    const older = { maxVersion: 'TLSv1.2' } as const;
    const olderRsa = await server.shake('site.test', { ...older, ciphers: 'ECDHE-RSA-AES128-GCM-SHA256' });
    const olderEcdsa = await server.shake('site.test', { ...older, ciphers: 'ECDHE-ECDSA-AES128-GCM-SHA256' });
    expect([olderRsa, olderEcdsa]).toMatchObject([
      { subject: 'rsa', protocol: 'TLSv1.2' },
      { subject: 'ecdsa', protocol: 'TLSv1.2' },
    ]);
  });

  it('take no version and no suite that is known to be weak', async () => {
    const both = certificateRecord('c', rsa, { cert_alt: ecdsa.pem, key_alt: ecdsa.keyPem });
    await using server = await serving([both, sniRecord('site.test', 'c')]);
    const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
    expect((await server.shake('site.test', old)).failure).toMatch(/PROTOCOL_VERSION|ECONNRESET/);
    for (const ciphers of ['AES128-GCM-SHA256', 'ECDHE-RSA-AES128-SHA', 'ECDHE-ECDSA-AES256-SHA384']) {
      const { failure } = await server.shake('site.test', { maxVersion: 'TLSv1.2', ciphers });
      expect(failure).toMatch(/HANDSHAKE_FAILURE|ECONNRESET/);
    }
  });

  it('send the whole chain', async () => {
    const leaf = serverFor(['site.test'], { issuer: intermediate });
    const record = certificateRecord('c', { ...leaf, pem: leaf.pem + intermediate.pem });
    await using server = await serving([record, sniRecord('site.test', 'c')]);
    const shaken = await server.shake('site.test', { ca: [root.pem], rejectUnauthorized: true });
    expect(shaken).toMatchObject({ subject: 'site.test' });
  });

  it('are refused, and told of once, where OpenSSL does not take the certificate', async () => {
    const told: unknown[] = [];
    const index = new CertificateIndex((id, code) => void told.push([id, code]));
    const weak = certificateRecord('weak', serverFor(['site.test'], { key: newRsaKey(1024) }));
    expect(await change(index, [weak, sniRecord('site.test', 'weak')])).toEqual([]);
    const [first, second] = [index.identities().find('site.test'), index.identities().find('site.test')];
    expect([first, second, told]).toEqual([undefined, undefined, [['weak', 'ERR_SSL_EE_KEY_TOO_SMALL']]]);
  });
});

describe('clients', () => {
  const trusted = makeCertificate({ subject: 'client', issuer: root });
  const asks = (mode: string, ...ids: string[]) => ({ client_certificate_mode: mode, client_ca_certificate_ids: ids });
  const records = [
    certificateRecord('c', ecdsa),
    ...[authorityRecord('root', root), authorityRecord('stranger', stranger)],
    authorityRecord('intermediate', intermediate),
  ];

  it('are verified against the authorities of the name and no others', async () => {
    await using server = await serving([
      ...[...records, sniRecord('root.test', 'c', asks('request', 'root'))],
      ...[sniRecord('stranger.test', 'c', asks('request', 'stranger')), sniRecord('nobody.test', 'c', asks('request'))],
      sniRecord('both.test', 'c', asks('request', 'stranger', 'root')),
    ]);
    const verified: unknown[] = [];
    for (const name of ['root.test', 'both.test', 'stranger.test', 'nobody.test']) {
      verified.push((await server.shake(name, presenting(trusted))).isClientVerified);
    }
    expect(verified).toEqual([true, true, false, false]);
    expect((await server.shake('root.test')).isClientVerified).toBe(false);
  });

  it.each(['TLSv1.2', 'TLSv1.3'] as const)(
    'without a trusted certificate are refused where one is required (%s)',
    async (version) => {
      await using server = await serving([...records, sniRecord('root.test', 'c', asks('require', 'root'))]);
      const of = (client: object) => server.shake('root.test', { maxVersion: version, minVersion: version, ...client });
      expect(await of(presenting(trusted))).toMatchObject({ isClientVerified: true, protocol: version });
      const strange = makeCertificate({ subject: 'client', issuer: stranger });
      const expired = makeCertificate({ subject: 'client', issuer: root, notAfter: new Date('2025-06-01T00:00:00Z') });
      const forged = makeCertificate({ subject: 'client', issuer: trusted });
      const clients = [
        {},
        presenting(strange),
        presenting(expired),
        presenting(forged, trusted),
        presenting(makeCertificate()),
      ];
      for (const client of clients) expect((await of(client)).failure).toBeDefined();
    },
  );

  it('may be vouched for by an authority that another one has signed, without that one', async () => {
    await using server = await serving([...records, sniRecord('a.test', 'c', asks('require', 'intermediate'))]);
    const below = makeCertificate({ subject: 'client', issuer: intermediate });
    expect(await server.shake('a.test', presenting(below))).toMatchObject({ isClientVerified: true });
    expect((await server.shake('a.test', presenting(trusted))).failure).toBeDefined();
  });
});

describe('sessions', () => {
  it('are resumed under names that present the same and ask for nothing, until the certificate is another one', async () => {
    const index = new CertificateIndex();
    const records = [certificateRecord('c', ecdsa), sniRecord('a.test', 'c'), sniRecord('*.a.test', 'c')];
    await using server = await serving(records, index);
    const { session } = await server.shake('a.test');
    expect(await server.shake('a.test', { session })).toMatchObject({ isResumed: true });
    await change(index, [certificateRecord('c', rsa)]);
    expect(await server.shake('a.test', { session })).toMatchObject({ isResumed: false, subject: 'rsa' });
  });

  it('are never resumed where clients are asked for certificates: nobody would look at those again', async () => {
    const asks = { client_certificate_mode: 'request', client_ca_certificate_ids: ['root'] };
    const records = [certificateRecord('c', ecdsa), authorityRecord('root', root), sniRecord('a.test', 'c', asks)];
    await using server = await serving([...records, sniRecord('open.test', 'c')]);
    const client = presenting(makeCertificate({ subject: 'client', issuer: root }));
    const { session: own } = await server.shake('a.test', client);
    expect(await server.shake('a.test', own ? { session: own } : {})).toMatchObject({
      isResumed: false,
      isClientVerified: false,
    });
    const { session: open } = await server.shake('open.test');
    expect(open).toBeDefined();
    expect(await server.shake('a.test', { session: open })).toMatchObject({
      isResumed: false,
      isClientVerified: false,
    });
  });
});

describe('contexts', () => {
  it('are kept for those that were asked for last', () => {
    const plans = [ecdsa, rsa, serverFor(['third.test'])].map(({ pem, keyPem }, index) => {
      const reading = readCertificate({ id: String(index), cert: pem, key: keyPem });
      if (!reading.ok) throw new Error('the certificate is whole');
      return planIdentity(reading.value, 'none', []);
    });
    const contexts = new IdentityContexts(() => undefined, 2);
    const [first, second, third] = plans.map((plan) => () => contexts.get(plan));
    const [kept, dropped] = [first?.(), second?.()];
    expect(first?.()).toBe(kept);
    third?.();
    expect([contexts.size, first?.() === kept, second?.() === dropped]).toEqual([2, true, false]);
    expect(dropped).toBeDefined();
  });
});
