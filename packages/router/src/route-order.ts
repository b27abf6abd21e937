import { regexRank } from './path-rank.ts';
import type { RouteEntry } from './route-entry.ts';
import type { RouteRule } from './route-rule.ts';

/** What decides between two routes that both match, in the order in which it is asked. Source: wire contract, Matching. */
export type OrderCriterion =
  | 'priority'
  | 'host'
  | 'path_type'
  | 'regex_priority'
  | 'literal_prefix'
  | 'path_length'
  | 'method'
  | 'headers'
  | 'query'
  | 'sni'
  | 'created_at'
  | 'name'
  | 'id';

/** What of an entry decides its place. */
export type OrderedEntry = Pick<RouteEntry<RouteRule>, 'route' | 'priority' | 'hostRank' | 'pathRank' | 'pathLength'>;

/**
 * The one total order of routes. Negative when `left` is tried first; 0 for two ways of one route only, when IDs are unique.
 * Keys are compared as they are: no entry has a rank among all that a change of another one would have to renumber.
 */
export function compareEntries(left: OrderedEntry, right: OrderedEntry): number {
  if (left.priority !== right.priority) return right.priority - left.priority;
  if (left.hostRank !== right.hostRank) return left.hostRank - right.hostRank;
  if (left.pathRank !== right.pathRank) return left.pathRank - right.pathRank;
  if (left.pathRank === regexRank && left.route.regexPriority !== right.route.regexPriority) {
    return right.route.regexPriority - left.route.regexPriority;
  }
  if (left.pathLength !== right.pathLength) return right.pathLength - left.pathLength;
  return left.route === right.route ? 0 : compareRest(left.route, right.route);
}

function compareRest(left: RouteRule, right: RouteRule): number {
  return (
    Number(right.methods.length > 0) - Number(left.methods.length > 0) ||
    right.headers.length - left.headers.length ||
    right.query.length - left.query.length ||
    Number(asksForServerName(right)) - Number(asksForServerName(left)) ||
    left.createdAtMs - right.createdAtMs ||
    compareText(left.name, right.name) ||
    compareText(left.id, right.id)
  );
}

/** The first criterion in which two entries differ; `undefined` for two ways of one route that differ in none. */
export function decidingCriterion(left: OrderedEntry, right: OrderedEntry): OrderCriterion | undefined {
  if (left.priority !== right.priority) return 'priority';
  if (left.hostRank !== right.hostRank) return 'host';
  if (left.pathRank !== right.pathRank) return 'path_type';
  if (left.pathRank === regexRank && left.route.regexPriority !== right.route.regexPriority) return 'regex_priority';
  if (left.pathLength !== right.pathLength) return left.pathRank === regexRank ? 'literal_prefix' : 'path_length';
  return decidingRest(left.route, right.route);
}

function decidingRest(left: RouteRule, right: RouteRule): OrderCriterion | undefined {
  if (left.methods.length > 0 !== right.methods.length > 0) return 'method';
  if (left.headers.length !== right.headers.length) return 'headers';
  if (left.query.length !== right.query.length) return 'query';
  if (asksForServerName(left) !== asksForServerName(right)) return 'sni';
  if (left.createdAtMs !== right.createdAtMs) return 'created_at';
  if (left.name !== right.name) return 'name';
  return left.id === right.id ? undefined : 'id';
}

function asksForServerName({ snis }: RouteRule): boolean {
  return snis !== undefined && snis.length > 0;
}

function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
