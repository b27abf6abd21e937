import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { familyNamed, readRoutePath, writeSchema } from './index.ts';

const { rules = [] } = familyNamed('routes');

/** What the API would answer with 422: pointer and code of each broken rule. */
function violations(route: Record<string, unknown>): readonly (readonly [string, string])[] {
  const record = v.parse(writeSchema(familyNamed('routes')), { name: 'r', ...route });
  return rules.flatMap((rule) => rule(record)).map(({ pointer, code }) => [pointer, code]);
}

describe('paths of routes', () => {
  it.each([
    ['/café', '/caf%C3%A9'],
    ['/a/../b', '/b'],
    ['/%7euser%2f', '/~user%2F'],
    ['//a/', '/a/'],
  ])('%s is read as %s', (path, value) => {
    expect(readRoutePath(path, 'prefix')).toEqual({ ok: true, type: 'prefix', value });
  });

  it.each(['/a/%00', '/%zz', '/%', '/a\\b', '/%5c', '/a/..;/b', '/a/%2e%2e;x', '/\u0001'])(
    '%j is refused, whichever field has it',
    (path) => {
      expect(violations({ path })).toEqual([['/path', 'invalid_path']]);
      expect(violations({ path, path_type: 'exact' })).toEqual([['/path', 'invalid_path']]);
      expect(violations({ paths: ['/good', path] })).toEqual([['/paths/1', 'invalid_path']]);
    },
  );
});

describe('regular expressions of routes', () => {
  it.each([
    '/v\\d+',
    '/repos/(?<owner>[^/]+)$',
    '^/a\\.json$',
    '/a|/b',
    '(?i)/abc',
    '/caf%C3%A9',
    '/a%2Fb',
    '/[^é]+',
    '/[%2f]x',
    '/(x+x+)+y',
    `/${'a'.repeat(999)}`,
  ])('%s is taken as it is', (value) => {
    expect(readRoutePath(`~${value}`, 'prefix')).toEqual({ ok: true, type: 'regex', value });
    expect(violations({ path: `~${value}` })).toEqual([]);
  });

  it.each([
    ['(a)\\1', /RE2/],
    ['/a(?=b)', /RE2/],
    ['/(', /RE2/],
    ['/[a', /RE2/],
    ['/a{2000}', /repeats/],
    [`/${'a'.repeat(1000)}`, /1000 characters/],
    ['/a%2fb', /%2F/],
    ['/%41', /normalised form, A$/],
    ['/%2E%2e', /normalised form/],
    ['/a%00', /no path may have/],
    ['/[a]café', /escapes/],
  ])('%s is refused, and the message names the rule', (expression, rule) => {
    expect(readRoutePath(expression, 'regex')).toMatchObject({ ok: false, message: expect.stringMatching(rule) });
    expect(violations({ path: `~${expression}` })).toEqual([['/path', 'invalid_path']]);
    expect(violations({ paths: ['/good', `~${expression}`] })).toEqual([['/paths/1', 'invalid_path']]);
  });

  it('are recognised by path_type too', () => {
    expect(violations({ path: '/(a)\\1', path_type: 'regex' })).toEqual([['/path', 'invalid_path']]);
  });
});
