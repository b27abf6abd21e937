import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { exchangeOf } from '../../testing/plugin-bench.ts';
import { readToken, tokenPrefixField, TOKEN_LENGTH_MAX } from './presented-token.ts';
import { hasEvery, requiredScopesField, scopesOf } from './scopes.ts';
import { tokenRefusals } from './token-refusals.ts';

const bearer = { header: 'Authorization', prefix: 'Bearer' };
const bare = { header: 'X-Token', prefix: '' };
const longest = 'a'.repeat(TOKEN_LENGTH_MAX);

describe('readToken', () => {
  it.each([
    ['a token', bearer, ['Authorization', 'Bearer abc'], { token: 'abc' }],
    ['a scheme in another case', bearer, ['authorization', 'bEARER abc'], { token: 'abc' }],
    ['a token behind several spaces', bearer, ['Authorization', 'Bearer   abc'], { token: 'abc' }],
    ['a token alone', bare, ['x-token', 'abc'], { token: 'abc' }],
    ['the longest token', bare, ['x-token', longest], { token: longest }],
    ['no header', bearer, [], { problem: 'no_token' }],
    ['an empty header', bearer, ['Authorization', ''], { problem: 'no_token' }],
    ['another scheme', bearer, ['Authorization', 'Basic YTpi'], { problem: 'other_scheme' }],
    ['a scheme that begins the same', bearer, ['Authorization', 'Bearerabc'], { problem: 'other_scheme' }],
    ['a token of another header', bearer, ['X-Token', 'Bearer abc'], { problem: 'no_token' }],
    ['the scheme alone', bearer, ['Authorization', 'Bearer'], { problem: 'malformed_header' }],
    ['the scheme and a space', bearer, ['Authorization', 'Bearer '], { problem: 'malformed_header' }],
    ['two tokens', bearer, ['Authorization', 'Bearer a b'], { problem: 'malformed_header' }],
    [
      'two headers',
      bearer,
      ['Authorization', 'Bearer abc', 'authorization', 'Bearer abc'],
      { problem: 'several_tokens' },
    ],
    ['two headers of a token alone', bare, ['x-token', 'abc', 'X-Token', 'abc'], { problem: 'several_tokens' }],
    ['characters that no token has', bare, ['x-token', 'ab\u00e9'], { problem: 'malformed_header' }],
    ['a longer token', bare, ['x-token', `${longest}a`], { problem: 'token_too_long' }],
  ])('tells %s', (_name, place, headers, expected) => {
    expect(readToken(exchangeOf({ headers }).request.headers, place)).toEqual(expected);
  });
});

describe('the field token_prefix', () => {
  it('takes a scheme, with a space behind it too, or nothing', () => {
    const field = tokenPrefixField('The scheme');
    expect(['Bearer', 'Bearer ', '', 'DPoP'].map((given) => v.parse(field, given))).toEqual([
      'Bearer',
      'Bearer',
      '',
      'DPoP',
    ]);
    expect(['a b', 'Bearer"', 'é', 'a'.repeat(65), 1].map((given) => v.is(field, given))).toEqual(Array(5).fill(false));
  });
});

describe('scopes', () => {
  it.each<[string, unknown, readonly string[]]>([
    ['text', 'read write', ['read', 'write']],
    ['text with spaces too many', ' read  write ', ['read', 'write']],
    ['a list', ['read', 'write all'], ['read', 'write all']],
    ['a list with other things', ['read', 1, null], ['read']],
    ['nothing', undefined, []],
    ['an object', { read: true }, []],
  ])('are read from %s', (_name, claim, scopes) => {
    expect(scopesOf(claim)).toEqual(scopes);
  });

  it('have to be there all', () => {
    expect([[], ['a'], ['b', 'a'], ['A', 'b']].map((given) => hasEvery(given, ['a', 'b']))).toEqual([
      false,
      false,
      true,
      false,
    ]);
    expect(hasEvery([], [])).toBe(true);
  });

  it('are required by names that a challenge can hold', () => {
    const isTaken = (given: unknown) => v.is(requiredScopesField(), given);
    expect([[], ['read'], ['https://a.test/read:all']].map(isTaken)).toEqual([true, true, true]);
    const bad = ['read', ['a b'], ['a"'], ['a\\'], [''], ['a'.repeat(257)], [1], Array<string>(101).fill('a')];
    expect(bad.map(isTaken)).toEqual(bad.map(() => false));
  });
});

describe('tokenRefusals', () => {
  const log = { debug() {}, warn() {}, error() {} };
  const said = (kind: 'missing' | 'invalid' | 'insufficient', place = bearer, scopes: readonly string[] = []) => {
    const { status, headers = [], body } = tokenRefusals(log, place, scopes)[kind](exchangeOf({}), 'reason');
    return {
      status,
      challenge: headers[headers.indexOf('www-authenticate') + 1],
      body: JSON.parse(String(body)) as unknown,
    };
  };

  it('say with 401 how to present a token, and an error only where one was presented', () => {
    expect(said('missing')).toMatchObject({ status: 401, challenge: 'Bearer realm="api"' });
    expect(said('invalid')).toMatchObject({ status: 401, challenge: 'Bearer realm="api", error="invalid_token"' });
    expect(said('missing', bare)).toMatchObject({ challenge: 'Bearer realm="api", header="X-Token"' });
  });

  it('ask for a token where none was presented, and call one that cannot be read invalid', () => {
    const refusals = tokenRefusals(log, bearer);
    const exchange = exchangeOf({});
    for (const word of ['no_token', 'other_scheme'] as const) {
      expect(refusals.unread(exchange, word)).toEqual(refusals.missing(exchange, word));
    }
    for (const word of ['several_tokens', 'token_too_long', 'malformed_header'] as const) {
      expect(refusals.unread(exchange, word)).toEqual(refusals.invalid(exchange, word));
    }
  });

  it('say with 403 which scopes are required', () => {
    expect(said('insufficient', bearer, ['read', 'write'])).toMatchObject({
      status: 403,
      challenge: 'Bearer realm="api", error="insufficient_scope", scope="read write"',
      body: { code: 'forbidden', request_id: 'r1' },
    });
    expect(said('insufficient')).toMatchObject({ challenge: 'Bearer realm="api", error="insufficient_scope"' });
  });
});
