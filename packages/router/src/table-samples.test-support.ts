import fc from 'fast-check';
import { RE2JS } from 're2js';
import { routeTable } from './build-route-table.ts';
import type { PathRule, RequestFacts, RouteRule } from './route-rule.ts';
import type { RouteTable } from './route-table.ts';

/** How tests compile expressions: with the engine that Portcullis uses. */
export const options = { compile: (expression: string): RE2JS => RE2JS.compile(expression) };

/** A small table. */
export function tableOf<Route extends RouteRule>(routes: readonly Route[]): RouteTable<Route> {
  return routeTable(routes, options);
}

/** A rule that asks for nothing but what is given. */
export function rule(id: string, parts: Partial<RouteRule> = {}): RouteRule {
  const empty = { hosts: [], paths: [], methods: [], headers: [], query: [] };
  return { id, name: id, createdAtMs: 0, priority: 0, regexPriority: 0, ...empty, ...parts };
}

/** A plain request. */
export function request(parts: Partial<RequestFacts>): RequestFacts {
  return { method: 'GET', host: 'a.test', path: '/', query: '', headers: [], ...parts };
}

export const prefix = (value: string): PathRule => ({ type: 'prefix', value });
export const exact = (value: string): PathRule => ({ type: 'exact', value });
export const regex = (value: string): PathRule => ({ type: 'regex', value });

const segment = fc.constantFrom('a', 'b', 'ab', 'a.b', '', 'v1');

/** A normalised path of few segments, so that rules and requests meet. */
export const anyPath: fc.Arbitrary<string> = fc
  .array(segment, { maxLength: 4 })
  .map((segments) => `/${segments.filter(Boolean).join('/')}`);

const expressionPiece = fc.constantFrom(
  ...['a', 'b', 'ab', 'a\\.b', 'v\\d+', '[^/]+', '(?<x>[^/]+)', '(?:[^/]+)', '([^/]+)', '[a-z]+', '(?:a|b)', '.*'],
  ...['a?', 'b*', '(?<x>[^/]+)\\.b', '[^a]+', '[^/]*', '(?:a|/b)', '(?i)A', '', 'a+', 'a[b.]?', 'ab?', 'v[0-9]'],
);

/** An expression of parts that the table takes apart, and of parts that it does not. */
export const anyExpression: fc.Arbitrary<string> = fc
  .tuple(fc.array(expressionPiece, { minLength: 1, maxLength: 4 }), fc.constantFrom('', '$', '/?$', '/', '|/b'))
  .map(([pieces, end]) => `/${pieces.map((piece, index) => piece.replace('<x>', `<x${index}>`)).join('/')}${end}`);

const pathRule = fc.oneof(
  anyPath.map(prefix),
  anyPath.map((value) => prefix(value === '/' ? value : `${value}/`)),
  anyPath.map(exact),
  anyExpression.map(regex),
);
const host = fc.constantFrom('a.test', 'b.a.test', '*.a.test', '*.test', 'b.*', 'b.a.*');
const alternatives = fc.record({
  name: fc.constantFrom('x', 'y'),
  values: fc.uniqueArray(fc.constantFrom('1', '2'), { minLength: 1 }),
});

/** A rule out of few hosts, paths and values. */
export const anyRule: fc.Arbitrary<RouteRule> = fc.record({
  id: fc.constantFrom('1', '2', '3'),
  name: fc.constantFrom('n', 'm'),
  createdAtMs: fc.constantFrom(0, 1),
  priority: fc.constantFrom(0, 0, 0, 1),
  regexPriority: fc.constantFrom(0, 0, 1),
  hosts: fc.uniqueArray(host, { maxLength: 2 }),
  paths: fc.array(pathRule, { maxLength: 2 }),
  methods: fc.uniqueArray(fc.constantFrom('GET', 'POST'), { maxLength: 1 }),
  headers: fc.uniqueArray(alternatives, { maxLength: 2, selector: ({ name }) => name }),
  query: fc.uniqueArray(alternatives, { maxLength: 2, selector: ({ name }) => name }),
  snis: fc.oneof(fc.constant([]), fc.constant(['a.test']), fc.constant(['*.test', 'b.test'])),
});

/** A request out of the same. */
export const anyRequest: fc.Arbitrary<RequestFacts> = fc.record({
  method: fc.constantFrom('GET', 'POST'),
  host: fc.constantFrom('a.test', 'b.a.test', 'c.test', 'b.x'),
  path: fc.oneof(
    anyPath,
    anyPath.map((value) => (value === '/' ? value : `${value}/`)),
  ),
  query: fc.constantFrom('', 'x=1', 'x=2&y=1'),
  headers: fc.constantFrom<readonly string[]>([], ['X', '1'], ['x', '2', 'Y', '1']),
  sni: fc.constantFrom(undefined, 'a.test', 'b.a.test'),
});

/** Rules with IDs of their own. */
export const anyRules: fc.Arbitrary<readonly RouteRule[]> = fc
  .array(anyRule, { maxLength: 12 })
  .map((rules) => rules.map((one, index) => ({ ...one, id: `${one.id}-${index}` })));
