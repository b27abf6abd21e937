import { createServer } from 'node:https';
import type { Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { writeFile } from 'node:fs/promises';
import { eventually, startUpstream, temporaryFolder } from '@portcullis/testkit';
import type { TemporaryFolder, Upstream } from '@portcullis/testkit';
import { alternativeNames, generalName, makeAuthority, makeCertificate } from '@portcullis/testkit/certificates';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startProtectedRoutes } from './support/protected-routes.ts';
import type { ProtectedRoutes } from './support/protected-routes.ts';

describe('plugins that choose where a request goes, through a real control plane and gateway', () => {
  let folder: TemporaryFolder;
  let routes: ProtectedRoutes;
  let partner: Upstream;
  let canary: Server;
  /** Path, and the fields that matter, of each request that the canary got. */
  const seen: { url: string | undefined; shadow: unknown; decision: unknown }[] = [];

  beforeAll(async () => {
    folder = await temporaryFolder();
    const authority = makeAuthority({ subject: 'authority.test' });
    const extensions = [alternativeNames(generalName.ip(127, 0, 0, 1))];
    const { pem, keyPem } = makeCertificate({ subject: 'canary.test', issuer: authority, extensions });
    await writeFile(folder.join('authority.pem'), authority.pem);
    canary = createServer({ cert: pem, key: keyPem }, (req, res) => {
      seen.push({ url: req.url, shadow: req.headers['x-shadow-request'], decision: req.headers['x-canary-decision'] });
      res.end('the canary');
    });
    await new Promise<void>((resolve) => canary.listen(0, '127.0.0.1', resolve));
    partner = await startUpstream();
    routes = await startProtectedRoutes({ NODE_EXTRA_CA_CERTS: folder.join('authority.pem') });
  });

  afterAll(async () => {
    await routes[Symbol.asyncDispose]();
    await partner.close();
    canary.closeAllConnections();
    canary.close();
    await folder.remove();
  });

  const canaryUrl = (path: string): string => `https://127.0.0.1:${(canary.address() as AddressInfo).port}${path}`;

  it('forward_proxy sends requests to its address in place of the service, and to no address that is refused', async () => {
    await routes.protect('partner', 'forward_proxy', { forward_url: `${partner.url}/v2` });
    const called = await routes.until(200, '/partner/7?x=1');
    expect([called.upstream, partner.requests.at(-1)?.url]).toEqual([undefined, '/v2/7?x=1']);
    await routes.protect('metadata', 'forward_proxy', { forward_url: 'http://169.254.169.254/latest' });
    const refused = await routes.until(502, '/metadata');
    expect(JSON.parse(refused.body)).toMatchObject({ code: 'upstream_refused' });
    expect(refused.body).not.toContain('169.254');
  });

  it('canary_shadow_traffic sends its share to the canary and copies there, and the others to the service', async () => {
    const chosen = { canary_header_name: 'x-canary', include_decision_headers: true };
    await routes.protect('next', 'canary_shadow_traffic', {
      ...chosen,
      canary_percentage: 100,
      canary_upstream_url: canaryUrl('/new'),
    });
    const called = await routes.until(200, '/next/7');
    expect([called.body, called.header('x-canary-decision'), called.upstream]).toEqual([
      'the canary',
      'canary',
      undefined,
    ]);
    expect(seen.at(-1)).toEqual({ url: '/new/7', shadow: undefined, decision: 'canary' });
    const left = await routes.call('/next/7', { 'x-canary': 'never' });
    expect([left.status, left.header('x-canary-decision'), left.upstream?.url]).toEqual([200, 'primary', '/7']);

    seen.length = 0;
    await routes.protect('copied', 'canary_shadow_traffic', {
      canary_percentage: 100,
      canary_forward_url: canaryUrl('/shadow'),
    });
    const copied = await routes.until(200, '/copied/8');
    expect(copied.upstream?.url).toBe('/8');
    await eventually(() => seen.some(({ url }) => url === '/shadow/8'), { timeoutMs: 30_000 });
    expect(seen.at(-1)).toEqual({ url: '/shadow/8', shadow: '1', decision: undefined });
  });
});
