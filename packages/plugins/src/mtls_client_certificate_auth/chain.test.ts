import { generateKeyPairSync } from 'node:crypto';
import {
  alternativeNames,
  basicConstraints,
  commonName,
  distinguishedName,
  extendedKeyUsage,
  extension,
  generalName as name,
  keyUsage,
  makeAuthority,
  makeCertificate,
  nameConstraints,
  newKey,
  newRsaKey,
  type MadeCertificate,
} from '@portcullis/testkit/certificates';
import { octets, oid, sequence, utf8 } from '@portcullis/testkit/der';
import { describe, expect, it } from 'vitest';
import { benchWith, clientBy, intermediate, present, root, statusOf, stranger } from './made-chains.test-support.ts';

const [SERVER_AUTH, CLIENT_AUTH, ANY_PURPOSE] = ['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2', '2.5.29.37.0'];
const acme = (text: string) => distinguishedName([['2.5.4.10', utf8('Acme')]], [['2.5.4.3', utf8(text)]]);

/** Below an authority with these extensions: a client's certificate with these. */
function below(constraints: readonly Uint8Array[], order: Parameters<typeof clientBy>[1] = {}): MadeCertificate[] {
  const authority = makeAuthority({ subject: 'constrained', issuer: root, extensions: constraints });
  return [clientBy(authority, order), authority];
}

const sans = (...names: readonly Uint8Array[]) => ({ extensions: [alternativeNames(...names)] });
const permitted = (...names: readonly Uint8Array[]) => [nameConstraints({ permitted: names })];
const excluded = (...names: readonly Uint8Array[]) => [nameConstraints({ excluded: names })];

type Cases = readonly [string, () => readonly MadeCertificate[]][];

const unknown = (isCritical: boolean) => extension('1.2.3.4', isCritical, octets(utf8('x')));
const many = <Item>(count: number, item: Item): Item[] => Array.from({ length: count }, () => item);

const GOOD: Cases = [
  [
    'with many names and constraints on them',
    () => below(excluded(...many(40, name.dns('b.test'))), sans(...many(100, name.dns('a.test')))),
  ],
  ['signed by the trusted authority', () => [clientBy(root)]],
  ['that has an intermediate authority', () => [clientBy(intermediate), intermediate]],
  ['that comes with its root', () => [clientBy(intermediate), intermediate, root]],
  ['whose issuers come in any order, beside others', () => [clientBy(intermediate), stranger, root, intermediate]],
  ['with the purpose of clients', () => [clientBy(root, { extensions: [extendedKeyUsage(SERVER_AUTH, CLIENT_AUTH)] })]],
  ['with every purpose', () => [clientBy(root, { extensions: [extendedKeyUsage(ANY_PURPOSE)] })]],
  ['whose key is for signatures', () => [clientBy(root, { extensions: [keyUsage(0)] })]],
  ['whose key is for agreements', () => [clientBy(root, { extensions: [keyUsage(4)] })]],
  ['that says it is no authority', () => [clientBy(root, { extensions: [basicConstraints(false)] })]],
  ['with an unknown extension that is not critical', () => [clientBy(root, { extensions: [unknown(false)] })]],
  ['with a key on RSA', () => [clientBy(root, { key: newRsaKey(2048) })]],
  ['with a key on Ed25519', () => [clientBy(root, { key: generateKeyPairSync('ed25519').privateKey })]],
  ['with a policy', () => below([policies('1.2.3')], { extensions: [policies('1.2.3')] })],
  ['below a path length that is kept', () => pathOf(1)],
  ['with a new key of an authority between, which counts for no length', renewedAuthority],
  [
    'within permitted hosts',
    () => below(permitted(name.dns('acme.test')), sans(name.dns('A.acme.test'), name.dns('acme.test'))),
  ],
  ['within permitted networks', () => below(permitted(name.ip(10, 0, 0, 0, 255, 0, 0, 0)), sans(name.ip(10, 1, 2, 3)))],
  [
    'within a permitted part of the directory',
    () =>
      below(permitted(name.directory(distinguishedName([['2.5.4.10', utf8('Acme')]]))), { subject: acme('client') }),
  ],
  ['within permitted URIs', () => below(permitted(name.uri('.acme.test')), sans(name.uri('https://a.acme.test/x')))],
  ['within permitted mailboxes', () => below(permitted(name.email('acme.test')), sans(name.email('a@acme.test')))],
  [
    'without names of the constrained kind',
    () => below(permitted(name.dns('acme.test')), sans(name.uri('spiffe://b/c'))),
  ],
  ['outside of excluded hosts', () => below(excluded(name.dns('acme.test')), sans(name.dns('notacme.test')))],
];

const BAD: Cases = [
  ['by nobody known', () => [clientBy(stranger)]],
  ['by nobody known, with its chain', () => [clientBy(stranger), stranger]],
  ['by another authority of the same name', () => [clientBy(makeAuthority({ subject: 'root' }))]],
  [
    'whose intermediate authority does not come along',
    () => [clientBy(makeAuthority({ subject: 'other', issuer: root }))],
  ],
  ['signed by itself', () => [makeCertificate()]],
  ["with a client's certificate for an authority", leafAsAuthority],
  [
    "with a client's certificate for an authority, which says its key may sign",
    () => leafAsAuthority([keyUsage(0, 5)]),
  ],
  ['with an authority whose key may not sign certificates', () => belowAuthority({ keyUse: [0, 6] })],
  ['with an authority that is for servers', () => belowAuthority({ extensions: [extendedKeyUsage(SERVER_AUTH)] })],
  ['that is over', () => [clientBy(root, { notAfter: new Date('2025-12-31T23:59:58Z') })]],
  ['that is not there yet', () => [clientBy(root, { notBefore: new Date('2026-01-01T00:00:01Z') })]],
  ['with an authority that is over', () => belowAuthority({ notAfter: new Date('2025-06-01T00:00:00Z') })],
  ['for servers', () => [clientBy(root, { extensions: [extendedKeyUsage(SERVER_AUTH)] })]],
  ['whose key is for certificates only', () => [clientBy(root, { extensions: [keyUsage(5)] })]],
  ["that is an authority's", () => [makeAuthority({ subject: 'client', issuer: root })]],
  ['that is the trusted one itself', () => [root]],
  ['below a path length that is exceeded', () => pathOf(0)],
  ['signed with SHA-1', () => [clientBy(root, { digest: 'sha1' })]],
  ['with an authority that is signed with SHA-1', () => belowAuthority({ digest: 'sha1' })],
  ['with a short key', () => [clientBy(root, { key: newRsaKey(1024) })]],
  ['with an authority that has a short key', () => belowAuthority({ key: newRsaKey(1024) })],
  [
    'on a curve that is not for certificates',
    () => [clientBy(root, { key: generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).privateKey })],
  ],
  ['with an unknown critical extension', () => [clientBy(root, { extensions: [unknown(true)] })]],
  ['with an authority that has an unknown critical extension', () => belowAuthority({ extensions: [unknown(true)] })],
  [
    'with the same extension twice',
    () => [
      clientBy(root, { extensions: [alternativeNames(name.dns('a.test')), alternativeNames(name.dns('b.test'))] }),
    ],
  ],
  [
    'with policies that an authority does not allow',
    () =>
      below([policies('1.2.3'), extension('2.5.29.36', true, sequence(Buffer.from([0x80, 1, 0])))], {
        extensions: [policies('1.2.4')],
      }),
  ],
  ['outside of permitted hosts', () => below(permitted(name.dns('acme.test')), sans(name.dns('notacme.test')))],
  [
    'with more alternative names than anybody needs',
    () => [clientBy(root, sans(...Array.from({ length: 129 }, (_name, at) => name.dns(`a${at}.test`))))],
  ],
  [
    'with more parts in its subject than anybody needs',
    () => [
      clientBy(root, {
        subject: distinguishedName(...Array.from({ length: 65 }, () => [['2.5.4.11', utf8('x')] as const])),
      }),
    ],
  ],
  [
    'with more elements than anybody needs',
    () => [
      clientBy(root, {
        extensions: [extension('1.2.3.4', false, sequence(...Array.from({ length: 1000 }, () => utf8(''))))],
      }),
    ],
  ],
  [
    'with more names and constraints on them than are compared',
    () => below(excluded(...many(60, name.dns('b.test'))), sans(...many(100, name.dns('a.test')))),
  ],
  [
    'partly outside of permitted hosts',
    () => below(permitted(name.dns('acme.test')), sans(name.dns('acme.test'), name.dns('b.test'))),
  ],
  ['of an excluded host', () => below(excluded(name.dns('acme.test')), sans(name.dns('a.acme.test')))],
  [
    'outside of a permitted network',
    () => below(permitted(name.ip(10, 0, 0, 0, 255, 0, 0, 0)), sans(name.ip(11, 0, 0, 1))),
  ],
  ['of an excluded network', () => below(excluded(name.ip(10, 0, 0, 0, 255, 0, 0, 0)), sans(name.ip(10, 0, 0, 1)))],
  [
    'outside of a permitted part of the directory',
    () => below(permitted(name.directory(acme('x'))), { subject: acme('client') }),
  ],
  ['of an excluded part of the directory', () => below(excluded(name.directory(commonName('client'))))],
  [
    'outside of permitted URIs',
    () => below(permitted(name.uri('acme.test')), sans(name.uri('https://acme.test.evil.test/'))),
  ],
  [
    'with a URI whose host cannot be found among the excluded',
    () => below(excluded(name.uri('acme.test')), sans(name.uri('urn:acme.test'))),
  ],
  [
    'with a URI whose host is an address',
    () => below(excluded(name.uri('acme.test')), sans(name.uri('https://192.0.2.1/'))),
  ],
  [
    'with a URI that has no host to compare',
    () => below(permitted(name.uri('acme.test')), sans(name.uri('urn:acme.test'))),
  ],
  [
    'outside of permitted mailboxes',
    () => below(permitted(name.email('a@acme.test')), sans(name.email('b@acme.test'))),
  ],
  [
    'whose subject has a mailbox outside of the permitted',
    () =>
      below(permitted(name.email('acme.test')), {
        subject: distinguishedName([['1.2.840.113549.1.9.1', utf8('a@b.test')]]),
      }),
  ],
  [
    'with an excluded kind of name that cannot be compared',
    () => below(excluded(name.other('1.2.3', 'a')), sans(name.other('1.2.3', 'b'))),
  ],
  [
    'with a permitted kind of name that cannot be compared',
    () => below(permitted(name.other('1.2.3', 'a')), sans(name.other('1.2.3', 'a'))),
  ],
];

describe('a client whose chain is good', () => {
  it.each(GOOD)('passes with a certificate %s', async (_name, chain) => {
    expect(statusOf(await present(benchWith(), chain()))).toBe(200);
  });
});

describe('a client whose chain is not good', () => {
  it.each(BAD)('is refused with a certificate %s', async (_name, chain) => {
    expect(statusOf(await present(benchWith(), chain()))).toBe(401);
  });
});

describe('a trusted authority', () => {
  it('may be one without its root', async () => {
    const bench = benchWith({ trusted_ca_pems: [intermediate.pem] });
    expect(statusOf(await present(bench, [clientBy(intermediate)]))).toBe(200);
    expect(statusOf(await present(bench, [clientBy(root)]))).toBe(401);
  });

  it('is one of several in a text, or of several texts', async () => {
    const bench = benchWith({
      trusted_ca_pems: [`kept by A\n${root.pem}\nkept by B\n${stranger.pem}`, intermediate.pem],
    });
    for (const issuer of [root, stranger, intermediate])
      expect(statusOf(await present(bench, [clientBy(issuer)]))).toBe(200);
  });

  it('binds by its own constraints and length, although it is where trust begins', async () => {
    const bound = makeAuthority({ pathLength: 0, extensions: permitted(name.dns('acme.test')) });
    const bench = benchWith({ trusted_ca_pems: [bound.pem] });
    const lower = makeAuthority({ subject: 'lower', issuer: bound });
    expect(statusOf(await present(bench, [clientBy(bound, sans(name.dns('acme.test')))]))).toBe(200);
    expect(statusOf(await present(bench, [clientBy(bound, sans(name.dns('b.test')))]))).toBe(401);
    expect(statusOf(await present(bench, [clientBy(lower, sans(name.dns('acme.test'))), lower]))).toBe(401);
  });

  it('counts until it is over', async () => {
    const short = makeAuthority({ notAfter: new Date('2026-01-01T00:01:00Z') });
    const bench = benchWith({ trusted_ca_pems: [short.pem] });
    const client = clientBy(short);
    expect(statusOf(await present(bench, [client]))).toBe(200);
    bench.clock.advance(61_000);
    expect(statusOf(await present(bench, [client]))).toBe(401);
  });

  it('is found behind another way that leads nowhere: authorities sign each other', async () => {
    const key = newKey();
    const over = makeAuthority({ subject: 'crossed', key, issuer: root, notAfter: new Date('2025-02-01T00:00:00Z') });
    const current = makeAuthority({ subject: 'crossed', key, issuer: root });
    const client = clientBy(current);
    for (const chain of [
      [over, current],
      [current, over],
    ]) {
      expect(statusOf(await present(benchWith(), [client, ...chain]))).toBe(200);
    }
  });

  it('is not searched for without end among authorities that sign each other in circles', async () => {
    const keys = Array.from({ length: 6 }, newKey);
    const issuers = keys.map((key) => ({ key, subject: commonName('ring') }));
    const ring = keys.map((key, at) => makeAuthority({ subject: 'ring', key, issuer: issuers[(at + 1) % 6] ?? root }));
    const client = clientBy(ring[0] ?? root);
    expect(statusOf(await present(benchWith(), [client, ...ring]))).toBe(401);
  });
});

/** A chain below a trusted length of path: one more authority than there are others between. */
function pathOf(pathLength: number): MadeCertificate[] {
  const upper = makeAuthority({ subject: 'upper', issuer: root, pathLength });
  const lower = makeAuthority({ subject: 'lower', issuer: upper });
  return [clientBy(lower), lower, upper];
}

function renewedAuthority(): MadeCertificate[] {
  const upper = makeAuthority({ subject: 'upper', issuer: root, pathLength: 0 });
  const renewed = makeAuthority({ subject: 'upper', issuer: upper });
  return [clientBy(renewed), renewed, upper];
}

function leafAsAuthority(extensions: readonly Uint8Array[] = []): MadeCertificate[] {
  const leaf = clientBy(root, { subject: 'leaf', extensions });
  return [clientBy(leaf), leaf];
}

function belowAuthority(order: Parameters<typeof makeAuthority>[0]): MadeCertificate[] {
  const authority = makeAuthority({ subject: 'flawed', issuer: root, ...order });
  return [clientBy(authority), authority];
}

function policies(id: string): Uint8Array {
  return extension('2.5.29.32', false, sequence(sequence(oid(id))));
}
