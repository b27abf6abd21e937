import { eventually } from '@portcullis/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startProtectedRoutes } from './support/protected-routes.ts';
import type { ProtectedRoutes } from './support/protected-routes.ts';

describe('protection and caching, through a real control plane and gateway', () => {
  let routes: ProtectedRoutes;
  beforeAll(async () => {
    routes = await startProtectedRoutes();
  });
  afterAll(() => routes[Symbol.asyncDispose]());

  /** A route to a service at this address with one plugin that sees all stages. */
  async function route(name: string, url: string, plugin: string, config: object): Promise<void> {
    await routes.admin('POST', '/gateways/edge/services', { id: `${name}-service`, name: `${name}-service`, url });
    const record = { id: name, name, path: `/${name}`, service_id: `${name}-service`, enabled: false };
    await routes.admin('POST', '/gateways/edge/routes', record);
    const instance = { name: plugin, trigger: 'all', scope: 'route', route_id: name, config };
    await routes.admin('POST', '/plugins', instance);
    await routes.admin('PATCH', `/gateways/edge/routes/${name}`, { enabled: true });
  }

  it('response_cache answers what it has, and asks for each credential and address anew', async () => {
    await routes.protect('cached', 'response_cache', { ttl_seconds: 3600 });
    const first = await routes.until(200, '/cached?a=1');
    expect([first.header('x-cache-status'), first.upstream?.method]).toEqual(['MISS', 'GET']);
    const again = await routes.call('/cached?a=1');
    expect([again.status, again.header('x-cache-status'), again.body]).toEqual([200, 'HIT', first.body]);
    expect([again.upstream, again.header('age')]).toEqual([undefined, expect.stringMatching(/^\d+$/)]);
    expect((await routes.call('/cached?a=2')).header('x-cache-status')).toBe('MISS');
    for (const authorization of ['Bearer one', 'Bearer two']) {
      const own = await routes.call('/cached?a=1', { authorization });
      expect([own.header('x-cache-status'), own.upstream?.headers.authorization]).toEqual(['MISS', authorization]);
    }
  });

  it('service_protection keeps requests from a service that cannot be reached, and lets one probe it later', async () => {
    // Nobody listens on the port of the discard protocol.
    await route('guarded', 'http://127.0.0.1:9', 'service_protection', {
      ...{ failure_threshold: 2, cooldown_seconds: 1, open_circuit_status: 529, include_headers: true },
      open_circuit_body: { error: 'closed for a moment' },
    });
    const open = await routes.until(529, '/guarded');
    expect([JSON.parse(open.body), open.header('retry-after')]).toEqual([{ error: 'closed for a moment' }, '1']);
    expect(open.header('x-service-protection-state')).toBe('open');
    // After the cooldown a request goes through, and fails as the first ones did.
    const probe = await eventually(async () => {
      const called = await routes.call('/guarded');
      return called.status === 502 ? called : undefined;
    });
    expect(probe.header('x-service-protection-state')).toBe('half_open');
  });
});
