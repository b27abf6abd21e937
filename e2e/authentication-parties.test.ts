import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually, hasSlapd, startSlapd, startUpstream } from '@portcullis/testkit';
import type { Slapd } from '@portcullis/testkit';
import { extendedKeyUsage, makeAuthority, makeCertificate } from '@portcullis/testkit/certificates';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectIdentity, expectRefused, spoofed as usual, startProtectedRoutes } from './support/protected-routes.ts';
import type { ProtectedRoutes } from './support/protected-routes.ts';

/** The plugins here say who the user is in `x-user`. */
const spoofed = { ...usual, 'x-user': 'mallory' };

/** Where calls come from that the gateway takes for its proxy's. All of 127.0.0.0/8 is this machine. */
const proxyAddress = '127.0.0.2';

const basic = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

describe('directories, client certificates and vaults, through a real control plane and gateway', () => {
  let routes: ProtectedRoutes;
  let slapd: Slapd | undefined;
  beforeAll(async () => {
    if (hasSlapd) {
      slapd = await startSlapd([{ uid: 'grace', password: 'of grace', attributes: { mail: 'grace@acme.test' } }]);
    }
    routes = await startProtectedRoutes({
      PORTCULLIS_TRUSTED_PROXIES: proxyAddress,
      ...(slapd && { NODE_EXTRA_CA_CERTS: await authorityFile(slapd) }),
    });
    await routes.consumer('grace');
    await routes.consumer('billing');
  });
  afterAll(async () => {
    await routes[Symbol.asyncDispose]();
    await slapd?.[Symbol.asyncDispose]();
  });

  it.skipIf(!hasSlapd)('ldap_auth lets in whom the directory lets in, over TLS (skipped without slapd)', async () => {
    await routes.protect('ldap', 'ldap_auth', {
      server_url: `ldaps://localhost:${slapd?.tlsPort}`,
      user_dn_template: `uid={username},${slapd?.usersDn}`,
      upstream_headers: { 'X-User': 'mail' },
      hide_credentials: true,
    });
    const grace = { ...spoofed, authorization: basic('grace', 'of grace') };
    const passed = await routes.until(200, '/ldap', () => grace);
    expectIdentity(passed, { 'x-consumer-username': 'grace', 'x-user': 'grace@acme.test' });
    expect(passed.upstream?.headers.authorization).toBeUndefined();
    for (const authorization of [basic('grace', 'of henry'), basic('henry', 'of grace'), basic('grace', '')]) {
      expectRefused(await routes.call('/ldap', { ...spoofed, authorization }));
    }
  });

  it('mtls_client_certificate_auth takes a forwarded certificate from the trusted proxy and from nobody else', async () => {
    const [authority, other] = [makeAuthority(), makeAuthority()];
    const forClients = [extendedKeyUsage('1.3.6.1.5.5.7.3.2')];
    const [good, foreign] = [authority, other].map((issuer) =>
      makeCertificate({ subject: 'billing', issuer, extensions: forClients }),
    );
    await routes.protect('mtls', 'mtls_client_certificate_auth', {
      trusted_ca_pems: [authority.pem],
      allowed_common_names: ['billing'],
      upstream_headers: { 'X-User': 'common_name' },
      hide_certificate_header: true,
    });
    const forwarded = (pem: string) => ({ ...spoofed, 'x-ssl-client-cert': encodeURIComponent(pem) });
    const passed = await routes.until(200, '/mtls', () => forwarded(good?.pem ?? ''), proxyAddress);
    expectIdentity(passed, { 'x-consumer-username': 'billing', 'x-user': 'billing' });
    expect(passed.upstream?.headers).not.toHaveProperty('x-ssl-client-cert');
    expectRefused(await routes.call('/mtls', forwarded(foreign?.pem ?? ''), proxyAddress));
    expectRefused(await routes.call('/mtls', spoofed, proxyAddress));
    // The same certificate, and the word that it was verified, from somebody who is no proxy of ours.
    expectRefused(await routes.call('/mtls', { ...forwarded(good?.pem ?? ''), 'x-ssl-client-verify': 'SUCCESS' }));
  });

  it('vault_authentication shows the upstream the secret of a vault, and the one that took its place', async () => {
    let secret = 'the-first-secret';
    await using vault = await startUpstream((_req, res, { url, headers }) => {
      const isKnown = url === '/v1/secret/data/billing' && headers['x-vault-token'] === 'the-token-of-the-vault';
      res.statusCode = isKnown ? 200 : 404;
      res.end(JSON.stringify({ data: { data: { token: secret }, metadata: { version: 1 } } }));
    });
    const config = { address: vault.url, token: 'the-token-of-the-vault', ttl_seconds: 0 };
    const made = await routes.admin('POST', '/vaults', { prefix: 'prod', driver: 'hashicorp', config });
    expect(JSON.stringify(made)).not.toContain('the-token-of-the-vault');
    await routes.protect('vault', 'vault_authentication', { secret_ref: 'vault://prod/billing/token' });
    await routes.protect('lost', 'vault_authentication', { secret_ref: 'vault://prod/no-such-secret/token' });
    const shown = async () =>
      (await routes.call('/vault', { authorization: 'Bearer of the client' })).upstream?.headers.authorization;
    await routes.until(200, '/vault');
    expect(await shown()).toBe('Bearer the-first-secret');
    secret = 'the-second-secret';
    await eventually(async () => (await shown()) === 'Bearer the-second-secret');
    const lost = await routes.until(503, '/lost');
    expect(lost.upstream).toBeUndefined();
    const logs = routes.stack.gateway().stdout() + routes.stack.controlPlane().stdout();
    expect(logs).not.toMatch(/the-first-secret|the-second-secret|the-token-of-the-vault/);
  });
});

/** Where a process finds the authority of the directory's certificate. */
async function authorityFile({ folder, caPem }: Slapd): Promise<string> {
  const path = join(folder, 'authority.pem');
  await writeFile(path, caPem);
  return path;
}
