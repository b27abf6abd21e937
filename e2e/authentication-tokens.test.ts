import { generateKeyPairSync } from 'node:crypto';
import { startUpstream } from '@portcullis/testkit';
import type { Upstream } from '@portcullis/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectIdentity, expectRefused, spoofed as usual, startProtectedRoutes } from './support/protected-routes.ts';
import type { ProtectedRoutes } from './support/protected-routes.ts';
import { es256Token, inSeconds } from './support/tokens.ts';

/** The plugins here say who the user is in `x-user`. */
const spoofed = { ...usual, 'x-user': 'mallory' };

describe('tokens and sessions of others, through a real control plane and gateway', () => {
  let routes: ProtectedRoutes;
  beforeAll(async () => {
    routes = await startProtectedRoutes();
    await routes.consumer('kim');
  });
  afterAll(() => routes[Symbol.asyncDispose]());

  it('oidc takes the keys from the address of a JWK set, and knows a new key as soon as a token comes with it', async () => {
    const [first, second] = [keyPair('first'), keyPair('second')];
    const published = [first.jwk];
    await using issuer = await startUpstream((_req, res) => {
      res.setHeader('content-type', 'application/json');
      res.end(JSON.stringify({ keys: published }));
    });
    await routes.protect('oidc', 'oidc', {
      issuer: 'https://login.example/',
      audience: 'orders',
      algorithms: ['ES256'],
      public_key: `${issuer.url}/jwks.json`,
      upstream_headers: { 'X-User': 'email' },
      hide_credentials: true,
    });
    const claims = {
      ...{ iss: 'https://login.example/', aud: 'orders', sub: 'kim' },
      ...{ email: 'kim@example.test', exp: inSeconds(3600) },
    };
    const bearer = (token: string) => ({ ...spoofed, authorization: `Bearer ${token}` });
    const good = bearer(es256Token(claims, first.privateKey, 'first'));
    const passed = await routes.until(200, '/oidc', () => good);
    expectIdentity(passed, { 'x-consumer-username': 'kim', 'x-user': 'kim@example.test' });
    expect(passed.upstream?.headers.authorization).toBeUndefined();
    for (const token of [
      es256Token(claims, second.privateKey, 'first'),
      es256Token({ ...claims, aud: 'invoices' }, first.privateKey, 'first'),
      es256Token({ ...claims, iss: 'https://evil.example/' }, first.privateKey, 'first'),
      es256Token({ ...claims, exp: inSeconds(-3600) }, first.privateKey, 'first'),
      'no.token.atall',
    ]) {
      expectRefused(await routes.call('/oidc', bearer(token)));
    }
    expect(issuer.requests).toHaveLength(1);
  });

  it('oauth2 asks the issuer what a token is, once, and takes its word', async () => {
    await using issuer = await introspection();
    await routes.protect('oauth2', 'oauth2', {
      introspection_url: `${issuer.url}/introspect`,
      client_id: 'gateway',
      client_secret: 'the secret of the gateway',
      required_scopes: ['orders:read'],
      upstream_headers: { 'X-User': 'username' },
    });
    const kim = { ...spoofed, authorization: 'Bearer token-of-kim' };
    const passed = await routes.until(200, '/oauth2', () => kim);
    expectIdentity(passed, { 'x-consumer-username': 'kim', 'x-user': 'kim' });
    expect(issuer.requests[0]?.headers.authorization).toMatch(/^Basic /);
    const asked = issuer.requests.length;
    expectIdentity(await routes.call('/oauth2', kim), { 'x-user': 'kim' });
    expect(issuer.requests).toHaveLength(asked);
    expectRefused(await routes.call('/oauth2', { ...spoofed, authorization: 'Bearer token-of-nobody' }));
    const lesser = await routes.call('/oauth2', { authorization: 'Bearer token-without-scope' });
    expect([lesser.status, JSON.parse(lesser.body).code]).toEqual([403, 'forbidden']);
  });

  it('session_cookie_auth knows sessions by their cookie, and takes the cookie away', async () => {
    await routes.protect('session', 'session_cookie_auth', {
      valid_sessions: [{ id: '7f3c9a52e1b84d06', consumer: 'kim', mail: 'kim@example.test' }],
      upstream_headers: { 'X-User': 'mail' },
      hide_credentials: true,
    });
    const kim = { ...spoofed, cookie: 'theme=dark; session=7f3c9a52e1b84d06' };
    const passed = await routes.until(200, '/session', () => kim);
    expectIdentity(passed, { 'x-consumer-username': 'kim', 'x-user': 'kim@example.test', cookie: 'theme=dark' });
    expectRefused(await routes.call('/session', { ...spoofed, cookie: 'session=7f3c9a52e1b84d07' }));
    expectRefused(await routes.call('/session', spoofed));
    expect(JSON.stringify(await routes.admin('GET', '/plugins'))).not.toContain('7f3c9a52e1b84d06');
  });
});

function keyPair(kid: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { privateKey, jwk: { ...publicKey.export({ format: 'jwk' }), kid, alg: 'ES256', use: 'sig' } };
}

/** An issuer that answers what RFC 7662 asks for. */
function introspection(): Promise<Upstream> {
  const known: Readonly<Record<string, object>> = {
    'token-of-kim': { active: true, sub: 'kim', username: 'kim', scope: 'orders:read', exp: inSeconds(3600) },
    'token-without-scope': { active: true, sub: 'kim', username: 'kim', scope: 'profile', exp: inSeconds(3600) },
  };
  return startUpstream((_req, res, request) => {
    const token = new URLSearchParams(request.body.toString()).get('token') ?? '';
    res.setHeader('content-type', 'application/json');
    res.end(JSON.stringify(known[token] ?? { active: false }));
  });
}
