import { createSecretKey } from 'node:crypto';
import { noConsumers } from '@portcullis/plugin-runtime';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jwtAuth } from '../../jwt_auth/index.ts';
import { oidc } from '../../oidc/index.ts';
import { anyText } from '../../testing/any-text.ts';
import { PluginBench } from '../../testing/plugin-bench.ts';
import { makeKey, makeToken } from '../../testing/tokens.ts';
import { isSignedInTurn } from './signed-in-turn.ts';
import { parseUniqueJson } from './unique-json.ts';
import { SignatureChecks } from './verify-signature.ts';

/*
 * Whatever a token says, the plugins answer: a failure of their own would open the circuit, and lock out everybody.
 */

const { privateKey, publicKey, pem } = makeKey('ed25519');
const credential = { match: { consumer: { id: 'c1', groups: [] } }, algorithm: 'EdDSA', publicKey: pem };
const consumers = { ...noConsumers, findJwt: () => credential };
const upstream_headers = { 'X-A': 'a', 'X-B': 'a.b', 'X-Sub': 'sub' };
const benches = [
  new PluginBench(oidc, { public_key: pem, upstream_headers, required_scopes: ['a'], scope_claim: 'a.scope' }),
  new PluginBench(jwtAuth, { upstream_headers, key_claim_name: 'a', claims_to_verify: ['iat'] }),
];
const resultsOf = async (token: string) =>
  await Promise.all(
    benches.map(async (bench) => {
      const { result, exchange } = await bench.request({ headers: ['authorization', `Bearer ${token}`], consumers });
      return result === 'respond' ? exchange.response.status : result;
    }),
  );
const expected = [401, 403, 'continue'];

/** Names that mean something to somebody, with any value. */
const names = fc.constantFrom('alg', 'kid', 'typ', 'exp', 'nbf', 'iat', 'iss', 'aud', 'sub', 'a', 'scope', '__proto__');
const objects = fc.dictionary(fc.oneof(names, fc.string()), fc.jsonValue({ maxDepth: 3 }));

describe('hostile tokens', () => {
  it('with a good signature are answered, whatever their header and claims say', async () => {
    await fc.assert(
      fc.asyncProperty(objects, objects, fc.boolean(), async (header, claims, isLive) => {
        const live = isLive ? { exp: 4_000_000_000, iat: 1, a: 'x' } : {};
        const token = makeToken({ alg: 'EdDSA', ...header }, { ...live, ...claims }, privateKey, 'EdDSA');
        for (const result of await resultsOf(token)) expect(expected).toContain(result);
      }),
      { numRuns: 100 },
    );
  });

  it('of any text are answered', async () => {
    const parts = fc.oneof(fc.string(), fc.base64String(), anyText({}));
    await fc.assert(
      fc.asyncProperty(fc.array(parts, { maxLength: 5 }), async (texts) => {
        for (const result of await resultsOf(texts.join('.'))) expect(result).toBe(401);
      }),
      { numRuns: 100 },
    );
  });
});

describe('the two ways of checking signatures', () => {
  const algorithms = [
    'HS256',
    'HS384',
    'HS512',
    'RS256',
    'RS384',
    'RS512',
    'PS256',
    'PS384',
    'PS512',
    'ES256',
    'ES384',
    'ES512',
    'EdDSA',
    'Ed25519',
  ];
  const pairs = { RS: makeKey('rsa'), ES256: makeKey('p256'), ES384: makeKey('p384'), ES512: makeKey('p521') };

  it('are of one mind about good and altered tokens of every algorithm', async () => {
    const secret = createSecretKey('short', 'utf8');
    const checks = new SignatureChecks();
    for (const algorithm of algorithms) {
      const family = /^[RP]S/.test(algorithm) ? 'RS' : algorithm;
      const pair = pairs[family as keyof typeof pairs] ?? { privateKey, publicKey };
      const isShared = algorithm.startsWith('HS');
      const key = isShared ? secret : pair.publicKey;
      const good = makeToken({ alg: algorithm }, {}, isShared ? 'short' : pair.privateKey, algorithm);
      const [head, body, signature = ''] = good.split('.');
      const bytes = Buffer.from(signature, 'base64url');
      const others = [
        Buffer.alloc(bytes.length),
        bytes.subarray(1),
        Buffer.concat([bytes, Buffer.of(0)]),
        bytes.toReversed(),
      ];
      for (const text of [
        good,
        ...others.map((other) => `${head}.${body}.${Buffer.from(other).toString('base64url')}`),
      ]) {
        const token = { text, algorithm, kid: undefined, header: {}, claims: {} };
        const inThreads = (await checks.signingKey(token, [{ key, algorithms: [algorithm] }])) !== undefined;
        expect([algorithm, isSignedInTurn(text, key, algorithm), inThreads]).toEqual([
          algorithm,
          text === good,
          text === good,
        ]);
      }
    }
  });

  it('know nothing of keys of another kind, nor of algorithms without a key', () => {
    const text = makeToken({}, {}, 'secret', 'HS256');
    expect(['HS256', 'RS256', 'ES256', 'none', ''].map((name) => isSignedInTurn(text, publicKey, name))).toEqual(
      Array.from({ length: 5 }, () => false),
    );
  });
});

describe('parseUniqueJson', () => {
  it('takes what JSON.stringify writes of an object, and gives it back', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 8 })), (value) => {
        const json = JSON.stringify(value);
        expect(parseUniqueJson(Buffer.from(json))).toEqual(JSON.parse(json));
      }),
    );
  });

  it('takes no object in which a name of it stands once more', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }), (value) => {
        const [name = ''] = Object.keys(value);
        const doubled = `${JSON.stringify(value).slice(0, -1)},${JSON.stringify(name)}:0}`;
        expect(parseUniqueJson(Buffer.from(doubled))).toBeUndefined();
      }),
    );
  });
});
