import type { ConsumerDirectory } from '@portcullis/plugin-runtime';
import { describe, expect, it } from 'vitest';
import { exchangeOf, PluginBench, problemOf } from '../testing/plugin-bench.ts';
import { oauth2 } from './index.ts';

const acme = { id: 'c1', username: 'acme', groups: ['gold'] };

const consumers: ConsumerDirectory = {
  ...exchangeOf({}).consumers,
  findConsumer: (reference) => ({ acme, gone: 'disabled' as const })[reference],
};

const config = {
  valid_tokens: ['plain', { token: 'named', consumer: 'acme' }, { token: 'other', consumer: 'globex' }, 'claimed'],
  token_claims: { claimed: { sub: 'acme', scope: 'read write', roles: ['a', 'b'] } },
  upstream_headers: { 'X-Sub': 'sub', 'X-Roles': 'roles' },
};

function ask(more: object, headers: readonly string[]) {
  return new PluginBench(oauth2, { ...config, ...more }).request({ headers, consumers });
}

describe('oauth2 with configured tokens', () => {
  it.each([
    ['no token', [], 'Bearer realm="api"'],
    ['another scheme', ['Authorization', 'Basic cGxhaW46'], 'Bearer realm="api"'],
    ['an unknown token', ['Authorization', 'Bearer guess'], 'Bearer realm="api", error="invalid_token"'],
    ['a prefix of a token', ['Authorization', 'Bearer plai'], 'Bearer realm="api", error="invalid_token"'],
    ['an empty token', ['Authorization', 'Bearer '], 'Bearer realm="api", error="invalid_token"'],
    [
      'two headers',
      ['Authorization', 'Bearer plain', 'authorization', 'Bearer plain'],
      'Bearer realm="api", error="invalid_token"',
    ],
    [
      'a name that every object has',
      ['Authorization', 'Bearer constructor'],
      'Bearer realm="api", error="invalid_token"',
    ],
  ])('refuses %s with 401 and a challenge that tells nothing of the token', async (_name, headers, challenge) => {
    const { result, exchange } = await ask({}, headers);
    expect([result, exchange.response.status, exchange.consumer]).toEqual(['respond', 401, undefined]);
    expect(exchange.response.headers.get('www-authenticate')).toBe(challenge);
    expect(problemOf(exchange)).toMatchObject({ code: 'unauthenticated', request_id: 'r1' });
    expect(JSON.stringify(problemOf(exchange))).not.toMatch(/guess|plai/);
  });

  it.each([
    ['a plain token identifies nobody', 'plain', undefined],
    ['an entry names a consumer of the tenant', 'named', acme],
    ['an entry names somebody whom the tenant does not have', 'other', { id: 'globex', groups: [] }],
    ['claims name a consumer', 'claimed', acme],
  ])('identifies: %s', async (_name, token, consumer) => {
    const { result, exchange } = await ask({}, ['authorization', `bearer ${token}`]);
    expect([result, exchange.consumer]).toEqual(['continue', consumer]);
    expect(exchange.request.headers.get('authorization')).toBe(`bearer ${token}`);
  });

  it.each([
    ['an entry names', { valid_tokens: [{ token: 't', consumer: 'gone' }], token_claims: {} }],
    ['claims name', { valid_tokens: ['t'], token_claims: { t: { sub: 'gone' } } }],
    ['the second claim names', { valid_tokens: ['t'], token_claims: { t: { sub: 'nobody', client_id: 'gone' } } }],
  ])('refuses the token of a disabled consumer that %s', async (_name, more) => {
    const { exchange } = await ask(more, ['authorization', 'Bearer t']);
    expect([exchange.response.status, exchange.consumer]).toEqual([401, undefined]);
    expect(exchange.response.headers.get('www-authenticate')).toBe('Bearer realm="api", error="invalid_token"');
  });

  it('reads a token alone from another header, and hides it', async () => {
    const place = { token_header: 'X-Token', token_prefix: '', hide_credentials: true };
    const { result, exchange } = await ask(place, ['x-token', 'plain', 'authorization', 'Bearer x']);
    expect([result, exchange.request.headers.has('x-token')]).toEqual(['continue', false]);
    expect(exchange.request.headers.get('authorization')).toBe('Bearer x');
    const refused = await ask(place, ['authorization', 'Bearer plain']);
    expect(refused.exchange.response.headers.get('www-authenticate')).toBe('Bearer realm="api", header="X-Token"');
  });

  it("sends a token's claims instead of the client's headers of those names", async () => {
    const forged = ['x-sub', 'root', 'X-Roles', 'admin', 'x-roles', 'root'];
    const claimed = await ask({}, ['authorization', 'Bearer claimed', ...forged]);
    expect(claimed.exchange.request.headers.getAll('x-sub')).toEqual(['acme']);
    expect(claimed.exchange.request.headers.getAll('x-roles')).toEqual(['a, b']);
    const plain = await ask({}, ['authorization', 'Bearer plain', ...forged]);
    expect([plain.result, plain.exchange.request.headers.has('x-sub')]).toEqual(['continue', false]);
    expect(plain.exchange.request.headers.has('x-roles')).toBe(false);
  });

  it.each([
    ['has every scope', 'claimed', { required_scopes: ['write', 'read'] }, 'continue'],
    ['lacks one', 'claimed', { required_scopes: ['read', 'admin'] }, 'respond'],
    [
      'has the scopes in another claim, as a list',
      'claimed',
      { required_scopes: ['b'], scope_claim: 'roles' },
      'continue',
    ],
    ['has no claims', 'plain', { required_scopes: ['read'] }, 'respond'],
    ['needs none', 'plain', { required_scopes: [] }, 'continue'],
  ])('asks for scopes: a token that %s', async (_name, token, required, expected) => {
    const { result, exchange } = await ask(required, ['authorization', `Bearer ${token}`]);
    expect(result).toBe(expected);
    if (expected === 'continue') return;
    expect(problemOf(exchange)).toMatchObject({ status: 403, code: 'forbidden' });
    const scope = (required.required_scopes ?? []).join(' ');
    expect(exchange.response.headers.get('www-authenticate')).toBe(
      `Bearer realm="api", error="insufficient_scope", scope="${scope}"`,
    );
  });

  it('refuses a token from the millisecond in which it expires', async () => {
    const expires_at = new Date(Date.UTC(2026, 0, 1) + 60_000).toISOString();
    const bench = new PluginBench(oauth2, { valid_tokens: [{ token: 'short', expires_at }] });
    const result = async () => (await bench.request({ headers: ['authorization', 'Bearer short'] })).result;
    bench.clock.advance(59_999);
    expect(await result()).toBe('continue');
    bench.clock.advance(1);
    expect(await result()).toBe('respond');
  });

  it('lets an object count before a text of the same token, and the first of several', async () => {
    const valid_tokens = ['t', { token: 't', consumer: 'acme' }, { token: 't', consumer: 'globex' }];
    const token_claims = [
      { token: 't', claims: { sub: 'first' } },
      { token: 't', claims: { sub: 'second' } },
    ];
    const { exchange } = await ask({ valid_tokens, token_claims }, ['authorization', 'Bearer t']);
    expect([exchange.consumer, exchange.request.headers.get('x-sub')]).toEqual([acme, 'first']);
  });
});
