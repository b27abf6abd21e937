import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectIdentity, expectRefused, spoofed, startProtectedRoutes } from './support/protected-routes.ts';
import type { ProtectedRoutes } from './support/protected-routes.ts';
import { hs256Token, inSeconds } from './support/tokens.ts';

const basic = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

describe('credentials of consumers, through a real control plane and gateway', () => {
  let routes: ProtectedRoutes;
  beforeAll(async () => {
    routes = await startProtectedRoutes();
  });
  afterAll(() => routes[Symbol.asyncDispose]());

  it('api_key_auth lets the key of a consumer through until the credential is switched off', async () => {
    const credential = await routes.consumer('alice', { type: 'api_key', key: 'the-key-of-alice-1' });
    await routes.protect('keys', 'api_key_auth', { valid_keys: [{ key: 'the-key-of-acme', consumer: 'acme' }] });
    const alice = { ...spoofed, 'x-api-key': 'the-key-of-alice-1' };
    expectIdentity(await routes.until(200, '/keys', () => alice), { 'x-consumer-username': 'alice' });
    expectIdentity(await routes.call('/keys', { ...spoofed, 'x-api-key': 'the-key-of-acme' }), {
      'x-consumer-id': 'acme',
    });
    expectRefused(await routes.call('/keys', { ...spoofed, 'x-api-key': 'the-key-of-alice-2' }));
    expectRefused(await routes.call('/keys', spoofed));
    await routes.admin('PATCH', credential, { enabled: false });
    expectRefused(await routes.until(401, '/keys', () => alice));
    await routes.admin('PATCH', credential, { enabled: true });
    expect((await routes.until(200, '/keys', () => alice)).upstream?.headers['x-consumer-username']).toBe('alice');
  });

  it('basic_auth lets user names with their passwords through until the credential is switched off', async () => {
    const credential = await routes.consumer('bob', {
      type: 'basic',
      username: 'bob',
      password: 'the password of bob',
    });
    await routes.protect('basic', 'basic_auth', { allowed_users: [{ username: 'carol', password: 'of carol' }] });
    const bob = { ...spoofed, authorization: basic('bob', 'the password of bob') };
    expectIdentity(await routes.until(200, '/basic', () => bob), { 'x-consumer-username': 'bob' });
    expect((await routes.call('/basic', { authorization: basic('carol', 'of carol') })).status).toBe(200);
    expectRefused(await routes.call('/basic', { ...spoofed, authorization: basic('bob', 'another password') }));
    expectRefused(await routes.call('/basic', { authorization: basic('carol', 'the password of bob') }));
    // What was verified is kept for a while; a credential that is switched off is refused all the same.
    await routes.admin('PATCH', credential, { enabled: false });
    expectRefused(await routes.until(401, '/basic', () => bob));
  });

  it('jwt_auth lets tokens through that a consumer has signed until the credential is switched off', async () => {
    const secret = 'a-shared-secret-of-32-characters-and-more';
    const credential = await routes.consumer('dora', { type: 'jwt', key: 'dora-device', algorithm: 'HS256', secret });
    await routes.protect('jwt', 'jwt_auth', { upstream_headers: { 'X-User': 'device' } });
    const claims = { iss: 'dora-device', exp: inSeconds(3600), device: 'phone-7' };
    const dora = { ...spoofed, 'x-user': 'mallory', authorization: `Bearer ${hs256Token(claims, secret)}` };
    const passed = await routes.until(200, '/jwt', () => dora);
    expectIdentity(passed, { 'x-consumer-username': 'dora', 'x-user': 'phone-7' });
    expect(passed.upstream?.headers.authorization, 'is kept where nobody asks to hide it').toBe(dora.authorization);
    for (const token of [
      hs256Token(claims, 'another secret of 32 characters or so'),
      hs256Token({ ...claims, exp: inSeconds(-3600) }, secret),
      hs256Token({ ...claims, iss: 'nobody' }, secret),
    ]) {
      expectRefused(await routes.call('/jwt', { ...spoofed, authorization: `Bearer ${token}` }));
    }
    await routes.admin('PATCH', credential, { enabled: false });
    expectRefused(await routes.until(401, '/jwt', () => dora));
  });

  it('hmac_auth lets signed requests through until the credential is switched off', async () => {
    const secret = 'the-secret-that-gil-signs-with';
    const credential = await routes.consumer('gil', { type: 'hmac', key_id: 'gil-key', secret });
    await routes.protect('hmac', 'hmac_auth', { hide_credentials: true });
    const gil = signedRequest('/hmac', 'gil-key', secret);
    const passed = await routes.until(200, '/hmac', gil);
    expectIdentity(passed, { 'x-consumer-username': 'gil' });
    expect(passed.upstream?.headers.authorization).toBeUndefined();
    for (const headers of [
      signedRequest('/hmac', 'gil-key', 'another-secret')(),
      signedRequest('/other', 'gil-key', secret)(),
      signedRequest('/hmac', 'nobody', secret)(),
    ]) {
      expectRefused(await routes.call('/hmac', headers));
    }
    await routes.admin('PATCH', credential, { enabled: false });
    expectRefused(await routes.until(401, '/hmac', gil));
  });

  it('a plugin of a consumer group runs for who was found to be in it, and for nobody else', async () => {
    await routes.consumer('erin', { type: 'api_key', key: 'the-key-of-erin-1' });
    await routes.consumer('fay', { type: 'api_key', key: 'the-key-of-fay-12' });
    await routes.admin('POST', '/consumer-groups', { name: 'gold', consumers: ['erin'] });
    await routes.admin('POST', '/plugins', {
      name: 'response_header_setter',
      scope: 'consumer_group',
      consumer_group: 'gold',
      config: { set: { 'X-Plan': 'gold' } },
    });
    await routes.protect('plans', 'api_key_auth', { valid_keys: [] });
    const erin = await routes.until(200, '/plans', () => ({ 'x-api-key': 'the-key-of-erin-1' }));
    expectIdentity(erin, { 'x-consumer-username': 'erin', 'x-consumer-groups': 'gold' });
    expect(erin.header('x-plan')).toBe('gold');
    const fay = await routes.call('/plans', { 'x-api-key': 'the-key-of-fay-12', 'x-consumer-groups': 'gold' });
    expect([fay.status, fay.header('x-plan'), fay.upstream?.headers['x-consumer-groups']]).toEqual([
      200,
      undefined,
      undefined,
    ]);
  });
});

/** Headers of a request signed now, each time anew, as clients of Kong's plugin sign it. */
function signedRequest(path: string, username: string, secret: string): () => Record<string, string> {
  return () => {
    const date = new Date().toUTCString();
    const text = `date: ${date}\nGET ${path} HTTP/1.1`;
    const signature = createHmac('sha256', secret).update(text).digest('base64');
    const authorization = `hmac username="${username}", algorithm="hmac-sha256", headers="date request-line", signature="${signature}"`;
    return { ...spoofed, date, authorization };
  };
}
