import { describe, expect, it } from 'vitest';
import { canonicalConfig, secretPathsOf } from '../index.ts';
import { oauth2 } from './index.ts';

function mistakesIn(config: unknown): readonly string[] {
  const compiled = oauth2.plugin.compile(config);
  return compiled.ok ? [] : compiled.issues.map(({ pointer, message }) => `${pointer} ${message}`);
}

const url = 'https://a.test/introspect';
const notUrl = '/introspection_url must be an http or https address without user, password and fragment';
const tokens = Array.from({ length: 10_001 }, (_, index) => `t${index}`);
const claims = Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`c${index}`, index]));

describe('configs of oauth2', () => {
  it.each<[string, unknown, string]>([
    ['no way to know a token', { client_id: 'g' }, ' needs at least one of introspection_url, valid_tokens'],
    ['an address that is none', { introspection_url: 'a.test' }, notUrl],
    ['another protocol', { introspection_url: 'ftp://a.test' }, notUrl],
    ['a user in the address', { introspection_url: 'https://u:p@a.test' }, notUrl],
    ['a fragment in the address', { introspection_url: `${url}#a` }, notUrl],
    [
      'a long address',
      { introspection_url: `${url}${'a'.repeat(2048)}` },
      '/introspection_url must have at most 2048 characters',
    ],
    ['a secret of nobody', { introspection_url: url, client_secret: 's' }, '/client_secret needs client_id'],
    ['no time', { introspection_url: url, timeout_seconds: 0 }, '/timeout_seconds must be at least 0.1'],
    ['too much time', { introspection_url: url, timeout_seconds: 31 }, '/timeout_seconds must be at most 30'],
    ['tokens that are no list', { valid_tokens: 't' }, '/valid_tokens must be a list'],
    ['too many tokens', { valid_tokens: tokens }, '/valid_tokens must have at most 10000 entries'],
    [
      'a token of another kind',
      { valid_tokens: [1] },
      '/valid_tokens/0 must be a token, or an object with token, consumer and expires_at',
    ],
    [
      'a token with a space',
      { valid_tokens: ['a b'] },
      '/valid_tokens/0 must be printable ASCII without spaces, as tokens are',
    ],
    [
      'claims of a token that is not there',
      { valid_tokens: ['t'], token_claims: { u: {} } },
      '/token_claims has claims of a token that is not in valid_tokens',
    ],
    [
      'claims that are none',
      { valid_tokens: ['t'], token_claims: { t: 'read' } },
      '/token_claims/0/claims must be an object',
    ],
    [
      'claims in a list',
      { valid_tokens: ['t'], token_claims: [{ token: 't', claims: [] }] },
      '/token_claims/0/claims must be an object, not a list',
    ],
    [
      'too many claims',
      { valid_tokens: ['t'], token_claims: { t: claims } },
      '/token_claims/0/claims must have at most 50 claims',
    ],
    [
      'claims that are neither list nor map',
      { valid_tokens: ['t'], token_claims: 't' },
      '/token_claims must be a list of objects with token and claims, or a map from token to claims',
    ],
    [
      'a scope with a space',
      { valid_tokens: [], required_scopes: ['a b'] },
      '/required_scopes/0 must be one scope: printable ASCII without space, quote and backslash',
    ],
    ['no claim of scopes', { valid_tokens: [], scope_claim: '' }, '/scope_claim must have at least 1 characters'],
    ['a header that is none', { valid_tokens: [], token_header: 'a b' }, '/token_header must be a header name'],
    [
      'a scheme that is none',
      { valid_tokens: [], token_prefix: 'a b' },
      '/token_prefix must be an authentication scheme like Bearer, or empty',
    ],
    ['a flag that is none', { valid_tokens: [], hide_credentials: 1 }, '/hide_credentials must be true or false'],
    [
      'a header of the gateway',
      { valid_tokens: [], upstream_headers: { Host: 'sub' } },
      '/upstream_headers/Host names a header that the gateway itself sets',
    ],
    ['an unknown field', { valid_tokens: [], audience: 'a' }, '/audience is no field of this plugin'],
  ])('are refused with %s, and no token is told', (_name, config, mistake) => {
    expect(mistakesIn(config)).toContain(mistake);
  });

  it('are kept with the claims of tokens in a list; tokens and the secret are secrets', () => {
    const config = {
      client_secret: 's',
      valid_tokens: ['t', { token: 'u', consumer: 'acme' }],
      token_claims: { t: { scope: 'read' } },
    };
    const kept = canonicalConfig('oauth2', config);
    expect(kept).toEqual({ ...config, token_claims: [{ token: 't', claims: { scope: 'read' } }] });
    expect(secretPathsOf('oauth2', kept).toSorted()).toEqual([
      '/client_secret',
      '/token_claims/0/token',
      '/valid_tokens/0',
      '/valid_tokens/1/token',
    ]);
  });
});
