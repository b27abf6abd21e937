import { describe, expect, it } from 'vitest';
import type { RequestFacts, RouteRule } from './route-rule.ts';
import { exact, prefix, regex, request, rule, tableOf } from './table-samples.test-support.ts';

/**
 * How the Kubernetes Gateway API matches HTTPRoutes, in our words: hosts of listener and route intersect, exact paths before
 * longer before shorter prefixes that end at a segment, then method, then more headers, then more query parameters, then
 * age and name. Source: gateway-api.sigs.k8s.io, HTTPRouteRule and HTTPRouteMatch.
 */
type Case = readonly [name: string, facts: Partial<RequestFacts>, expected: string | undefined];

const one = (name: string, value: string): RouteRule['headers'] => [{ name, values: [value] }];

const tables: readonly (readonly [string, readonly RouteRule[], readonly Case[]])[] = [
  [
    'host names intersect',
    [
      rule('exact', { hosts: ['very.specific.test'] }),
      rule('wildcard', { hosts: ['*.specific.test'] }),
      rule('wider', { hosts: ['*.test'] }),
      rule('several', { hosts: ['first.example', 'second.example'] }),
    ],
    [
      ['the exact name', { host: 'very.specific.test' }, 'exact'],
      ['another name below', { host: 'non.specific.test' }, 'wildcard'],
      ['two labels for a wildcard', { host: 'foo.non.specific.test' }, 'wildcard'],
      ['the parent is no match of its wildcard', { host: 'specific.test' }, 'wider'],
      ['a suffix that ends inside a label', { host: 'unspecific.test' }, 'wider'],
      ['the top alone', { host: 'test' }, undefined],
      ['one of several', { host: 'second.example' }, 'several'],
      ['none of them', { host: 'third.example' }, undefined],
    ],
  ],
  [
    'paths',
    [
      rule('exact', { paths: [exact('/one')] }),
      rule('exact-two', { paths: [exact('/one/two')] }),
      rule('prefix', { paths: [prefix('/one')] }),
      rule('prefix-two', { paths: [prefix('/one/two/')] }),
      rule('pattern', { paths: [regex('/one/[0-9]+$')] }),
      rule('root', { paths: [prefix('/')] }),
    ],
    [
      ['exact before prefix', { path: '/one' }, 'exact'],
      ['a slash at the end is another path', { path: '/one/' }, 'prefix'],
      ['exact before a longer prefix', { path: '/one/two' }, 'exact-two'],
      ['the longer prefix', { path: '/one/two/three' }, 'prefix-two'],
      ['a prefix ends with a segment', { path: '/one/twofold' }, 'prefix'],
      ['no part of a segment', { path: '/onefold' }, 'root'],
      ['case counts', { path: '/ONE' }, 'root'],
      ['an expression before a prefix', { path: '/one/42' }, 'pattern'],
      ['everything else', { path: '/' }, 'root'],
    ],
  ],
  [
    'methods',
    [
      rule('any', { paths: [prefix('/')], createdAtMs: 1 }),
      rule('get', { paths: [prefix('/')], methods: ['GET'], createdAtMs: 2 }),
      rule('post-deep', { paths: [prefix('/deep')], methods: ['POST'] }),
    ],
    [
      ['a method before none', { method: 'GET' }, 'get'],
      ['another one', { method: 'PUT' }, 'any'],
      ['a longer path before a method', { method: 'POST', path: '/deep/x' }, 'post-deep'],
      ['a longer path of another method', { method: 'GET', path: '/deep/x' }, 'get'],
    ],
  ],
  [
    'headers',
    [
      rule('version-one', { headers: one('version', 'one'), createdAtMs: 2 }),
      rule('version-two', { headers: one('version', 'two'), createdAtMs: 2 }),
      rule('two-headers', { headers: [...one('version', 'two'), ...one('color', 'orange')], createdAtMs: 2 }),
      rule('color', { headers: one('color', 'orange'), createdAtMs: 3 }),
      rule('method', { methods: ['DELETE'], createdAtMs: 9 }),
      rule('none', { createdAtMs: 0 }),
    ],
    [
      ['the value', { headers: ['version', 'one'] }, 'version-one'],
      ['names in any case', { headers: ['VERSION', 'two'] }, 'version-two'],
      ['values in theirs', { headers: ['version', 'ONE'] }, 'none'],
      ['more headers first', { headers: ['color', 'orange', 'version', 'two'] }, 'two-headers'],
      ['of equally many the older route', { headers: ['color', 'orange', 'version', 'one'] }, 'version-one'],
      ['a further header does not matter', { headers: ['x', 'y', 'color', 'orange'] }, 'color'],
      ['the method before headers', { method: 'DELETE', headers: ['version', 'one'] }, 'method'],
      ['no header', {}, 'none'],
    ],
  ],
  [
    'query parameters',
    [
      rule('animal', { query: one('animal', 'whale') }),
      rule('two', { query: [...one('animal', 'whale'), ...one('color', 'blue')] }),
      rule('header', { headers: one('version', 'one') }),
      rule('none'),
    ],
    [
      ['the value', { query: 'animal=whale' }, 'animal'],
      ['another value', { query: 'animal=dog' }, 'none'],
      ['more parameters first', { query: 'color=blue&animal=whale' }, 'two'],
      ['a header before parameters', { query: 'color=blue&animal=whale', headers: ['version', 'one'] }, 'header'],
      ['one of two given', { query: 'color=blue' }, 'none'],
      ['names in their case', { query: 'Animal=whale' }, 'none'],
      ['any of those that repeat', { query: 'animal=dog&animal=whale' }, 'animal'],
    ],
  ],
  [
    'ties',
    [
      rule('3', { name: 'b', createdAtMs: 5 }),
      rule('2', { name: 'a', createdAtMs: 5, hosts: [] }),
      rule('1', { name: 'a', createdAtMs: 6 }),
    ],
    [['age, then name', {}, '2']],
  ],
];

describe.each(tables)('%s', (_table, routes, cases) => {
  it.each(cases)('%s', (_name, facts, expected) => {
    for (const order of [routes, routes.toReversed()]) {
      expect(tableOf(order).match(request(facts))?.route.id).toBe(expected);
    }
  });
});
