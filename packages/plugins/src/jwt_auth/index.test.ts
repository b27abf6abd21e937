import { noConsumers, type ConsumerDirectory, type JwtCredential } from '@portcullis/plugin-runtime';
import { FakeClock } from '@portcullis/testkit';
import { SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { LEEWAY_SECONDS } from '../shared/jwt/claim-rules.ts';
import { PluginBench, problemOf, type TestRequest } from '../testing/plugin-bench.ts';
import { makeKey, makeToken } from '../testing/tokens.ts';
import { jwtAuth } from './index.ts';

const NOW = Date.UTC(2026, 0, 1) / 1000;
const SECRET = 'a secret of 32 bytes or of more..';
const keys = { RS: makeKey('rsa'), PS: makeKey('rsa'), ES: makeKey('p256'), Ed: makeKey('ed25519') };
const acme = { id: 'c1', username: 'acme', groups: ['gold'], credentialId: 'k1' };

const shared = (algorithm: string, secret = SECRET): JwtCredential => ({
  match: { consumer: acme },
  algorithm,
  secret,
});
const withKey = (algorithm: string, publicKey: string): JwtCredential => ({
  match: { consumer: acme },
  algorithm,
  publicKey,
});

const credentials = new Map<string, JwtCredential>([
  ...['HS256', 'HS384', 'HS512'].map((name) => [name, shared(name)] as const),
  ...['RS256', 'RS512', 'PS256', 'ES256', 'EdDSA', 'Ed25519'].map(
    (name) => [name, withKey(name, keys[name.slice(0, 2) as keyof typeof keys].pem)] as const,
  ),
  ['short-lived', { ...shared('HS256'), match: { consumer: acme, expiresAtMs: (NOW + 60) * 1000 } }],
  ['pem-as-secret', shared('HS256', keys.RS.pem)],
  ['empty', shared('HS256', '')],
  ['short-rsa', withKey('RS256', makeKey('rsa', 1024).pem)],
  ['wrong-key', withKey('RS256', keys.ES.pem)],
  ['no-key', { match: { consumer: acme }, algorithm: 'RS256' }],
  ['unknown-algorithm', { match: { consumer: acme }, algorithm: 'none', secret: SECRET, publicKey: keys.RS.pem }],
]);
const directory = (known: ReadonlyMap<string, JwtCredential> = credentials): ConsumerDirectory => ({
  ...noConsumers,
  findJwt: (name) => known.get(name),
});
const tokenOf = (more: Readonly<Record<string, unknown>> = {}, secret = SECRET, header = {}) =>
  makeToken({ alg: 'HS256', ...header }, { iss: 'HS256', exp: NOW + 3600, ...more }, secret, 'HS256');
const bearing = (token: string, consumers = directory()): TestRequest => ({
  headers: ['Authorization', `Bearer ${token}`],
  consumers,
});

describe('jwt_auth', () => {
  it.each(['HS256', 'HS384', 'HS512', 'RS256', 'RS512', 'PS256', 'ES256', 'EdDSA', 'Ed25519'].map((name) => [name]))(
    'identifies the consumer of a token that another library signed with %s, without any config',
    async (alg) => {
      const key = keys[alg.slice(0, 2) as keyof typeof keys]?.privateKey ?? Buffer.from(SECRET);
      const token = await new SignJWT({ iss: alg, exp: NOW + 60 }).setProtectedHeader({ alg, typ: 'JWT' }).sign(key);
      const { result, exchange } = await new PluginBench(jwtAuth, {}).request(bearing(token));
      expect([result, exchange.consumer]).toEqual(['continue', acme]);
    },
  );

  it.each<[string, string]>([
    ['no issuer', tokenOf({ iss: undefined })],
    ['an unknown issuer', tokenOf({ iss: 'nobody' })],
    ['an issuer that every object has', tokenOf({ iss: 'constructor' })],
    ['an issuer that is no text', tokenOf({ iss: ['HS256'] })],
    ['an issuer without end', tokenOf({ iss: 'a'.repeat(257) })],
    ['another secret', tokenOf({}, 'another secret of 32 or more bytes')],
    [
      'an algorithm that is not the one of the credential',
      makeToken({ alg: 'HS512' }, { iss: 'HS256', exp: NOW + 60 }, SECRET, 'HS512'),
    ],
    ['a public key as a secret', tokenOf({ iss: 'RS256' }, keys.RS.pem)],
    ['a public key as the secret that the credential has', tokenOf({ iss: 'pem-as-secret' }, keys.RS.pem)],
    ['an empty secret', tokenOf({ iss: 'empty' }, '')],
    [
      'the issuer of another key',
      makeToken({ alg: 'RS256' }, { iss: 'RS256', exp: NOW + 60 }, keys.PS.privateKey, 'RS256'),
    ],
    ['a credential whose key is short', tokenOf({ iss: 'short-rsa' })],
    [
      'a credential whose key is of another kind',
      makeToken({ alg: 'ES256' }, { iss: 'wrong-key', exp: NOW + 60 }, keys.ES.privateKey, 'ES256'),
    ],
    ['a credential without a key', tokenOf({ iss: 'no-key' })],
    ['a credential of no algorithm', tokenOf({ iss: 'unknown-algorithm' }, SECRET, { alg: 'none' })],
    ['no end', tokenOf({ exp: undefined })],
    ['an end in the past', tokenOf({ exp: NOW - 60 })],
    ['a beginning in the future', tokenOf({ nbf: NOW + 60 })],
    ['no form', 'abc'],
  ])('refuses a token with %s', async (_name, token) => {
    const { result, exchange } = await new PluginBench(jwtAuth, {}).request(bearing(token));
    expect([result, exchange.response.status, exchange.consumer]).toEqual(['respond', 401, undefined]);
    expect(exchange.response.headers.get('www-authenticate')).toBe('Bearer realm="api", error="invalid_token"');
    expect(problemOf(exchange)).toMatchObject({
      code: 'unauthenticated',
      detail: 'the token in Authorization is not valid',
    });
  });

  it('says once, and without the key, that a credential cannot be used', async () => {
    const said: unknown[] = [];
    const log = { warn: (...words: unknown[]) => said.push(words), error() {} };
    const bench = new PluginBench(jwtAuth, {}, { log });
    for (let turn = 0; turn < 3; turn += 1)
      await bench.request(bearing(tokenOf({ iss: 'pem-as-secret' }, keys.RS.pem)));
    expect(said).toEqual([
      ['a JWT credential has no key that fits its algorithm', expect.objectContaining({ credential_id: 'k1' })],
    ]);
  });

  it.each<[string, Readonly<Record<string, unknown>>, string, boolean]>([
    ['a claim of another name', { key_claim_name: 'app' }, tokenOf({ iss: 'x', app: 'HS256' }), true],
    ['the header where no claim is', { key_claim_name: 'kid' }, tokenOf({ iss: 'x' }, SECRET, { kid: 'HS256' }), true],
    ['the claim before the header', { key_claim_name: 'kid' }, tokenOf({ kid: 'x' }, SECRET, { kid: 'HS256' }), false],
    ['nbf, which is needed', { claims_to_verify: ['nbf'] }, tokenOf({ nbf: NOW }), true],
    ['nbf, which is missing', { claims_to_verify: ['nbf'] }, tokenOf(), false],
    ['exp, which is always needed', { claims_to_verify: [] }, tokenOf({ exp: undefined }), false],
    ['an end that is near', { maximum_expiration_seconds: 3600 }, tokenOf(), true],
    ['an end that is far', { maximum_expiration_seconds: 3600 }, tokenOf({ exp: NOW + 3601 + LEEWAY_SECONDS }), false],
    ['an audience', { audience: ['a', 'b'] }, tokenOf({ aud: ['b'] }), true],
    ['an audience alone', { audience: 'a' }, tokenOf({ aud: 'a' }), true],
    ['another audience', { audience: ['a', 'b'] }, tokenOf({ aud: 'c' }), false],
  ])('reads %s', async (_name, config, token, isGood) => {
    const { result } = await new PluginBench(jwtAuth, config).request(bearing(token));
    expect(result).toBe(isGood ? 'continue' : 'respond');
  });

  it('requires scopes, writes claims to headers, hides the token', async () => {
    const config = {
      required_scopes: ['a'],
      scope_claim: 'x.scopes',
      upstream_headers: { 'X-Device': 'device' },
      hide_credentials: true,
    };
    const bench = new PluginBench(jwtAuth, config);
    const few = await bench.request(bearing(tokenOf({ scope: 'a' })));
    expect([few.exchange.response.status, few.exchange.consumer]).toEqual([403, undefined]);
    const { headers = [], consumers = noConsumers } = bearing(tokenOf({ x: { scopes: ['a'] } }));
    const { exchange } = await bench.request({ headers: [...headers, 'x-device', 'forged'], consumers });
    expect(['authorization', 'x-device'].map((name) => exchange.request.headers.get(name))).toEqual([
      undefined,
      undefined,
    ]);
    expect(exchange.consumer).toEqual(acme);
  });
});

describe('a token seen again', () => {
  const askOf = (clock = new FakeClock()) => {
    const bench = new PluginBench(jwtAuth, {}, { clock });
    return async (token: string, known: ReadonlyMap<string, JwtCredential>) =>
      (await bench.request(bearing(token, directory(known)))).result;
  };

  it('is refused from the moment in which its credential ends', async () => {
    const clock = new FakeClock();
    const ask = askOf(clock);
    const token = tokenOf({ iss: 'short-lived' });
    expect(await ask(token, credentials)).toBe('continue');
    clock.advance(59_999);
    expect(await ask(token, credentials)).toBe('continue');
    clock.advance(1);
    expect(await ask(token, credentials)).toBe('respond');
  });

  it('is refused as soon as its credential is gone, and checked anew when it is another', async () => {
    const ask = askOf();
    const token = tokenOf();
    expect(await ask(token, credentials)).toBe('continue');
    expect(await ask(token, new Map())).toBe('respond');
    expect(await ask(token, credentials)).toBe('continue');
    expect(await ask(token, new Map([['HS256', shared('HS256', 'a new secret of 32 bytes or more.')]]))).toBe(
      'respond',
    );
    expect(await ask(token, new Map([['HS256', shared('HS512')]]))).toBe('respond');
    expect(await ask(token, new Map([['HS256', shared('HS256')]]))).toBe('continue');
  });

  it('gives the consumer as it is by now', async () => {
    const bench = new PluginBench(jwtAuth, {});
    await bench.request(bearing(tokenOf()));
    const renamed = { ...acme, username: 'acme-2', groups: ['silver'] };
    const now = directory(new Map([['HS256', { ...shared('HS256'), match: { consumer: renamed } }]]));
    expect((await bench.request(bearing(tokenOf(), now))).exchange.consumer).toEqual(renamed);
  });
});

describe('the config of jwt_auth', () => {
  it.each<[string, unknown, string]>([
    ['a field of Kong that is not there', { uri_param_names: ['jwt'] }, '/uri_param_names is no field of this plugin'],
    ['a claim that is no time', { claims_to_verify: ['sub'] }, '/claims_to_verify/0 must be one of exp, nbf, iat'],
    ['no lifetime', { maximum_expiration_seconds: 0 }, '/maximum_expiration_seconds must be at least 1'],
    [
      'a lifetime of more than a year',
      { maximum_expiration_seconds: 31_536_001 },
      '/maximum_expiration_seconds must be at most 31536000',
    ],
    ['part of a second', { maximum_expiration_seconds: 1.5 }, '/maximum_expiration_seconds must be a whole number'],
    ['no name of a claim', { key_claim_name: '' }, '/key_claim_name must have at least 1 characters'],
    ['no audience', { audience: [] }, '/audience must not be empty'],
    ['an audience that is a number', { audience: 1 }, '/audience must be text, or a list of 1 to 100 texts'],
    ['a header that is none', { token_header: 'X Token' }, '/token_header must be a header name'],
  ])('refuses %s', (_name, config, mistake) => {
    const compiled = jwtAuth.plugin.compile(config);
    expect(compiled.ok ? [] : compiled.issues.map(({ pointer, message }) => `${pointer} ${message}`)).toContain(
      mistake,
    );
  });
});
