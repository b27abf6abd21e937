import { X509Certificate } from 'node:crypto';
import type { ConsumerDirectory, ConsumerIdentity } from '@portcullis/plugin-runtime';
import {
  alternativeNames,
  distinguishedName,
  generalName as name,
  makeCertificate,
} from '@portcullis/testkit/certificates';
import { utf8 } from '@portcullis/testkit/der';
import { describe, expect, it } from 'vitest';
import { problemOf, PluginBench } from '../testing/plugin-bench.ts';
import { mtlsClientCertificateAuth } from './index.ts';
import { benchWith, clientBy, intermediate, present, root, statusOf, stranger } from './made-chains.test-support.ts';

const CERT = 'X-SSL-Client-Cert';
const VERIFY = 'X-SSL-Client-Verify';

const client = clientBy(root, {
  subject: distinguishedName(
    [['2.5.4.6', utf8('DE')]],
    [['2.5.4.10', utf8('Acme, Inc.')]],
    [['2.5.4.3', utf8('billing')]],
  ),
  serial: 0xabc123,
  extensions: [
    alternativeNames(
      name.dns('Billing.acme.test'),
      name.uri('spiffe://acme.test/billing'),
      name.ip(192, 0, 2, 1),
      name.email('b@acme.test'),
    ),
  ],
});
const forwarded = (certificate = client) => encodeURIComponent(certificate.pem);

describe('mtls_client_certificate_auth refuses', () => {
  it('who has no certificate with 401, a challenge and no word about why', async () => {
    const { result, exchange } = await benchWith().request();
    expect(result).toBe('respond');
    expect(exchange.response.status).toBe(401);
    expect(exchange.response.headers.get('www-authenticate')).toBe('ClientCertificate realm="api"');
    expect(problemOf(exchange)).toMatchObject({ status: 401, code: 'unauthenticated', request_id: 'r1' });
    const { exchange: other } = await present(benchWith(), [clientBy(stranger)]);
    expect(problemOf(other)).toEqual(problemOf(exchange));
  });

  it('who has a good certificate that is not allowed with 403, the second time too', async () => {
    const bench = benchWith({ allowed_common_names: ['shipping'] });
    for (const _turn of [1, 2]) {
      const { exchange } = await present(bench, [client]);
      expect(problemOf(exchange)).toMatchObject({ status: 403, code: 'forbidden' });
    }
  });

  it.each<[string, boolean, readonly string[]]>([
    ['a forwarded certificate of a peer that is not trusted', false, [CERT, forwarded()]],
    ['two headers with a certificate', true, [CERT, forwarded(), CERT, forwarded()]],
    ['an empty header', true, [CERT, '']],
    ['a certificate by nobody known', true, [CERT, forwarded(clientBy(stranger))]],
    ['no certificate', true, [CERT, 'hello']],
    ['what begins as a certificate', true, [CERT, forwarded().slice(0, -60)]],
    ['bytes that are no certificate', true, [CERT, Buffer.from('hello').toString('base64')]],
    ['a certificate with a byte behind it', true, [CERT, Buffer.concat([client.der, Buffer.of(0)]).toString('base64')]],
    ['a broken escape', true, [CERT, `${forwarded()}%`]],
  ])('%s', async (_name, isFromTrustedPeer, headers) => {
    expect(statusOf(await benchWith().request({ headers, isFromTrustedPeer }))).toBe(401);
  });

  it('a certificate of more than the configured bytes, forwarded or in TLS, before it is read', async () => {
    const value = Buffer.from(client.der).toString('base64');
    const status = async (max_cert_bytes: number, isForwarded: boolean) => {
      const bench = benchWith({ max_cert_bytes });
      return statusOf(
        await (isForwarded
          ? bench.request({ headers: [CERT, value], isFromTrustedPeer: true })
          : present(bench, [client])),
      );
    };
    expect([await status(value.length, true), await status(value.length - 1, true)]).toEqual([200, 401]);
    expect([await status(client.der.length, false), await status(client.der.length - 1, false)]).toEqual([200, 401]);
  });

  it("a trusted proxy's own TLS certificate: it is not its client's", async () => {
    expect(statusOf(await present(benchWith(), [client], { isFromTrustedPeer: true }))).toBe(401);
    const other = clientBy(root, { subject: 'other' });
    const headers = [CERT, forwarded(other)];
    const { exchange } = await present(benchWith(), [client], { isFromTrustedPeer: true, headers });
    expect(exchange.consumer?.id).toBe('CN=other');
  });
});

describe('what the upstream sees of certificate headers', () => {
  const headers = [CERT, forwarded(), VERIFY, 'SUCCESS', 'X-Other', 'o'];
  const seen = async (config: object, isFromTrustedPeer: boolean, more: readonly string[] = headers) => {
    const { exchange } = await present(benchWith(config), [client], { headers: more, isFromTrustedPeer });
    return exchange.request.headers.toPairs().filter((_pair, at) => at % 2 === 0);
  };

  it("is nothing of a stranger's, also when its TLS certificate is good", async () => {
    expect(await seen({}, false)).toEqual(['X-Other']);
    const companion = ['client-cert', ':AAAA:', 'Client-Cert-Chain', ':AAAA:', 'x-ssl-client-verify', 'SUCCESS'];
    expect(await seen({ header_name: 'Client-Cert' }, false, companion)).toEqual([]);
  });

  it("is a trusted proxy's, unless it is to be hidden", async () => {
    expect(await seen({}, true)).toEqual([CERT, VERIFY, 'X-Other']);
    expect(await seen({ hide_certificate_header: true }, true)).toEqual(['X-Other']);
  });

  it('is the claims that are configured, never what the client says', async () => {
    const upstream_headers = {
      'X-Subject': 'subject',
      'X-Issuer': 'issuer',
      'X-Serial': 'serial',
      'X-Print': 'fingerprint',
      'X-Name': 'common_name',
      'X-Sans': 'sans',
      'X-From': 'not_before',
      'X-Until': 'not_after',
    };
    const forged = Object.keys(upstream_headers).flatMap((header) => [header.toLowerCase(), 'forged']);
    const { exchange } = await present(benchWith({ upstream_headers }), [client], { headers: forged });
    expect(Object.fromEntries(pairsOf(exchange.request.headers.toPairs()))).toEqual({
      'X-Subject': String.raw`CN=billing,O=Acme\, Inc.,C=DE`,
      'X-Issuer': 'CN=root',
      'X-Serial': 'abc123',
      'X-Print': expect.stringMatching(/^[0-9a-f]{64}$/) as unknown,
      'X-Name': 'billing',
      'X-Sans': 'DNS:Billing.acme.test, URI:spiffe://acme.test/billing, IP:192.0.2.1, email:b@acme.test',
      'X-From': '2025-01-01T00:00:00.000Z',
      'X-Until': '2035-01-01T00:00:00.000Z',
    });
    const nameless = clientBy(root, { subject: distinguishedName() });
    const { exchange: other } = await present(
      benchWith({ upstream_headers: { 'X-Name': 'common_name' } }),
      [nameless],
      {
        headers: ['x-name', 'forged'],
      },
    );
    expect(other.request.headers.toPairs()).toEqual([]);
  });
});

describe("a trusted proxy's word", () => {
  const word = { trusted_ca_pems: undefined, require_verified_header: true };
  const ask = async (config: object, isFromTrustedPeer: boolean, headers: readonly string[]) =>
    statusOf(await present(benchWith({ ...word, ...config }), [client], { headers, isFromTrustedPeer }));

  it.each<[string, number, object, boolean, readonly string[]]>([
    ['is enough by itself', 200, {}, true, [VERIFY, 'SUCCESS', CERT, forwarded(makeCertificate())]],
    [
      'has to be the configured one',
      200,
      { verify_header_name: 'X-V', verify_header_value: 'yes' },
      true,
      ['x-v', 'yes', CERT, forwarded()],
    ],
    ['that is another one does not count', 401, {}, true, [VERIFY, 'FAILED:expired', CERT, forwarded()]],
    ['that is missing does not count', 401, {}, true, [CERT, forwarded()]],
    ['that is there twice does not count', 401, {}, true, [VERIFY, 'SUCCESS', VERIFY, 'SUCCESS', CERT, forwarded()]],
    [
      "of a stranger's does not count, nor does its TLS certificate",
      401,
      {},
      false,
      [VERIFY, 'SUCCESS', CERT, forwarded()],
    ],
    ['needs a certificate with it', 401, {}, true, [VERIFY, 'SUCCESS']],
    [
      'does not make a certificate last longer',
      401,
      {},
      true,
      [VERIFY, 'SUCCESS', CERT, forwarded(makeCertificate({ notAfter: new Date('2025-06-01') }))],
    ],
    [
      'must agree with the trusted authorities',
      401,
      { trusted_ca_pems: [root.pem] },
      true,
      [VERIFY, 'SUCCESS', CERT, forwarded(clientBy(stranger))],
    ],
    [
      'agrees with the trusted authorities',
      200,
      { trusted_ca_pems: [root.pem] },
      true,
      [VERIFY, 'SUCCESS', CERT, forwarded()],
    ],
    ['is bound by the constraints', 403, { allowed_common_names: ['x'] }, true, [VERIFY, 'SUCCESS', CERT, forwarded()]],
  ])('%s (%i)', async (_name, status, config, isFromTrustedPeer, headers) => {
    expect(await ask(config, isFromTrustedPeer, headers)).toBe(status);
  });
});

describe('a pinned certificate', () => {
  const own = makeCertificate({ subject: 'own', notAfter: new Date('2026-01-01T00:01:00Z') });
  const print = new PluginBench(mtlsClientCertificateAuth, {
    trusted_ca_pems: [root.pem],
    upstream_headers: { 'X-Print': 'fingerprint' },
  });

  it.each([
    ['in lower case', (hex: string) => hex],
    ['in upper case with colons', (hex: string) => hex.toUpperCase().replace(/..(?=.)/g, '$&:')],
  ])('needs no chain: fingerprint %s', async (_name, write) => {
    const { exchange } = await present(print, [client]);
    const trusted_fingerprints = [write(exchange.request.headers.get('x-print') ?? '')];
    const bench = new PluginBench(mtlsClientCertificateAuth, { trusted_fingerprints });
    expect(statusOf(await present(bench, [client]))).toBe(200);
    expect(statusOf(await present(bench, [clientBy(root)]))).toBe(401);
    // A pin is for the client's certificate, not for one that lies beside it.
    expect(statusOf(await present(bench, [clientBy(root), client]))).toBe(401);
  });

  it('has to be in its time', async () => {
    const trusted_fingerprints = [new X509Certificate(own.der).fingerprint256];
    const bench = new PluginBench(mtlsClientCertificateAuth, { trusted_fingerprints });
    expect(statusOf(await present(bench, [own]))).toBe(200);
    bench.clock.advance(61_000);
    expect(statusOf(await present(bench, [own]))).toBe(401);
  });
});

describe('the consumer', () => {
  const acme: ConsumerIdentity = { id: 'c1', username: 'acme', groups: ['gold'] };
  const directory = (known: Readonly<Record<string, ConsumerIdentity | 'disabled'>>): ConsumerDirectory => ({
    findApiKey: () => undefined,
    findBasic: () => undefined,
    findHmac: () => undefined,
    findJwt: () => undefined,
    findConsumer: (reference) => (Object.hasOwn(known, reference) ? known[reference] : undefined),
  });
  const other: ConsumerIdentity = { id: 'c2', groups: [] };

  it.each([
    ['has an alternative name of the certificate', { 'spiffe://acme.test/billing': acme }, acme],
    ['has its common name', { billing: acme }, acme],
    ['has an alternative name rather than the common name', { billing: other, 'b@acme.test': acme }, acme],
    ['has the first of the alternative names', { 'b@acme.test': other, 'Billing.acme.test': acme }, acme],
    [
      'is the subject where the tenant knows none of them',
      {},
      { id: String.raw`CN=billing,O=Acme\, Inc.,C=DE`, groups: [] },
    ],
  ])('%s', async (_name, known, consumer) => {
    const { exchange } = await present(benchWith(), [client], { consumers: directory(known) });
    expect(exchange.consumer).toEqual(consumer);
  });

  it('is looked up for each request: who is disabled now is refused at once, and who is gone is nobody', async () => {
    const bench = benchWith();
    const presentTo = (known: Parameters<typeof directory>[0]) =>
      present(bench, [client], { consumers: directory(known) });
    expect((await presentTo({ billing: acme })).exchange.consumer).toEqual(acme);
    expect(statusOf(await presentTo({ billing: 'disabled' }))).toBe(401);
    expect((await presentTo({})).exchange.consumer).toMatchObject({ groups: [] });
  });

  it.each([
    ['without a subject', clientBy(root, { subject: distinguishedName() })],
    ['with a long subject', clientBy(root, { subject: 'x'.repeat(300) })],
  ])('is the fingerprint for a certificate %s', async (_name, certificate) => {
    const { exchange } = await present(benchWith(), [certificate]);
    expect(exchange.consumer?.id).toMatch(/^sha256:[0-9a-f]{64}$/);
  });
});

describe('a resumed TLS session, which has no issuers', () => {
  it('finds those of earlier trusted chains, and judges them anew', async () => {
    const bench = benchWith();
    const one = clientBy(intermediate, { subject: 'one' });
    expect(statusOf(await present(bench, [one]))).toBe(401);
    expect(statusOf(await present(bench, [clientBy(intermediate), intermediate]))).toBe(200);
    expect(statusOf(await present(bench, [one]))).toBe(200);
  });
});

function pairsOf(list: readonly string[]): [string, string][] {
  return list.flatMap((text, at) => (at % 2 === 0 ? [[text, list[at + 1] ?? ''] as [string, string]] : []));
}
