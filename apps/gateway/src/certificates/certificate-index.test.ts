import { describe, expect, it } from 'vitest';
import { makeAuthority, newRsaKey } from '@portcullis/testkit/certificates';
import {
  authorityRecord,
  certificateRecord,
  change,
  serverFor,
  sniRecord,
  type Change,
} from './certificate-index.test-support.ts';
import { CertificateIndex } from './certificate-index.ts';

const [one, other] = [serverFor(['one.test']), serverFor(['other.test'])];
const two = [certificateRecord('c1', one), certificateRecord('c2', other)];

/** An index of these records, taken in at once. */
async function indexOf(records: readonly Change[]): Promise<CertificateIndex> {
  const index = new CertificateIndex();
  expect(await change(index, records)).toEqual([]);
  return index;
}

/** Which of the names have the same context, as a list of numbers: the first one is 0, -1 has none. */
function contextsOf(index: CertificateIndex, names: readonly (string | undefined)[]): number[] {
  const contexts = names.map((name) => index.identities().find(name)?.secureContext);
  return contexts.map((context) => (context === undefined ? -1 : contexts.indexOf(context)));
}

describe('server names', () => {
  it('are found exactly, else by the longest wildcard, else as any name', async () => {
    const three = certificateRecord('c3', serverFor(['third.test']));
    const index = await indexOf([
      ...[...two, three],
      ...[sniRecord('a.test', 'c1'), sniRecord('*.a.test', 'c2'), sniRecord('*.b.a.test', 'c1'), sniRecord('*', 'c3')],
    ]);
    const names = ['a.test', 'x.a.test', undefined, 'b.a.test', 'x.b.a.test', 'x.y.b.a.test', 'x.y.a.test', 'z.test'];
    expect(contextsOf(index, names)).toEqual([0, 1, 2, 1, 0, 0, 1, 2]);
    expect(contextsOf(index, ['', 'test', '.a.test', 'aa.test', '*.a.test'])).toEqual([0, 0, 2, 0, 2]);
  });

  it('have no identity where none is theirs and there is none for any name', async () => {
    const index = await indexOf([...two, sniRecord('a.test', 'c1'), sniRecord('*.b.test', 'c2')]);
    expect(contextsOf(index, ['a.test', undefined, 'b.test', 'x.a.test', 'a.test.', '*'])).toEqual([
      0, -1, -1, -1, -1, -1,
    ]);
  });

  it('share a context when they present and ask for the same', async () => {
    const authority = authorityRecord('root', makeAuthority());
    const asks = { client_certificate_mode: 'request', client_ca_certificate_ids: ['root'] };
    const index = await indexOf([
      ...[...two, authority, sniRecord('a.test', 'c1'), sniRecord('b.test', 'c1'), sniRecord('c.test', 'c2')],
      ...[sniRecord('d.test', 'c1', asks), sniRecord('e.test', 'c1', { client_ca_certificate_ids: ['root'] })],
    ]);
    // Who asks for nothing verifies nobody, whatever authorities it lists.
    expect(contextsOf(index, ['a.test', 'b.test', 'c.test', 'd.test', 'e.test'])).toEqual([0, 0, 2, 3, 0]);
  });

  it('say whether any asks clients for certificates', async () => {
    const index = await indexOf([...two, sniRecord('a.test', 'c1')]);
    expect(index.identities().asksForCertificates).toBe(false);
    await change(index, [sniRecord('b.test', 'c1', { client_certificate_mode: 'request' })]);
    expect(index.identities().asksForCertificates).toBe(true);
    expect(index.identities().find('b.test')?.clientCertificateMode).toBe('request');
    await change(index, [{ key: 'snis/b.test' }]);
    expect(index.identities().asksForCertificates).toBe(false);
  });
});

describe('changes of certificates', () => {
  it('leave the identities of before as they were', async () => {
    const index = await indexOf([...two, sniRecord('a.test', 'c1'), sniRecord('b.test', 'c2')]);
    const before = index.identities();
    const [a, b] = [before.find('a.test'), before.find('b.test')];
    await change(index, [certificateRecord('c1', other)]);
    const after = index.identities();
    expect(after.find('a.test')?.secureContext).toBe(b?.secureContext);
    expect(before.find('a.test')).toBe(a);
    await change(index, [{ key: 'snis/b.test' }]);
    expect([index.identities().find('b.test'), after.find('b.test')]).toEqual([undefined, b]);
  });

  it('of others leave the identities the same object', async () => {
    const index = await indexOf([...two, sniRecord('a.test', 'c1')]);
    const before = index.identities();
    await change(index, [certificateRecord('c2', one)]);
    expect(index.identities()).toBe(before);
    await change(index, [certificateRecord('c1', other)]);
    expect(index.identities()).not.toBe(before);
  });

  it('come to the same in any order, also where two records claim one name', async () => {
    const records = [...two, sniRecord('a.test', 'c1'), { ...sniRecord('a.test', 'c2'), key: 'snis/rival' } as const];
    const orders = [records, records.toReversed()];
    for (const order of orders) {
      const index = new CertificateIndex();
      for (const record of order) await change(index, [record]);
      const [own] = [index.identities().find('a.test')?.secureContext];
      await change(index, [{ key: 'snis/a.test' }]);
      const rival = index.identities().find('a.test')?.secureContext;
      expect([own === undefined, rival === undefined, own === rival]).toEqual([false, false, false]);
      await change(index, [{ key: 'snis/rival' }]);
      expect(index.identities().find('a.test')).toBeUndefined();
    }
  });
});

describe('what cannot be served', () => {
  const names = [sniRecord('*', 'c1'), sniRecord('*.a.test', 'c1'), sniRecord('x.a.test', 'c2')];

  it('takes its own names down and no others, which no wider name answers for', async () => {
    const index = new CertificateIndex();
    const broken = certificateRecord('c2', other, { key: one.keyPem });
    expect(await change(index, [certificateRecord('c1', one), broken, ...names])).toEqual([
      '/resources/certificates/c2/key is not the private key of cert',
      '/resources/snis/x.a.test/certificate_id names no certificate that can be served',
    ]);
    expect(contextsOf(index, ['y.a.test', 'z.test', undefined, 'x.a.test'])).toEqual([0, 0, 0, -1]);
    expect(await change(index, [certificateRecord('c2', other)])).toEqual([]);
    expect(contextsOf(index, ['y.a.test', 'x.a.test'])).toEqual([0, 1]);
    await change(index, [{ key: 'snis/x.a.test' }]);
    expect(contextsOf(index, ['y.a.test', 'x.a.test'])).toEqual([0, 0]);
  });

  it('includes names of a form that a newer control plane may send: nothing wider answers for them', async () => {
    const index = new CertificateIndex();
    const unknown = sniRecord('x.a.test', 'c1', { client_certificate_mode: 'attested' });
    const mistakes = await change(index, [certificateRecord('c1', one), ...names.slice(0, 2), unknown]);
    expect(mistakes).toEqual([
      expect.stringMatching(/^\/resources\/snis\/x\.a\.test\/client_certificate_mode expected/),
    ]);
    expect(contextsOf(index, ['y.a.test', 'x.a.test'])).toEqual([0, -1]);
  });

  it('leaves an authority out without trusting anybody in its place', async () => {
    const index = new CertificateIndex();
    const leaf = authorityRecord('leaf', one);
    const asks = { client_certificate_mode: 'require', client_ca_certificate_ids: ['leaf', 'gone'] };
    expect(await change(index, [...two, leaf, sniRecord('a.test', 'c1', asks)])).toEqual([
      '/resources/ca_certificates/leaf/cert is not that of an authority',
      '/resources/snis/a.test/client_ca_certificate_ids/0 names no CA certificate that can be read; clients that it vouches for are not trusted',
      '/resources/snis/a.test/client_ca_certificate_ids/1 names no CA certificate that can be read; clients that it vouches for are not trusted',
    ]);
    expect(index.identities().find('a.test')?.clientCertificateMode).toBe('require');
    expect([index.authorityOf('leaf'), index.certificateOf('c1')?.cert]).toEqual([undefined, one.pem]);
  });

  it.each([
    ['cert', 'no PEM', '/cert is no certificate that can be read'],
    ['key', 'no PEM', '/key is no private key that can be read'],
    ['cert', one.keyPem, '/cert is no certificate that can be read'],
    ['key', one.pem, '/key is no private key that can be read'],
    ['key_alt', one.keyPem, '/cert_alt is no certificate that can be read'],
    ['cert_alt', one.pem, '/key_alt is no private key that can be read'],
  ])('says where it is and nothing of what it is (%s)', async (field, text, message) => {
    const mistakes = await change(new CertificateIndex(), [certificateRecord('c1', one, { [field]: text })]);
    expect(mistakes).toEqual([`/resources/certificates/c1${message}`]);
  });

  it('includes a second certificate with a key of the same type', async () => {
    const alternative = { cert_alt: other.pem, key_alt: other.keyPem };
    expect(await change(new CertificateIndex(), [certificateRecord('c1', one, alternative)])).toEqual([
      '/resources/certificates/c1/cert_alt must have a key of another type than cert',
    ]);
    const rsa = serverFor(['one.test'], { key: newRsaKey(2048) });
    const fitting = { cert_alt: rsa.pem, key_alt: rsa.keyPem };
    expect(await change(new CertificateIndex(), [certificateRecord('c1', one, fitting)])).toEqual([]);
  });
});

describe('ends of certificates', () => {
  it('are told of those that end first, by the first leaf that does', async () => {
    const until = (iso: string) => ({ notAfter: new Date(iso) });
    const rsa = serverFor(['one.test'], { key: newRsaKey(2048), ...until('2026-02-03T00:00:00Z') });
    const index = await indexOf([
      certificateRecord('late', serverFor(['a.test'], until('2034-01-01T00:00:00Z'))),
      certificateRecord('both', one, { cert_alt: rsa.pem, key_alt: rsa.keyPem }),
      certificateRecord('past', serverFor(['b.test'], until('2025-06-01T00:00:00Z'))),
    ]);
    const before = index.expiries();
    expect(before()).toEqual([
      { certificateId: 'past', notAfterMs: Date.parse('2025-06-01T00:00:00Z') },
      { certificateId: 'both', notAfterMs: Date.parse('2026-02-03T00:00:00Z') },
      { certificateId: 'late', notAfterMs: Date.parse('2034-01-01T00:00:00Z') },
    ]);
    await change(index, [{ key: 'certificates/past' }]);
    expect([before().length, index.expiries()().length]).toEqual([3, 2]);
    expect(index.expiries()).toBe(index.expiries());
  });
});
