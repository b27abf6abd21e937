import type { RE2JS } from 're2js';
import type { RouteRule } from './route-rule.ts';
import { segmentPattern, type SegmentStep } from './segment-pattern.ts';
import type { RouteChoice } from './route-order.ts';

/** A choice in its place of the table's order, with its compiled expression where only that can decide. */
export interface TableEntry<Route extends RouteRule> {
  readonly route: Route;
  readonly order: number;
  readonly expression: RE2JS | undefined;
}

/** A node of the tree of path segments. The three lists are in order. */
export class PathNode<Route extends RouteRule> {
  /** Lowest order of this node and all below it. A walk that already has a lower one leaves the node out. */
  lowestOrder: number = Number.POSITIVE_INFINITY;
  readonly literals: Map<string, PathNode<Route>> = new Map<string, PathNode<Route>>();
  wildcard: PathNode<Route> | undefined;
  /** Entries for paths that end here. */
  readonly ends: TableEntry<Route>[] = [];
  /** Entries for paths that end here or go on. */
  readonly opens: TableEntry<Route>[] = [];
  /** Entries whose expression has to be asked, with the whole path. */
  readonly verifies: TableEntry<Route>[] = [];
}

/** Puts a choice into the tree. Choices must come in order. */
export function insertChoice<Route extends RouteRule>(
  root: PathNode<Route>,
  choice: RouteChoice<Route>,
  order: number,
  compile: (expression: string) => RE2JS,
): void {
  const { steps, kind } = treePlace(choice);
  const expression = kind === 'verifies' && choice.path !== undefined ? compile(choice.path.value) : undefined;
  let node = root;
  node.lowestOrder = Math.min(node.lowestOrder, order);
  for (const step of steps) {
    node = childFor(node, step);
    node.lowestOrder = Math.min(node.lowestOrder, order);
  }
  node[kind].push({ route: choice.route, order, expression });
}

interface TreePlace {
  readonly steps: readonly SegmentStep[];
  readonly kind: 'ends' | 'opens' | 'verifies';
}

function treePlace({ path }: RouteChoice<RouteRule>): TreePlace {
  if (path === undefined) return { steps: [], kind: 'opens' };
  if (path.type === 'regex') {
    const { steps, kind } = segmentPattern(path.value);
    return { steps, kind: `${kind === 'verify' ? 'verifie' : kind}s` };
  }
  if (path.type === 'exact') return { steps: path.value.split('/').slice(1), kind: 'ends' };
  const withoutSlash = path.value.endsWith('/') ? path.value.slice(0, -1) : path.value;
  return { steps: withoutSlash.split('/').slice(1), kind: 'opens' };
}

function childFor<Route extends RouteRule>(node: PathNode<Route>, step: SegmentStep): PathNode<Route> {
  if (step === undefined) return (node.wildcard ??= new PathNode());
  const known = node.literals.get(step);
  if (known !== undefined) return known;
  const created = new PathNode<Route>();
  node.literals.set(step, created);
  return created;
}
