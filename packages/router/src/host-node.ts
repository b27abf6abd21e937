import type { Edit } from './edit.ts';
import type { CompileExpression } from './path-expression.ts';
import { hostRank } from './path-rank.ts';
import { changedTree, withText, type PatternNode } from './pattern-node.ts';
import { withEntry, withoutRoute, type Place } from './place.ts';
import { lengthUnknown, RouteEntry } from './route-entry.ts';
import type { PathRule, RouteRule } from './route-rule.ts';
import { segmentPattern } from './segment-pattern.ts';
import { hashOf } from './text-hash.ts';
import type { TextMap } from './text-map.ts';

/** Depths of prefixes that are told apart: {@link HostNode.depths} has a bit for each. */
export const depthMax = 31;

/** The routes of one host pattern, by path. */
export class HostNode<Route extends RouteRule> {
  // What every look-up reads comes first: it lies in one cache line.
  /** For every path. */
  root: Place<Route>;
  /** By the whole path. */
  exacts: TextMap<RouteEntry<Route>> | undefined;
  /** By the prefix, without a slash at its end. */
  prefixes: TextMap<RouteEntry<Route>> | undefined;
  /** Which numbers of segments prefixes have, a bit each, the last for all from {@link depthMax}; perhaps more than still. */
  depths: number;
  patterns: PatternNode<Route> | undefined;
  /** See `hostRank`. */
  readonly rank: number;
  /** No route here has a higher priority; perhaps none has this one any more. */
  priorityMax: number;
  readonly owner: Edit;

  constructor(owner: Edit, rank: number, from?: HostNode<Route>) {
    this.root = from?.root;
    this.exacts = from?.exacts;
    this.prefixes = from?.prefixes;
    this.depths = from?.depths ?? 0;
    this.patterns = from?.patterns;
    this.rank = rank;
    this.priorityMax = from?.priorityMax ?? Number.NEGATIVE_INFINITY;
    this.owner = owner;
  }

  isEmpty(): boolean {
    const hasPaths = this.exacts !== undefined || this.prefixes !== undefined || this.patterns !== undefined;
    return this.root === undefined && !hasPaths;
  }
}

/** The route of every request that comes to a host, where that is settled by the host alone. */
export function directOfHost<Route extends RouteRule>(node: HostNode<Route>): Route | undefined {
  if (node.prefixes !== undefined || node.exacts !== undefined || node.patterns !== undefined) return undefined;
  return directOfEntry(node.root);
}

/** The route of every request that comes to a place, where nothing more is asked of them. */
function directOfEntry<Route extends RouteRule>(first: Place<Route>): Route | undefined {
  return first?.isPlain === true ? first.route : undefined;
}

/** The node with a route's entry for one of its hosts and one of its paths. */
export function withChoice<Route extends RouteRule>(
  edit: Edit,
  from: HostNode<Route> | undefined,
  route: Route,
  host: string | undefined,
  path: PathRule | undefined,
  compile: CompileExpression,
): HostNode<Route> {
  const node = from?.owner === edit ? from : new HostNode(edit, hostRank(host), from);
  node.priorityMax = Math.max(node.priorityMax, route.priority);
  changeChoice(edit, node, path, (place, kind, length) => {
    const expression = kind === 'verify' && path !== undefined ? compile(path.value) : undefined;
    return withEntry(edit, place, new RouteEntry(route, host, path, length, expression, edit));
  });
  return node;
}

/** The node without a route's entries for one of its paths; `undefined` when nothing is left. */
export function withoutChoice<Route extends RouteRule>(
  edit: Edit,
  from: HostNode<Route>,
  routeId: string,
  path: PathRule | undefined,
): HostNode<Route> | undefined {
  const node = from.owner === edit ? from : new HostNode(edit, from.rank, from);
  changeChoice(edit, node, path, (place) => withoutRoute(edit, place, routeId));
  return node.isEmpty() ? undefined : node;
}

/** What an entry's place becomes. `length` is what it matches of every path, where that is known. */
type PlaceChange<Route extends RouteRule> = (
  place: Place<Route>,
  kind: 'end' | 'open' | 'verify',
  length: number,
) => Place<Route>;

function changeChoice<Route extends RouteRule>(
  edit: Edit,
  node: HostNode<Route>,
  path: PathRule | undefined,
  change: PlaceChange<Route>,
): void {
  if (path?.type === 'regex') return changePattern(edit, node, path.value, change);
  if (path?.type === 'exact') {
    const { value } = path;
    node.exacts = changedText(edit, node.exacts, value, (place) => change(place, 'end', value.length));
    return;
  }
  const prefix = path === undefined ? '' : path.value.replace(/\/$/, '');
  if (prefix === '') node.root = change(node.root, 'open', 0);
  else {
    node.prefixes = changedText(edit, node.prefixes, prefix, (place) => change(place, 'open', prefix.length));
    const depth = Math.min(prefix.split('/').length - 1, depthMax);
    node.depths = node.prefixes === undefined ? 0 : node.depths | (1 << depth);
  }
}

function changePattern<Route extends RouteRule>(
  edit: Edit,
  node: HostNode<Route>,
  expression: string,
  change: PlaceChange<Route>,
): void {
  const { steps, kind, lead } = segmentPattern(expression);
  node.patterns = changedTree(edit, node.patterns, steps, (at) => {
    if (kind === 'end') at.ends = change(at.ends, kind, lengthUnknown);
    else if (kind === 'open') at.opens = change(at.opens, kind, lengthUnknown);
    else if (lead === '') at.verifies = change(at.verifies, kind, lengthUnknown);
    else {
      at.leads = changedText(edit, at.leads, lead, (place) => change(place, kind, lengthUnknown));
      at.leadLengths = at.leads === undefined ? [] : withLength(at.leadLengths, lead.length);
    }
  });
}

function changedText<Route extends RouteRule>(
  edit: Edit,
  map: TextMap<RouteEntry<Route>> | undefined,
  key: string,
  change: (place: Place<Route>) => Place<Route>,
): TextMap<RouteEntry<Route>> | undefined {
  const hash = hashOf(key);
  return withText(edit, map, hash, key, change(map?.find(hash, key, 0, key.length)), directOfEntry);
}

function withLength(lengths: readonly number[], length: number): readonly number[] {
  return lengths.includes(length) ? lengths : [...lengths, length].toSorted((left, right) => left - right);
}
