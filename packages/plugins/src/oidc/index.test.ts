import {
  ALONE,
  noConsumers,
  noOutbound,
  noSecrets,
  noSharedStore,
  type ConsumerDirectory,
} from '@portcullis/plugin-runtime';
import { FakeClock } from '@portcullis/testkit';
import { SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { LEEWAY_SECONDS } from '../shared/jwt/claim-rules.ts';
import { absentPorts } from '../testing/absent-ports.ts';
import { exchangeOf, PluginBench, problemOf, type TestRequest } from '../testing/plugin-bench.ts';
import { makeKey, makeToken } from '../testing/tokens.ts';
import { oidc } from './index.ts';

const NOW = Date.UTC(2026, 0, 1) / 1000;
const keys = {
  RS256: makeKey('rsa'),
  ES256: makeKey('p256'),
  ES384: makeKey('p384'),
  ES512: makeKey('p521'),
  EdDSA: makeKey('ed25519'),
};
const { ES256: ec } = keys;
const config = { issuer: 'https://issuer.test/', audience: 'api', public_key: ec.pem };
const claims = { iss: 'https://issuer.test/', aud: 'api', sub: 'u1', exp: NOW + 3600 };
const tokenOf = (more: Readonly<Record<string, unknown>> = {}, header: Readonly<Record<string, unknown>> = {}) =>
  makeToken({ alg: 'ES256', ...header }, { ...claims, ...more }, ec.privateKey, 'ES256');
const acme = { id: 'c1', username: 'acme', customId: 'u1', groups: ['gold'] };
const consumers: ConsumerDirectory = {
  ...noConsumers,
  findConsumer: (name) => ({ u1: acme, gone: 'disabled' as const })[name],
};
const bearing = (token: string, more: Partial<TestRequest> = {}): TestRequest => ({
  headers: ['Authorization', `Bearer ${token}`],
  ...more,
});

describe('oidc', () => {
  it.each(
    ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'].map(
      (name) => [name],
    ),
  )('lets tokens pass that another library signed with %s', async (alg) => {
    const kind = /^[RP]S/.test(alg) ? 'RS256' : alg.startsWith('Ed') ? 'EdDSA' : alg;
    const key = keys[kind as keyof typeof keys];
    const token = await new SignJWT(claims).setProtectedHeader({ alg, typ: 'at+jwt' }).sign(key.privateKey);
    const bench = new PluginBench(oidc, { ...config, public_key: key.pem, algorithms: [alg] });
    expect((await bench.request(bearing(token))).result).toBe('continue');
    const [other] = alg === 'RS256' ? ['PS256'] : alg === 'EdDSA' ? ['Ed25519'] : [undefined];
    if (other === undefined) return;
    const strict = new PluginBench(oidc, { ...config, public_key: key.pem, algorithms: [other] });
    expect((await strict.request(bearing(token))).result).toBe('respond');
  });

  it.each<[string, Readonly<Record<string, unknown>>, unknown]>([
    ['the consumer of that custom ID, with groups', {}, acme],
    ['the subject itself where the tenant has no such consumer', { sub: 'u2' }, { id: 'u2', groups: [] }],
    ['nobody without a subject', { sub: undefined }, undefined],
  ])('identifies %s', async (_name, more, consumer) => {
    const bench = new PluginBench(oidc, config);
    const ask = async () => await bench.request(bearing(tokenOf(more), { consumers }));
    expect([(await ask()).exchange.consumer, (await ask()).exchange.consumer]).toEqual([consumer, consumer]);
  });

  it.each<[string, Readonly<Record<string, unknown>>]>([
    ['another issuer', { iss: 'https://other.test/' }],
    ['another audience', { aud: ['web', 'app'] }],
    ['an end in the past', { exp: NOW - 3600 }],
    ['a beginning in the future', { nbf: NOW + 3600 }],
    ['the use of a refresh token', { token_use: 'refresh' }],
    ['a subject that is no text', { sub: { $ne: null } }],
    ['an empty subject', { sub: '' }],
    ['a subject without end', { sub: 'a'.repeat(257) }],
    ['the subject of a consumer that is disabled', { sub: 'gone' }],
  ])('refuses a token with %s', async (_name, more) => {
    const { result, exchange } = await new PluginBench(oidc, config).request(bearing(tokenOf(more), { consumers }));
    expect([result, exchange.response.status, exchange.consumer]).toEqual(['respond', 401, undefined]);
    expect(exchange.response.headers.get('www-authenticate')).toBe('Bearer realm="api", error="invalid_token"');
  });

  it('refuses a token that it has verified, once its consumer is disabled', async () => {
    const bench = new PluginBench(oidc, config);
    const request = bearing(tokenOf(), { consumers });
    expect([(await bench.request(request)).result, (await bench.request(request)).result]).toEqual([
      'continue',
      'continue',
    ]);
    const disabled = { ...consumers, findConsumer: () => 'disabled' as const };
    const { exchange } = await bench.request({ ...request, consumers: disabled });
    expect([exchange.response.status, exchange.consumer]).toEqual([401, undefined]);
    expect((await bench.request(request)).exchange.consumer).toEqual(acme);
  });

  it('asks for a token where there is none, and takes no second one', async () => {
    const bench = new PluginBench(oidc, config);
    const missing = (await bench.request()).exchange.response;
    expect([missing.status, missing.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="api"']);
    const twice = ['Authorization', `Bearer ${tokenOf()}`, 'authorization', `Bearer ${tokenOf()}`];
    expect((await bench.request({ headers: twice })).exchange.response.status).toBe(401);
  });

  it('checks what was not asked for in no way: without issuer and audience any will do', async () => {
    const bench = new PluginBench(oidc, { public_key: ec.pem });
    const token = tokenOf({ iss: undefined, aud: 'else' });
    expect((await bench.request(bearing(token))).result).toBe('continue');
  });

  it.each<[string, Readonly<Record<string, unknown>>, unknown]>([
    ['all scopes in a text', { scope: 'write read other' }, 'continue'],
    ['all scopes in a list', { scope: ['read', 'write'] }, 'continue'],
    ['one scope', { scope: 'read' }, 403],
    ['no scopes', {}, 403],
    ['a longer scope', { scope: 'read write:all' }, 403],
  ])('requires every scope: %s', async (_name, more, expected) => {
    const bench = new PluginBench(oidc, { ...config, required_scopes: ['read', 'write'] });
    for (let turn = 0; turn < 2; turn += 1) {
      const { result, exchange } = await bench.request(bearing(tokenOf(more)));
      expect(result === 'continue' ? result : exchange.response.status).toBe(expected);
      if (result === 'continue') continue;
      expect(problemOf(exchange)).toMatchObject({ status: 403, code: 'forbidden', request_id: 'r1' });
      expect(exchange.response.headers.get('www-authenticate')).toBe(
        'Bearer realm="api", error="insufficient_scope", scope="read write"',
      );
    }
  });

  it('finds scopes within another claim', async () => {
    const bench = new PluginBench(oidc, { ...config, required_scopes: ['admin'], scope_claim: 'realm_access.roles' });
    const token = tokenOf({ realm_access: { roles: ['admin'] } });
    expect((await bench.request(bearing(token))).result).toBe('continue');
  });

  it('writes claims to headers for the upstream, and never lets the client write them', async () => {
    const upstream_headers = { 'X-User': 'sub', 'X-Mail': 'email', 'X-Roles': 'realm.roles' };
    const bench = new PluginBench(oidc, { ...config, upstream_headers, hide_credentials: true });
    const token = tokenOf({ realm: { roles: ['a', 'b'] } });
    for (let turn = 0; turn < 2; turn += 1) {
      const { exchange } = await bench.request({
        headers: ['Authorization', `Bearer ${token}`, 'x-user', 'root', 'X-Mail', 'root@a.test', 'x-roles', 'root'],
      });
      const { headers } = exchange.request;
      expect(['authorization', 'x-user', 'x-mail', 'x-roles'].map((name) => headers.get(name))).toEqual([
        undefined,
        'u1',
        undefined,
        'a, b',
      ]);
    }
  });

  it('reads the token alone from a header of its own', async () => {
    const bench = new PluginBench(oidc, { ...config, token_header: 'X-Token', token_prefix: '' });
    expect((await bench.request({ headers: ['x-token', tokenOf()] })).result).toBe('continue');
    const { exchange } = await bench.request(bearing(tokenOf()));
    expect(exchange.response.headers.get('www-authenticate')).toBe('Bearer realm="api", header="X-Token"');
  });
});

describe('a token seen again', () => {
  it('is let through at once until the moment in which it ends', async () => {
    const clock = new FakeClock();
    const bench = new PluginBench(oidc, config, { clock });
    const token = tokenOf({ exp: NOW + 60 });
    await bench.request(bearing(token));
    clock.advance((60 + LEEWAY_SECONDS) * 1000 - 1);
    expect((await bench.request(bearing(token))).result).toBe('continue');
    clock.advance(1);
    expect((await bench.request(bearing(token))).result).toBe('respond');
  });

  it('takes no promise, unlike one that is new', async () => {
    const { hooks, exchange } = bareHooks();
    expect(hooks.request?.(exchange, ALONE)).toBeInstanceOf(Promise);
    await hooks.request?.(exchange, ALONE);
    expect(hooks.request?.(exchange, ALONE)).toMatchObject({ consumer: { id: 'u1' } });
  });
});

function bareHooks() {
  const compiled = oidc.plugin.compile(config);
  if (!compiled.ok) throw new Error('the config is good');
  const log = { debug() {}, warn() {}, error() {} };
  const instance = { id: 'i1', name: 'oidc', tenantId: 't1' };
  const ports = {
    random: () => 0,
    newId: () => 'id',
    outbound: noOutbound,
    secrets: noSecrets,
    sharedStore: noSharedStore,
    ...absentPorts,
  };
  const hooks = compiled.setup({ ...ports, clock: new FakeClock(), log, instance });
  return { hooks, exchange: exchangeOf(bearing(tokenOf())) };
}
