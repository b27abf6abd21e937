import fc from 'fast-check';
import { RE2JS } from 're2js';
import { describe, expect, it } from 'vitest';
import { matchLinearly } from './linear-oracle.test-support.ts';
import {
  anyExpression,
  anyPath,
  anyRequest,
  anyRules,
  exact,
  prefix,
  regex,
  request,
  rule,
  tableOf,
} from './table-samples.test-support.ts';
import type { RequestFacts, RouteRule } from './route-rule.ts';

const hosts = ['a.test', 'b.a.test', '*.a.test'];

/** So many that hosts, exact paths and prefixes are no small maps, with some that requests meet. */
const manyOthers: readonly RouteRule[] = Array.from({ length: 60 }, (_, index) => [
  rule(`host-${index}`, { hosts: [index === 0 ? 'c.test' : `c${index}.test`], createdAtMs: 9 }),
  rule(`exact-${index}`, { hosts, paths: [exact(index === 0 ? '/a/b' : `/a/b${index}`)], createdAtMs: 9 }),
  rule(`prefix-${index}`, { hosts, paths: [prefix(index === 0 ? '/a' : `/a/${'b/'.repeat(index)}`)], createdAtMs: 9 }),
]).flat();

/** Those of them that may be anything to a request: the others take too long to ask one by one. */
function othersThatMatch({ host, path }: RequestFacts): readonly RouteRule[] {
  return manyOthers.filter(
    (one) =>
      (one.hosts.includes(host) || (one.hosts.includes('*.a.test') && host.endsWith('.a.test'))) &&
      one.paths.every(({ value }) => path.startsWith(value.replace(/\/$/, ''))),
  );
}

describe('prefix paths', () => {
  const router = tableOf([rule('v2', { paths: [prefix('/v2')] }), rule('deep', { paths: [prefix('/v2/deep/')] })]);

  it.each([
    ['/v2', 'v2', 3],
    ['/v2/', 'v2', 3],
    ['/v2/x', 'v2', 3],
    ['/v2example', undefined, undefined],
    ['/V2', undefined, undefined],
    ['/', undefined, undefined],
    ['/v2/deep', 'deep', 8],
    ['/v2/deep/er', 'deep', 8],
    ['/v2/deeper', 'v2', 3],
  ])('%s leads to %s', (path, id, matchedLength) => {
    const match = router.match(request({ path }));
    expect([match?.route.id, match?.matchedLength]).toEqual([id, matchedLength]);
  });
});

describe('the order of routes', () => {
  /** Each list in order: whatever order the table is given in, the first one that matches wins. */
  const orders: readonly (readonly [string, Partial<RequestFacts>, readonly RouteRule[]])[] = [
    ['priority before host', { path: '/a' }, [rule('z', { priority: 1 }), rule('h', { hosts: ['a.test'] })]],
    [
      'exact host, longer wildcard, shorter wildcard, none',
      { host: 'x.b.test' },
      ['x.b.test', '*.b.test', '*.test'].map((host) => rule(host, { hosts: [host] })).concat(rule('none')),
    ],
    [
      'exact path, regex by priority then literal length, longest prefix, none',
      { path: '/a/b' },
      [
        rule('exact', { paths: [exact('/a/b')] }),
        rule('regex-high', { paths: [regex('/[^/]+')], regexPriority: 5 }),
        rule('regex-long', { paths: [regex('/a/.*')] }),
        rule('regex-short', { paths: [regex('/[a-z]+/b$')] }),
        rule('prefix-long', { paths: [prefix('/a/b')] }),
        rule('prefix-short', { paths: [prefix('/a')] }),
        rule('none'),
      ],
    ],
    [
      'method, more headers, more query parameters, oldest, name, ID',
      { query: 'q=1&r=2', headers: ['X-One', '1', 'x-two', '2'] },
      [
        rule('m', { methods: ['GET'], createdAtMs: 9 }),
        rule('h2', {
          headers: [
            { name: 'x-one', values: ['1'] },
            { name: 'x-two', values: ['2', '3'] },
          ],
          createdAtMs: 9,
        }),
        rule('h1', { headers: [{ name: 'x-one', values: ['1'] }], createdAtMs: 8 }),
        rule('q2', {
          query: [
            { name: 'q', values: ['1'] },
            { name: 'r', values: ['2'] },
          ],
          createdAtMs: 7,
        }),
        rule('q1', { query: [{ name: 'q', values: ['1'] }], createdAtMs: 6 }),
        rule('old', { createdAtMs: 1 }),
        rule('name-a', { createdAtMs: 2 }),
        rule('name-b', { createdAtMs: 2 }),
        rule('id-1', { name: 'same', createdAtMs: 3 }),
        rule('id-2', { name: 'same', createdAtMs: 3 }),
      ],
    ],
  ];

  it.each(orders)('%s', (_name, facts, inOrder) => {
    for (let first = 0; first < inOrder.length; first += 1) {
      const remaining = inOrder.slice(first);
      for (const table of [remaining, remaining.toReversed()]) {
        expect(tableOf(table).match(request(facts))?.route.id).toBe(remaining[0]?.id);
      }
    }
  });
});

describe('conditions', () => {
  it.each<readonly [string, Partial<RouteRule>, Partial<RequestFacts>, boolean]>([
    ['another method', { methods: ['POST'] }, {}, false],
    ['HEAD is not GET', { methods: ['GET'] }, { method: 'HEAD' }, false],
    ['header of another value', { headers: [{ name: 'x', values: ['1'] }] }, { headers: ['X', '2'] }, false],
    ['second line of a header', { headers: [{ name: 'x', values: ['1'] }] }, { headers: ['X', '2', 'x', '1'] }, true],
    ['encoded query value', { query: [{ name: 'q', values: ['a b'] }] }, { query: 'q=a%20b' }, true],
    ['missing query parameter', { query: [{ name: 'q', values: ['1'] }] }, { query: 'p=1' }, false],
    ['wildcard needs a label', { hosts: ['*.a.test'] }, { host: 'a.test' }, false],
    ['wildcard takes several labels', { hosts: ['*.a.test'] }, { host: 'x.y.a.test' }, true],
    ['right wildcard', { hosts: ['a.*'] }, { host: 'a.co.uk' }, true],
  ])('%s', (_name, parts, facts, matches) => {
    expect(tableOf([rule('r', parts)]).match(request(facts)) !== undefined).toBe(matches);
  });
});

describe('regular expressions', () => {
  it.each([
    ['/repos/(?<owner>[^/]+)/(?<repo>[^/]+)/issues$', '/repos/o/r/issues', 17],
    ['/repos/(?<owner>[^/]+)/(?<repo>[^/]+)/issues$', '/repos/o/r/issues/1', undefined],
    ['/repos/(?<owner>[^/]+)/(?<repo>[^/]+)/issues$', '/repos//r/issues', undefined],
    ['/users/(?P<name>[^/]+)', '/users/jo/keys', 9],
    ['/v\\d+/x', '/v12/xyz', 6],
    ['^/a\\.json$', '/a.json', 7],
    ['/a|/b', '/b/c', 2],
    ['b', '/ab', undefined],
    ['/(?i)ABC', '/abc', 4],
    ['/compare/([^/]+)\\.\\.\\.([^/]+)$', '/compare/a...b', 14],
  ])('%s on %s matches %s characters', (expression, path, matchedLength) => {
    const router = tableOf([rule('r', { paths: [regex(expression)] })]);
    expect(router.match(request({ path }))?.matchedLength).toBe(matchedLength);
  });
});

describe('against the linear oracle', () => {
  it('finds the route that trying all of them in order finds, for any table and request', () => {
    const property = fc.property(anyRules, fc.array(anyRequest, { minLength: 1, maxLength: 8 }), (rules, requests) => {
      const router = tableOf(rules);
      for (const facts of requests) {
        expect(router.match(facts)?.route.id).toBe(matchLinearly(rules, facts)?.id);
      }
    });
    fc.assert(property, { numRuns: 500 });
  }, 60_000);

  it('finds the same among many others of the same hosts and paths that begin alike, into an object and as one', () => {
    const property = fc.property(anyRules, anyRequest, (rules, facts) => {
      const router = tableOf([...manyOthers, ...rules]);
      const expected = matchLinearly([...rules, ...othersThatMatch(facts)], facts);
      const found = { route: undefined, matchedLength: 0 };
      const match = router.match(facts);
      expect(router.find(facts, found)).toBe(match !== undefined);
      expect(match?.route.id).toBe(expected?.id);
      expect(found).toEqual({ route: match?.route, matchedLength: match?.matchedLength ?? found.matchedLength });
      const { candidates } = router.explain(facts, { candidates: 1000 });
      expect(candidates.find(({ outcome }) => outcome === 'won')?.route.id).toBe(expected?.id);
    });
    fc.assert(property, { numRuns: 150 });
  }, 60_000);

  it('finds the part of the path that the engine finds, for any expression', () => {
    const property = fc.property(anyExpression, anyPath, (value, requested) => {
      const matcher = RE2JS.compile(value).matcher(requested);
      const end = matcher.lookingAt() ? matcher.end() : undefined;
      const match = tableOf([rule('r', { paths: [regex(value)] })]).match(request({ path: requested }));
      expect(match?.matchedLength).toBe(end);
    });
    fc.assert(property, { numRuns: 1500 });
  }, 60_000);
});
