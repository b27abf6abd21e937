import { hostRank } from './host-pattern.ts';
import type { PathRule, RouteRule } from './route-rule.ts';
import { literalPrefixLength } from './segment-pattern.ts';

/** One way in which a route can match: one of its hosts with one of its paths. `undefined` stands for any. */
export interface RouteChoice<Route extends RouteRule> {
  readonly route: Route;
  readonly host: string | undefined;
  readonly path: PathRule | undefined;
}

/** Every way in which a route can match. */
export function choicesOf<Route extends RouteRule>(route: Route): readonly RouteChoice<Route>[] {
  const hosts = route.hosts.length > 0 ? route.hosts : [undefined];
  const paths = route.paths.length > 0 ? route.paths : [undefined];
  return hosts.flatMap((host) => paths.map((path) => ({ route, host, path })));
}

/**
 * The choices in the one total order in which they are tried. Source: wire contract, Matching.
 * The order's keys are computed once per choice: a table of 100,000 routes is sorted with plain number comparisons.
 */
export function inOrder<Route extends RouteRule>(
  choices: readonly RouteChoice<Route>[],
): readonly RouteChoice<Route>[] {
  return choices
    .map((choice) => ({ choice, keys: orderKeys(choice) }))
    .toSorted(
      (left, right) => compareKeys(left.keys, right.keys) || compareRoutes(left.choice.route, right.choice.route),
    )
    .map(({ choice }) => choice);
}

function orderKeys({ route, host, path }: RouteChoice<RouteRule>): readonly number[] {
  return [
    -route.priority,
    hostRank(host),
    ...pathKeys(route, path),
    route.methods.length > 0 ? 0 : 1,
    -route.headers.length,
    -route.query.length,
    route.createdAtMs,
  ];
}

function pathKeys(route: RouteRule, path: PathRule | undefined): readonly [number, number, number] {
  if (path === undefined) return [2, 0, 0];
  if (path.type === 'exact') return [0, 0, 0];
  if (path.type === 'regex') return [1, -route.regexPriority, -literalPrefixLength(path.value)];
  return [2, 0, -path.value.length];
}

function compareKeys(left: readonly number[], right: readonly number[]): number {
  for (const [index, key] of left.entries()) {
    const other = right[index] ?? 0;
    if (key !== other) return key - other;
  }
  return 0;
}

function compareRoutes(left: RouteRule, right: RouteRule): number {
  return compareText(left.name, right.name) || compareText(left.id, right.id);
}

function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
