import { createHmac } from 'node:crypto';
import { eventually, startUpstream } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import type { Resources } from '../testing/fake-control-plane.test-support.ts';
import { everythingTo, startTestGateway } from '../testing/test-gateway.test-support.ts';

const loopback = { PORTCULLIS_ALLOW_PRIVATE_ADDRESSES: '127.0.0.0/8' };
const reference = 'vault://prod/billing/token';
const vaultToken = 'hvs.canary-of-the-vault';

/** A server with one secret, which can be another one, or silent about it. */
async function startVault(secret: string) {
  const state = { secret, status: 200 };
  const server = await startUpstream((_request, response) => {
    response.writeHead(state.status).end(JSON.stringify({ data: { data: { token: state.secret } } }));
  });
  const config = { address: server.url, token: vaultToken, mount: 'secret', kv_version: 2, ttl_seconds: 1 };
  const record = { id: 'v1', prefix: 'prod', driver: 'hashicorp', config };
  return { state, server, record, [Symbol.asyncDispose]: () => server.close() };
}

const keys = (config: object, more: object = {}) => ({ id: 'p1', name: 'api_key_auth', config, ...more });

/** Two routes; the plugins of the first are given. */
function twoRoutes(url: string, vault: Record<string, unknown>, more: Resources): Resources {
  const { services = [], routes = [] } = everythingTo(url, { paths: ['/guarded'] });
  const open = { id: 'route-2', name: 'open', service_id: 'service-1', paths: ['/open'] };
  return { services, routes: [...routes, open], vaults: [vault], ...more };
}

const ofRoute = { scope: 'route', route_id: 'route-1' };

describe('references in the secret fields of plugins', () => {
  const ask = async (gateway: { readonly url: string }, key: string, path = '/guarded') =>
    (await fetch(`${gateway.url}${path}`, { headers: { 'x-api-key': key } })).status;

  it('are the secrets that they name, never themselves, and follow a rotation; other instances keep what they know', async () => {
    await using upstream = await startUpstream((_request, response) => void response.end('served'));
    await using vault = await startVault('key-1');
    const limiter = {
      ...{ id: 'p2', name: 'rate_limiter', scope: 'route', route_id: 'route-2' },
      config: { limit: 1, window_seconds: 3600 },
    };
    const plugins = [keys({ header_name: 'x-api-key', valid_keys: [reference] }, ofRoute), limiter];
    await using gateway = await startTestGateway(twoRoutes(upstream.url, vault.record, { plugins }), loopback);
    expect([await ask(gateway, 'key-1'), await ask(gateway, reference), await ask(gateway, '')]).toEqual([
      200, 401, 401,
    ]);
    expect([await ask(gateway, '', '/open'), await ask(gateway, '', '/open')]).toEqual([200, 429]);
    vault.state.secret = 'key-2';
    await eventually(async () => (await ask(gateway, 'key-2')) === 200);
    expect([await ask(gateway, 'key-1'), await ask(gateway, '', '/open')]).toEqual([401, 429]);
    const shown = await (await fetch(`${gateway.statusUrl}/config`)).text();
    expect(shown).not.toMatch(/key-[12]|canary/);
  });

  it.each([
    ['of the collection', (plugin: object) => ({ plugins: [{ ...plugin, ...ofRoute }] })],
    [
      "of a route's own",
      (plugin: object) => ({
        routes: [{ id: 'route-1', name: 'all', service_id: 'service-1', paths: ['/guarded'], plugins: [plugin] }],
      }),
    ],
  ])(
    '%s refuse what they match while the vault does not answer, and nothing else, until it does',
    async (_name, place) => {
      await using upstream = await startUpstream((_request, response) => void response.end('served'));
      await using vault = await startVault('key-1');
      vault.state.status = 500;
      const both = twoRoutes(upstream.url, vault.record, {});
      const own: Resources = place(
        keys({ header_name: 'x-api-key', valid_keys: [{ key: reference, consumer: 'one' }] }),
      );
      const routes = [...(own.routes ?? both.routes?.slice(0, 1) ?? []), ...(both.routes?.slice(1) ?? [])];
      await using gateway = await startTestGateway({ ...both, ...own, routes }, loopback);
      expect([await ask(gateway, 'key-1'), await ask(gateway, reference)]).toEqual([503, 503]);
      expect(await ask(gateway, '', '/open')).toBe(200);
      expect(gateway.controlPlane.acks.at(-1)).toMatchObject({
        status: 'applied',
        errors: [
          {
            pointer: expect.stringMatching(/\/config\/valid_keys\/0\/key$/) as unknown,
            message: expect.stringContaining('its vault does not answer') as unknown,
          },
        ],
      });
      vault.state.status = 200;
      await eventually(async () => (await ask(gateway, 'key-1')) === 200);
      expect(await ask(gateway, reference)).toBe(401);
      await eventually(() => gateway.controlPlane.acks.at(-1)?.errors.length === 0);
    },
  );

  it('lock an instance whose vault says no, at once and whatever it kept', async () => {
    await using upstream = await startUpstream((_request, response) => void response.end('served'));
    await using vault = await startVault('key-1');
    const plugins = [keys({ header_name: 'x-api-key', valid_keys: [reference] })];
    await using gateway = await startTestGateway(twoRoutes(upstream.url, vault.record, { plugins }), loopback);
    expect(await ask(gateway, 'key-1')).toBe(200);
    vault.state.status = 403;
    await eventually(async () => (await ask(gateway, 'key-1')) === 503);
  });

  it('lock an instance whose secret its field cannot hold, and refuse no configuration for it', async () => {
    await using upstream = await startUpstream((_request, response) => void response.end('served'));
    await using vault = await startVault('k'.repeat(513));
    const plugins = [keys({ header_name: 'x-api-key', valid_keys: [reference] }, ofRoute)];
    await using gateway = await startTestGateway(twoRoutes(upstream.url, vault.record, { plugins }), loopback);
    expect([await ask(gateway, 'k'.repeat(513)), await ask(gateway, '', '/open')]).toEqual([503, 200]);
    expect(JSON.stringify(gateway.controlPlane.acks)).toContain('is none that this field may hold');
    expect(JSON.stringify(gateway.controlPlane.acks)).not.toContain('kkk');
  });

  it('let requests pass without the plugin only where its category and its policy do', async () => {
    await using upstream = await startUpstream((_request, response) => void response.end('served'));
    await using vault = await startVault('key');
    vault.state.status = 500;
    const judge = {
      ...{ id: 'p9', name: 'ai_rag_injector', ...ofRoute },
      config: { retrieval_url: `${upstream.url}/search`, headers: { authorization: reference } },
    };
    const open = { ...judge, execution: { failure_mode: 'fail_open' } };
    const resources = (plugin: object) => twoRoutes(upstream.url, vault.record, { plugins: [plugin as never] });
    await using gateway = await startTestGateway(resources(judge), loopback);
    expect(await ask(gateway, '')).toBe(503);
    await gateway.publish(resources(open));
    expect(await ask(gateway, '')).toBe(200);
    const closed = keys(
      { header_name: 'x-api-key', valid_keys: [reference] },
      { execution: { failure_mode: 'fail_open' } },
    );
    await gateway.publish(resources(closed));
    expect(await ask(gateway, '')).toBe(503);
  });
});

describe("references in consumers' credentials", () => {
  it('are the secrets that they name; without one nobody is known by the credential', async () => {
    await using upstream = await startUpstream(({ headers }, res) => void res.end(headers['x-consumer-username']));
    await using vault = await startVault('a-secret-of-enough-characters-1');
    const credential = {
      ...{ id: 'k1', consumer_id: 'c1', type: 'jwt', name: 'one' },
      ...{ key: 'issuer', algorithm: 'HS256', secret: reference },
    };
    const plugins = [{ id: 'p1', name: 'jwt_auth', scope: 'global', config: {} }];
    const resources = twoRoutes(upstream.url, vault.record, {
      plugins,
      consumers: [{ id: 'c1', username: 'alice' }],
      consumer_credentials: [credential],
    });
    await using gateway = await startTestGateway(resources, loopback);
    const ask = async (secret: string) => {
      const authorization = `Bearer ${tokenOf(secret)}`;
      return (await fetch(`${gateway.url}/open`, { headers: { authorization } })).status;
    };
    expect([await ask('a-secret-of-enough-characters-1'), await ask(reference)]).toEqual([200, 401]);
    vault.state.secret = 'a-secret-of-enough-characters-2';
    await eventually(async () => (await ask('a-secret-of-enough-characters-2')) === 200);
    expect(await ask('a-secret-of-enough-characters-1')).toBe(401);
    vault.state.status = 404;
    await eventually(async () => (await ask('a-secret-of-enough-characters-2')) === 401);
    expect(await ask(reference)).toBe(401);
  });
});

function tokenOf(secret: string): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const exp = Math.floor(Date.now() / 1000) + 3600;
  const text = `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ iss: 'issuer', sub: 'alice', exp })}`;
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
}
