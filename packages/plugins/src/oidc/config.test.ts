import { describe, expect, it } from 'vitest';
import { makeKey } from '../testing/tokens.ts';
import { oidc } from './index.ts';

const rsa = makeKey('rsa');
const ec = makeKey('p256');
const mistakesOf = (config: unknown) => {
  const compiled = oidc.plugin.compile(config);
  return compiled.ok ? [] : compiled.issues.map(({ pointer, message }) => `${pointer} ${message}`);
};

describe('the config of oidc', () => {
  it.each<[string, unknown]>([
    ['PEM', { public_key: rsa.pem }],
    ['PEM with an algorithm that fits', { public_key: rsa.pem, algorithms: ['PS256', 'RS256'] }],
    ['a JWK', { public_key: JSON.stringify(ec.jwk) }],
    [
      'a set in which each algorithm has a key',
      { public_key: JSON.stringify({ keys: [rsa.jwk, ec.jwk] }), algorithms: ['RS256', 'ES256'] },
    ],
    ['an address', { public_key: 'https://issuer.test/jwks.json', algorithms: ['RS256'] }],
    ['an address without TLS, which the gateway judges', { public_key: 'http://issuer.test:8080/jwks?x=1' }],
    ['a list of audiences', { public_key: rsa.pem, audience: ['a', 'b'] }],
    ['a token alone in its header', { public_key: rsa.pem, token_header: 'X-Token', token_prefix: '' }],
  ])('takes %s', (_name, config) => {
    expect(mistakesOf(config)).toEqual([]);
  });

  it.each<[string, unknown, string]>([
    ['nothing', {}, '/public_key is required'],
    ['an empty key', { public_key: '' }, '/public_key must have at least 1 characters'],
    [
      'a key that is none',
      { public_key: 'abc' },
      '/public_key must be PEM, a JWK, a JWK set, or the address of a JWK set',
    ],
    ['a key of its own kind', { public_key: { kty: 'RSA' } }, '/public_key must be text'],
    [
      'a secret',
      { public_key: '{"kty":"oct","k":"c2VjcmV0"}' },
      '/public_key holds a private or shared key: give public keys only',
    ],
    [
      'an address of files',
      { public_key: 'file:///etc/jwks.json' },
      '/public_key must be PEM, a JWK, a JWK set, or the address of a JWK set',
    ],
    [
      'an address with a password',
      { public_key: 'https://u:p@issuer.test/' },
      '/public_key must be an address without user, password and fragment',
    ],
    [
      'an address with a fragment',
      { public_key: 'https://issuer.test/#k' },
      '/public_key must be an address without user, password and fragment',
    ],
    ['an address that is none', { public_key: 'https://' }, '/public_key must be an address that can be read'],
    [
      'an algorithm of another key',
      { public_key: ec.pem, algorithms: ['ES256', 'RS256'] },
      '/algorithms RS256 does not fit any key of public_key',
    ],
    ['no algorithm', { public_key: rsa.pem, algorithms: [] }, '/algorithms must not be empty'],
    ...['none', 'HS256', 'HS384', 'HS512', 'rs256', 'dir'].map((name): [string, unknown, string] => [
      `the algorithm ${name}`,
      { public_key: rsa.pem, algorithms: [name] },
      '/algorithms/0 must be one of RS256, RS384, RS512, PS256, PS384, PS512, ES256, ES384, ES512, EdDSA, Ed25519',
    ]),
    ['no audience in a list', { public_key: rsa.pem, audience: [] }, '/audience must not be empty'],
    ['an empty audience', { public_key: rsa.pem, audience: '' }, '/audience must have at least 1 characters'],
    [
      'an audience that is a number',
      { public_key: rsa.pem, audience: 1 },
      '/audience must be text, or a list of 1 to 100 texts',
    ],
    ['an empty issuer', { public_key: rsa.pem, issuer: '' }, '/issuer must have at least 1 characters'],
    [
      'a scope with a space',
      { public_key: rsa.pem, required_scopes: ['a b'] },
      '/required_scopes/0 must be one scope: printable ASCII without space, quote and backslash',
    ],
    [
      'a prefix with a quote',
      { public_key: rsa.pem, token_prefix: '"' },
      '/token_prefix must be an authentication scheme like Bearer, or empty',
    ],
    [
      'an identity header',
      { public_key: rsa.pem, upstream_headers: { 'X-Consumer-ID': 'sub' } },
      '/upstream_headers/X-Consumer-ID names a header in which the gateway itself says who the consumer is',
    ],
    [
      'a flag that is text',
      { public_key: rsa.pem, hide_credentials: 'yes' },
      '/hide_credentials must be true or false',
    ],
  ])('refuses %s', (_name, config, mistake) => {
    expect(mistakesOf(config)).toContain(mistake);
  });

  it('says nothing of the value that is wrong', () => {
    const said = mistakesOf({ public_key: ec.privateKey.export({ type: 'pkcs8', format: 'pem' }) });
    expect(said).toEqual(['/public_key holds a private key: give the public one only']);
  });
});
