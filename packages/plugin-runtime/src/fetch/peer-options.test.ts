import { Hono, type Context } from 'hono';
import { describe, expect, it, vi } from 'vitest';
import { createFetchHandler } from '../fetch.ts';
import { createHonoMiddleware } from '../hono.ts';
import type { PluginHooks } from '../index.ts';
import { pluginOf } from '../testing/fixtures.ts';
import type { PeerOptions } from './peer-options.ts';

const tellPeer: PluginHooks = {
  request: ({ request }) => {
    const { clientIp, isFromTrustedPeer } = request;
    const certificates = request.path === '/ask' ? request.peerCertificates().map((der) => [...der]) : 'not asked';
    const claims = request.claimsOfPeer('x-consumer-id');
    return { status: 200, body: JSON.stringify({ clientIp, isFromTrustedPeer, certificates, claims }) };
  },
};

const host = { plugins: [pluginOf('subject', () => tellPeer)], inline: [{ name: 'subject' }] };

/** What the peer says of who the client is. */
const spoken = { 'X-Consumer-ID': 'alice' };

type Call = (path: string) => Promise<unknown>;

const ADAPTERS: readonly [string, (options: PeerOptions<Request | Context>) => Call][] = [
  [
    'createFetchHandler',
    (options) => {
      const handle = createFetchHandler({ ...host, ...options, upstream: () => new Response() });
      return async (path) => (await handle(new Request(`http://a.test${path}`, { headers: spoken }))).json();
    },
  ],
  [
    'createHonoMiddleware',
    (options) => {
      const app = new Hono().use(createHonoMiddleware({ ...host, ...options }));
      return async (path) => (await app.request(path, { headers: spoken })).json();
    },
  ],
];

describe.each(ADAPTERS)('what plugins learn of the peer behind %s', (_name, start) => {
  it('is nothing unless the host says it', async () => {
    expect(await start({})('/ask')).toEqual({ clientIp: '', isFromTrustedPeer: false, certificates: [], claims: [] });
  });

  it('is what the host says of each request', async () => {
    const peerCertificates = vi.fn(() => [Uint8Array.of(48, 0)]);
    const call = start({ clientIp: () => '192.0.2.7', isFromTrustedPeer: () => true, peerCertificates });
    const seen = { clientIp: '192.0.2.7', isFromTrustedPeer: true, claims: ['alice'] };
    expect(await call('/')).toEqual({ ...seen, certificates: 'not asked' });
    expect(peerCertificates).not.toHaveBeenCalled();
    expect(await call('/ask')).toEqual({ ...seen, certificates: [[48, 0]] });
  });
});
