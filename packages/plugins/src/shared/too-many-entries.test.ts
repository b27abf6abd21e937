import { describe, expect, it } from 'vitest';
import { builtInPlugins } from '../index.ts';

/** More entries than any list or map of a plugin may have, and each of them wrong. */
const count = 300_000;
const wrongList = Array.from({ length: count }, () => 1);
const emptySessions = Object.fromEntries(wrongList.map((_wrong, index) => [`session-${index}`, {}]));
const wrongMap = Object.fromEntries(wrongList.map((wrong, index) => [`name-${index}`, wrong]));

function issuesOf(name: string, config: unknown) {
  const compiled = builtInPlugins.find((plugin) => plugin.name === name)?.compile(config);
  return compiled?.ok === false ? compiled.issues : compiled;
}

describe('lists and maps that are too long', () => {
  it.each([
    ['api_key_auth', { valid_keys: wrongList }, '/valid_keys'],
    ['basic_auth', { allowed_users: wrongList }, '/allowed_users'],
    ['session_cookie_auth', { valid_sessions: wrongList }, '/valid_sessions'],
    ['session_cookie_auth', { valid_sessions: emptySessions }, '/valid_sessions'],
    ['oauth2', { valid_tokens: wrongList }, '/valid_tokens'],
    ['oidc', { public_key: 'x', upstream_headers: wrongMap }, '/upstream_headers'],
    ['response_header_setter', { set: wrongMap }, '/set'],
    ['response_header_setter', { set: wrongList }, '/set'],
  ])('of %s are one mistake, whatever stands in them', (name, config, pointer) => {
    expect(issuesOf(name, config)).toEqual([
      { pointer, code: 'max_length', message: expect.stringMatching(/^must have at most \d/) as string },
    ]);
  });

  it('does not hide the mistakes of lists that are not too long', () => {
    expect(issuesOf('api_key_auth', { valid_keys: [1, 'good-key', 2] })).toMatchObject([
      { pointer: '/valid_keys/0' },
      { pointer: '/valid_keys/2' },
    ]);
  });
});
