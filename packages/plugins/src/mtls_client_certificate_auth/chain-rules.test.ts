import { X509Certificate } from 'node:crypto';
import {
  alternativeNames,
  basicConstraints,
  commonName,
  extension,
  generalName as name,
  keyUsage,
  makeAuthority,
  makeCertificate,
  nameConstraints,
  newKey,
  type CertificateOrder,
  type MadeCertificate,
} from '@portcullis/testkit/certificates';
import { octets, utf8 } from '@portcullis/testkit/der';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { readContent } from './certificate-content.ts';
import { readCertificate } from './certificate.ts';
import { brokenByAuthority } from './chain-rules.ts';
import { benchWith, clientBy, present, root, statusOf } from './made-chains.test-support.ts';

const statusOfChain = async (trusted: MadeCertificate, ...chain: readonly MadeCertificate[]) =>
  statusOf(await present(benchWith({ trusted_ca_pems: [trusted.pem] }), chain));

describe('an authority', () => {
  it.each<[string, boolean, CertificateOrder]>([
    ['says that it is one', true, { extensions: [basicConstraints(true)] }],
    ['says nothing', false, {}],
    ['says that it is none', false, { extensions: [basicConstraints(false)] }],
    ['says that its key is for certificates only', false, { extensions: [keyUsage(5)] }],
    ['has a key for certificates', true, { extensions: [basicConstraints(true), keyUsage(0, 5)] }],
    ['has a key for something else', false, { extensions: [basicConstraints(true), keyUsage(0, 6)] }],
  ])('%s: %s', (_name, expected, order) => {
    const certificate = readCertificate(makeCertificate(order).der);
    const content = certificate && readContent(certificate);
    expect(content && brokenByAuthority(content) === undefined).toBe(expected);
  });

  it('is no client, also where its key may sign anything', async () => {
    const client = makeAuthority({ subject: 'client', issuer: root, keyUse: [0, 5] });
    expect(await statusOfChain(root, client)).toBe(401);
  });

  it('is trusted whatever it is signed with', async () => {
    const old = makeAuthority({ digest: 'sha1' });
    expect(await statusOfChain(old, clientBy(old))).toBe(200);
  });

  it('has to be within what all above it may name, and so has the client, but for new keys of its own', async () => {
    const bound = (tree: Uint8Array) => makeAuthority({ extensions: [nameConstraints({ permitted: [tree] })] });
    const hosts = bound(name.dns('acme.test'));
    const lower = makeAuthority({ subject: 'lower', issuer: hosts });
    const client = (host: string) => clientBy(lower, { extensions: [alternativeNames(name.dns(host))] });
    expect(await statusOfChain(hosts, client('a.acme.test'), lower)).toBe(200);
    expect(await statusOfChain(hosts, client('b.test'), lower)).toBe(401);
    const clients = bound(name.directory(commonName('client')));
    const renewed = makeAuthority({ issuer: clients });
    expect(await statusOfChain(clients, clientBy(renewed), renewed)).toBe(200);
    expect(await statusOfChain(clients, clientBy(clients, { subject: 'Test CA' }))).toBe(401);
    const other = makeAuthority({ subject: 'other', issuer: clients });
    expect(await statusOfChain(clients, clientBy(other), other)).toBe(401);
  });
});

describe('an extension that cannot be read', () => {
  it.each(['2.5.29.15', '2.5.29.17', '2.5.29.19', '2.5.29.30', '2.5.29.32', '2.5.29.33', '2.5.29.36', '2.5.29.37'])(
    'is no reason to leave out what it says: %s',
    async (id) => {
      const unreadable = extension(id, false, utf8('x'));
      expect(await statusOfChain(root, clientBy(root, { extensions: [unreadable] }))).toBe(401);
    },
  );
});

describe('a certificate that is trusted by itself', () => {
  const pinned = async (client: MadeCertificate) => {
    const trusted_fingerprints = [new X509Certificate(client.der).fingerprint256];
    return statusOf(await present(benchWith({ trusted_ca_pems: undefined, trusted_fingerprints }), [client]));
  };
  const twice = [1, 2].map((at) => extension('1.2.3.4', false, octets(utf8(`${at}`))));

  it.each<[string, number, CertificateOrder]>([
    ['is one', 200, {}],
    ['is not there yet', 401, { notBefore: new Date('2026-01-01T00:00:01Z') }],
    ['is over', 401, { notAfter: new Date('2025-12-31T23:59:59Z') }],
    ['says something twice', 401, { extensions: twice }],
    ['says it once', 200, { extensions: twice.slice(1) }],
  ])('%s: %i', async (_name, status, order) => {
    expect(await pinned(makeCertificate(order))).toBe(status);
  });
});

describe('the search for a chain', () => {
  afterEach(() => vi.restoreAllMocks());

  /** Authorities, each signed by the one before. */
  const descend = (count: number): MadeCertificate[] => {
    const chain = [root];
    for (let at = 0; at < count; at += 1)
      chain.unshift(makeAuthority({ subject: `ca ${at}`, issuer: chain[0] ?? root }));
    return chain.slice(0, -1);
  };

  it('goes as far as eight certificates, both ends counted', async () => {
    for (const [count, status] of [
      [6, 200],
      [7, 401],
    ] as const) {
      const between = descend(count);
      expect(await statusOfChain(root, clientBy(between[0] ?? root), ...between)).toBe(status);
    }
  });

  it('has a bounded number of steps among those that could all have signed each other', async () => {
    const ring = Array.from({ length: 7 }, () => ({ key: newKey(), subject: commonName('ring') }));
    const made = ring.map(({ key }, at) => makeAuthority({ subject: 'ring', key, issuer: ring[(at + 1) % 7] ?? root }));
    const steps = vi.spyOn(X509Certificate.prototype, 'checkIssued');
    expect(await statusOfChain(root, clientBy(made[0] ?? root), ...made)).toBe(401);
    expect(steps).toHaveBeenCalledTimes(64);
  });

  it('verifies a bounded number of ways', async () => {
    const namesakes = Array.from({ length: 20 }, () => makeAuthority({ subject: 'namesake' }));
    const client = clientBy(makeAuthority({ subject: 'namesake' }));
    const verified = vi.spyOn(X509Certificate.prototype, 'verify');
    const bench = benchWith({ trusted_ca_pems: namesakes.map(({ pem }) => pem) });
    expect(statusOf(await present(bench, [client]))).toBe(401);
    expect(verified).toHaveBeenCalledTimes(8);
  });
});
