import { createSecureServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { eventually, startUpstream, temporaryFolder } from '@portcullis/testkit';
import { makeAuthority, makeCertificate } from '@portcullis/testkit/certificates';
import { pino } from 'pino';
import { describe, expect, it, vi } from 'vitest';
import { startGateway } from '../gateway.ts';
import { FakeControlPlane, type Resources } from '../testing/fake-control-plane.test-support.ts';
import { settingsOf, startTestGateway } from '../testing/test-gateway.test-support.ts';
import { authority, securedRoute, serverCertificate, startSecureUpstream } from './upstream-tls.test-support.ts';

vi.setConfig({ testTimeout: 60_000 });

type Records = readonly Record<string, unknown>[];

const good = serverCertificate();
const client = makeCertificate({ subject: 'gateway.test', issuer: authority });
const clientRecord = { id: 'client', name: 'client', cert: client.pem, key: client.keyPem };

async function ask(url: string): Promise<{ readonly status: number; readonly text: string }> {
  const answer = await fetch(url);
  return { status: answer.status, text: await answer.text() };
}

describe('an upstream in TLS', () => {
  it('is trusted by the authorities of its service, and asked for by its own name', async () => {
    await using upstream = await startSecureUpstream(good);
    await using gateway = await startTestGateway(securedRoute(upstream.port));
    expect(await ask(gateway.url)).toEqual({ status: 200, text: 'secure' });
    expect(upstream.seen).toEqual([{ name: 'secure.test', client: undefined }]);
  });

  it.each([
    ['expired', serverCertificate({ notAfter: new Date('2025-02-01') }), 'CERT_HAS_EXPIRED'],
    ['not valid yet', serverCertificate({ notBefore: new Date('2034-01-01') }), 'CERT_NOT_YET_VALID'],
    ['self-signed', serverCertificate({ issuer: undefined as never }), 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    ['by another authority', serverCertificate({ issuer: makeAuthority() }), 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
    ['for another host', serverCertificate({}, 'other.test'), 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ])('is refused when its certificate is %s: the operator learns why, and the client that it is so', async (...row) => {
    const [, certificate, reason] = row;
    await using upstream = await startSecureUpstream(certificate);
    await using controlPlane = new FakeControlPlane();
    await using folder = await temporaryFolder();
    const lines: string[] = [];
    const controlPlaneUrl = await controlPlane.listen();
    controlPlane.publish(securedRoute(upstream.port, { retries: 2 }));
    const log = pino({}, { write: (line) => void lines.push(line) });
    const gateway = await startGateway(settingsOf(controlPlaneUrl, folder), log);
    await eventually(() => controlPlane.acks[0]?.status === 'applied');
    const url = `http://127.0.0.1:${gateway.proxyPort}`;
    const { status, text } = await ask(url);
    await ask(url);
    await gateway.stop();
    expect(status).toBe(502);
    expect(JSON.parse(text)).toMatchObject({ code: 'upstream_tls_failed' });
    expect(upstream.seen).toEqual([]);
    const told = lines.filter((line) => line.includes('no TLS connection')).map((line) => JSON.parse(line) as object);
    expect(told).toEqual([expect.objectContaining({ reason, servername: 'secure.test' })]);
    expect(text + lines.join('')).not.toMatch(/BEGIN|other\.test/);
  });

  it('is taken unseen where its service says so', async () => {
    await using upstream = await startSecureUpstream(serverCertificate({ issuer: makeAuthority() }, 'other.test'));
    const trusting = { tls_verify: false, ca_certificate_ids: [] };
    await using gateway = await startTestGateway(securedRoute(upstream.port, trusting));
    expect(await ask(gateway.url)).toEqual({ status: 200, text: 'secure' });
  });

  it('may have as many intermediate certificates as its service says', async () => {
    const between = makeAuthority({ subject: 'between', issuer: authority });
    const leaf = serverCertificate({ issuer: between });
    await using upstream = await startSecureUpstream({ ...leaf, pem: leaf.pem + between.pem });
    await using gateway = await startTestGateway(securedRoute(upstream.port, { tls_verify_depth: 0 }));
    expect((await ask(gateway.url)).status).toBe(502);
    await gateway.publish(securedRoute(upstream.port, { tls_verify_depth: 1 }));
    expect((await ask(gateway.url)).status).toBe(200);
  });
});

describe('the certificate of the gateway', () => {
  const asking = { requestCert: true, rejectUnauthorized: true, ca: [authority.pem] };
  const withClient = (port: number, service: object, upstream: object = {}): Resources => ({
    ...securedRoute(port, { ...service }, { ...upstream }),
    certificates: [clientRecord],
  });

  it.each([
    ['its service', { client_certificate_id: 'client' }, {}],
    ['its upstream', {}, { client_certificate_id: 'client' }],
  ])('is that of %s, and without it nothing gets in', async (_, service, upstream) => {
    await using server = await startSecureUpstream(good, asking);
    await using gateway = await startTestGateway(securedRoute(server.port));
    expect((await ask(gateway.url)).status).toBe(502);
    expect(server.seen).toEqual([]);
    await gateway.publish(withClient(server.port, service, upstream));
    expect((await ask(gateway.url)).status).toBe(200);
    expect(server.seen).toEqual([{ name: 'secure.test', client: 'gateway.test' }]);
  });

  it('is missed over HTTP/2 as soon as the upstream says so', async () => {
    const server = createSecureServer({ cert: good.pem, key: good.keyPem, ...asking });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await using gateway = await startTestGateway(securedRoute(port, {}, { protocol: 'grpcs' }));
    const { status, text } = await ask(gateway.url);
    expect([status, JSON.parse(text)]).toMatchObject([502, { code: 'upstream_tls_failed' }]);
    server.close();
  });

  it('is presented by probes too, which trust whom requests trust', async () => {
    await using server = await startSecureUpstream(good, asking);
    const active = { type: 'https', timeout: 60, healthy: { interval: 0.02 }, unhealthy: { interval: 0.02 } };
    const checked = { healthchecks: { active: { ...active, unhealthy: { interval: 0.02, tcp_failures: 1 } } } };
    await using gateway = await startTestGateway(withClient(server.port, {}, checked));
    await eventually(async () => (await ask(gateway.url)).status === 503, { timeoutMs: 20_000 });
    expect(server.seen).toEqual([]);
    await gateway.publish(withClient(server.port, { client_certificate_id: 'client' }, checked));
    await eventually(async () => (await ask(gateway.url)).status === 200, { timeoutMs: 20_000 });
  });

  it('and the authority are replaced without a failed request', async () => {
    const [nextAuthority, nextName] = [makeAuthority({ subject: 'next authority' }), 'next-gateway.test'];
    const nextClient = makeCertificate({ subject: nextName, issuer: authority });
    await using server = await startSecureUpstream(good, asking);
    // Connections that the upstream closes may have a request on their way.
    const service = { client_certificate_id: 'client', ca_certificate_ids: ['ca', 'next'], retries: 5 };
    const before = withClient(server.port, service);
    const cas = (pem: string): Records => [
      { id: 'ca', cert: authority.pem },
      { id: 'next', cert: pem },
    ];
    await using gateway = await startTestGateway({ ...before, ca_certificates: cas(makeAuthority().pem) });
    const over = new AbortController();
    const failed: unknown[] = [];
    const traffic = Promise.all(
      [1, 2, 3].map(async () => {
        while (!over.signal.aborted) {
          const { status, text } = await ask(gateway.url);
          if (status !== 200) failed.push(text);
        }
      }),
    );
    await eventually(() => server.seen.length > 5);
    const after = { ...clientRecord, cert: nextClient.pem, key: nextClient.keyPem };
    await gateway.publish({ ...before, certificates: [after], ca_certificates: cas(nextAuthority.pem) });
    await eventually(() => server.seen.at(-1)?.client === nextName);
    server.server.setSecureContext(serverPems(nextAuthority));
    server.server.closeAllConnections();
    over.abort();
    await traffic;
    expect(failed).toEqual([]);
    expect((await ask(gateway.url)).status).toBe(200);
  });

  function serverPems(issuer: typeof authority): { cert: string; key: string; ca: string[] } {
    const { pem, keyPem } = serverCertificate({ issuer });
    return { cert: pem, key: keyPem, ca: [authority.pem] };
  }
});

describe('a service whose TLS refers to what is not there', () => {
  it.each([
    ['an authority', { ca_certificate_ids: ['ca', 'gone'] }, '/resources/services/s/ca_certificate_ids/1'],
    ['a certificate', { client_certificate_id: 'gone' }, '/resources/services/s/client_certificate_id'],
  ])('(%s) is closed, and all others are served; the record opens it', async (_, service, pointer) => {
    await using server = await startSecureUpstream(good);
    await using plain = await startUpstream();
    const { services = [], routes = [], ...rest } = securedRoute(server.port, service);
    const resources = {
      ...rest,
      services: [...services, { id: 'p', name: 'p', url: plain.url, client_certificate_id: 'gone' }],
      routes: [...routes, { id: 'p', name: 'p', service_id: 'p', paths: ['/plain'] }],
    };
    await using gateway = await startTestGateway(resources);
    const { status, text } = await ask(gateway.url);
    expect([status, JSON.parse(text)]).toMatchObject([503, { code: 'tls_incomplete' }]);
    expect((await ask(`${gateway.url}/plain`)).status).toBe(200);
    expect(gateway.controlPlane.acks[0]?.errors).toMatchObject([{ pointer }]);
    expect(server.connections()).toBe(0);
    await gateway.publish({
      ...resources,
      certificates: [{ ...clientRecord, id: 'gone' }],
      ca_certificates: [...(rest.ca_certificates ?? []), { id: 'gone', cert: makeAuthority().pem }],
    });
    expect((await ask(gateway.url)).status).toBe(200);
  });
});
