import { describe, expect, it } from 'vitest';
import { oauth2 } from '../oauth2/index.ts';
import { oidc } from '../oidc/index.ts';
import { sessionCookieAuth } from '../session_cookie_auth/index.ts';
import { exchangeOf, PluginBench } from '../testing/plugin-bench.ts';
import { makeKey, makeToken } from '../testing/tokens.ts';
import { FACT_NAMES_MAX, identityFacts, leaveFacts, leftFacts } from './identity-facts.ts';

describe('facts of an identity', () => {
  it.each([
    [
      'lists',
      { roles: ['a', 'b'], groups: ['g'], tenant_id: ['t'] },
      { roles: ['a', 'b'], groups: ['g'], tenants: ['t'] },
    ],
    [
      'texts, each one name',
      { roles: 'power user', groups: 'g h', tenant: 'Acme Corp' },
      { roles: ['power user'], groups: ['g h'], tenants: ['Acme Corp'] },
    ],
    ['both names of a tenant', { tenant_id: 't1', tenant: 't2' }, { roles: [], groups: [], tenants: ['t1', 't2'] }],
    ['nothing', {}, { roles: [], groups: [], tenants: [] }],
    [
      'what is no name',
      { roles: [1, null, { name: 'a' }, ['a'], '', 'b'.repeat(257), 'ok'], groups: { g: true }, tenant_id: 7 },
      { roles: ['ok'], groups: [], tenants: [] },
    ],
    [
      'too many names',
      { roles: Array.from({ length: FACT_NAMES_MAX + 5 }, () => 'r') },
      { roles: Array.from({ length: FACT_NAMES_MAX }, () => 'r'), groups: [], tenants: [] },
    ],
    ['no inherited ones', Object.create({ roles: ['admin'] }) as object, { roles: [], groups: [], tenants: [] }],
  ])('are read from %s', (_name, claims, facts) => {
    expect(identityFacts(claims as Record<string, unknown>)).toEqual(facts);
  });

  it('belong to the consumer that was named with them, and to nobody else', () => {
    const facts = identityFacts({ roles: 'admin' });
    const exchange = exchangeOf({});
    leaveFacts(exchange, facts, undefined);
    expect(leftFacts(exchange)).toBe(facts);
    leaveFacts(exchange, facts, { id: 'c1', groups: [] });
    expect(leftFacts(exchange)).toBeUndefined();
  });
});

const claims = { roles: ['editor'], groups: ['staff'], tenant_id: 'acme' };
const facts = { roles: ['editor'], groups: ['staff'], tenants: ['acme'] };

describe('facts are left by', () => {
  it.each([
    ['a consumer', { consumer: 'kim' }],
    ['nobody', {}],
  ])('session_cookie_auth, of %s', async (_name, more) => {
    const bench = new PluginBench(sessionCookieAuth, { valid_sessions: [{ id: 'sid', ...claims, ...more }] });
    const { exchange } = await bench.request({ headers: ['cookie', 'session=sid'] });
    expect(leftFacts(exchange)).toEqual(facts);
    expect(leftFacts((await bench.request({ headers: ['cookie', 'session=no'] })).exchange)).toBeUndefined();
  });

  it('oidc, of a token that is verified, and seen again', async () => {
    const key = makeKey('p256');
    const bench = new PluginBench(oidc, { public_key: key.pem });
    const exp = bench.clock.nowMs() / 1000 + 60;
    const token = makeToken({ alg: 'ES256' }, { sub: 'u1', exp, ...claims }, key.privateKey, 'ES256');
    const ask = async (text: string) =>
      leftFacts((await bench.request({ headers: ['authorization', `Bearer ${text}`] })).exchange);
    expect([await ask(token), await ask(token)]).toEqual([facts, facts]);
    expect(await ask(`${token}x`)).toBeUndefined();
  });

  it('oauth2, of a listed token with claims', async () => {
    const bench = new PluginBench(oauth2, { valid_tokens: ['t1'], token_claims: [{ token: 't1', claims }] });
    const { exchange } = await bench.request({ headers: ['authorization', 'Bearer t1'] });
    expect(leftFacts(exchange)).toEqual(facts);
  });
});
