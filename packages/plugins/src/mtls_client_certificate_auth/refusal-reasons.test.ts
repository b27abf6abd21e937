import { noConsumers } from '@portcullis/plugin-runtime';
import {
  alternativeNames,
  extendedKeyUsage,
  extension,
  generalName as name,
  keyUsage,
  makeAuthority,
  nameConstraints,
  newRsaKey,
  type MadeCertificate,
} from '@portcullis/testkit/certificates';
import { octets, oid, sequence, utf8 } from '@portcullis/testkit/der';
import { describe, expect, it } from 'vitest';
import type { TestRequest } from '../testing/plugin-bench.ts';
import { WAITING_MAX } from './client-verdicts.ts';
import { benchWith, clientBy, intermediate, root, stranger } from './made-chains.test-support.ts';

const SERVER_AUTH = '1.3.6.1.5.5.7.3.1';
const [CERT, VERIFY] = ['X-SSL-Client-Cert', 'X-SSL-Client-Verify'];
const client = clientBy(root);
const pem = encodeURIComponent(client.pem);

const tls = (...chain: readonly Pick<MadeCertificate, 'der'>[]): TestRequest => ({
  peerCertificates: chain.map(({ der }) => der),
});
const forwarded = (...headers: readonly string[]): TestRequest => ({ headers, isFromTrustedPeer: true });

/** A client's certificate with this extension, by the trusted authority. */
const saying = (...extensions: readonly Uint8Array[]): TestRequest => tls(clientBy(root, { extensions }));

/** A client's certificate by an authority like this, which the trusted one has signed. */
function below(order: Parameters<typeof makeAuthority>[0]): TestRequest {
  const authority = makeAuthority({ subject: 'flawed', issuer: root, ...order });
  return tls(clientBy(authority), authority);
}

function belowClient(): TestRequest {
  const other = clientBy(root, { subject: 'other' });
  return tls(clientBy(other), other);
}

function belowPathLength(): TestRequest {
  const upper = makeAuthority({ subject: 'upper', issuer: root, pathLength: 0 });
  const lower = makeAuthority({ subject: 'lower', issuer: upper });
  return tls(clientBy(lower), lower, upper);
}

function outsideOfConstraints(): TestRequest {
  const constraints = nameConstraints({ permitted: [name.dns('acme.test')] });
  const authority = makeAuthority({ subject: 'constrained', issuer: root, extensions: [constraints] });
  return tls(clientBy(authority, { extensions: [alternativeNames(name.dns('b.test'))] }), authority);
}

const policies = (id: string): Uint8Array => extension('2.5.29.32', false, sequence(sequence(oid(id))));

function againstPolicy(): TestRequest {
  const needed = extension('2.5.29.36', true, sequence(Buffer.from([0x80, 1, 0])));
  const extensions = [policies('1.2.3'), needed];
  const authority = makeAuthority({ subject: 'strict', issuer: root, extensions });
  return tls(clientBy(authority, { extensions: [policies('1.2.4')] }), authority);
}

function loggingBench(config: object = {}) {
  const lines: unknown[] = [];
  const log = { debug: (...line: unknown[]) => void lines.push(line), warn: () => undefined, error: () => undefined };
  return { lines, bench: benchWith(config, { log }) };
}

const line = (reason: string): unknown => [
  'refused a request',
  expect.objectContaining({ reason, request_id: 'r1', plugin: 'mtls_client_certificate_auth' }),
];

describe('the operator who asks for it is told why mtls_client_certificate_auth refuses', () => {
  it.each<[string, TestRequest, object?]>([
    ['no_certificate', {}],
    ['no_certificate', forwarded()],
    ['untrusted_header', { headers: [CERT, pem] }],
    ['not_verified', forwarded(CERT, pem, VERIFY, 'FAILED'), { require_verified_header: true }],
    ['not_verified', tls(client), { require_verified_header: true }],
    ['several_certificates', forwarded(CERT, pem, CERT, pem)],
    ['certificate_too_large', forwarded(CERT, pem), { max_cert_bytes: 256 }],
    ['certificate_too_large', tls(client), { max_cert_bytes: 256 }],
    ['malformed_certificate', forwarded(CERT, 'hello')],
    ['expired', tls(clientBy(root, { notAfter: new Date('2025-12-31T23:59:58Z') }))],
    ['not_yet_valid', tls(clientBy(root, { notBefore: new Date('2026-01-01T00:00:01Z') }))],
    ['unknown_authority', tls(clientBy(stranger), stranger)],
    ['unknown_authority', tls(clientBy(intermediate))],
    ['common_name', tls(client), { allowed_common_names: ['billing'] }],
    ['subject', tls(client), { allowed_subjects: ['CN=billing'] }],
    ['san', tls(client), { required_sans: ['billing.test'] }],
  ])('a client: %s', async (reason, request, config) => {
    const { bench, lines } = loggingBench(config);
    await bench.request(request);
    expect(lines).toEqual([line(reason)]);
    expect(JSON.stringify(lines)).not.toMatch(/BEGIN|hello|FAILED/);
  });

  it.each<[string, TestRequest]>([
    ['client_is_authority', tls(makeAuthority({ subject: 'client', issuer: root }))],
    ['client_key_usage', saying(keyUsage(5))],
    ['malformed_certificate', saying(policies('1.2.3'), policies('1.2.3'))],
    ['chain_extension', saying(extension('1.2.3.4', true, octets(utf8('x'))))],
    ['chain_purpose', saying(extendedKeyUsage(SERVER_AUTH))],
    ['weak_signature', tls(clientBy(root, { digest: 'sha1' }))],
    ['weak_key', tls(clientBy(root, { key: newRsaKey(1024) }))],
    ['chain_expired', below({ notAfter: new Date('2025-06-01T00:00:00Z') })],
    ['chain_no_authority', belowClient()],
    ['chain_path_length', belowPathLength()],
    ['unknown_authority', below({ keyUse: [0, 6] })],
    ['chain_name_constraints', outsideOfConstraints()],
    ['chain_policy', againstPolicy()],
  ])('a chain, also when its verdict is remembered: %s', async (reason, request) => {
    const { bench, lines } = loggingBench();
    await bench.request(request);
    await bench.request(request);
    expect(lines).toEqual([line(reason), line(reason)]);
  });

  it('a consumer that is disabled', async () => {
    const { bench, lines } = loggingBench();
    await bench.request({ ...tls(client), consumers: { ...noConsumers, findConsumer: () => 'disabled' } });
    expect(lines).toEqual([line('consumer_disabled')]);
  });

  it('who comes when too many wait', async () => {
    const { bench, lines } = loggingBench();
    const clients = Array.from({ length: WAITING_MAX + 1 }, () => tls(clientBy(root)));
    await Promise.all(clients.map((request) => bench.request(request)));
    expect(lines).toEqual([line('busy')]);
  });
});
