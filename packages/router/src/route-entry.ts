import type { Edit } from './edit.ts';
import type { PathExpression } from './path-expression.ts';
import { asksForMore } from './conditions.ts';
import { literalEnding } from './literal-ending.ts';
import { hostRank, pathLengthOf, pathRank } from './path-rank.ts';
import type { PathRule, RouteRule } from './route-rule.ts';
import { hasAlternativesAtTop } from './segment-pattern.ts';

/** The route of a request, and how much of its path the route's path matched. */
export interface RouteMatch<Route extends RouteRule> {
  readonly route: Route;
  /** Length of the matched part, in characters of the normalised path; what `strip_path` cuts off. */
  readonly matchedLength: number;
}

/** A {@link RouteMatch} that look-ups write to. */
export interface FoundRoute<Route extends RouteRule> {
  route: Route | undefined;
  matchedLength: number;
}

/** {@link RouteMatch.matchedLength} of an entry whose expression has to be asked, or whose match depends on the path. */
export const lengthUnknown = -1;

/**
 * One way in which a route can match, one of its hosts with one of its paths. It carries what decides its order, so that any
 * two can be compared without the rest of the table. Where every request is matched in the same length, the entry itself is
 * the result of a look-up: one object to fetch and none to make.
 */
export class RouteEntry<Route extends RouteRule> implements RouteMatch<Route> {
  // What every look-up reads comes first: it lies in one cache line.
  /** Whether there is nothing to ask of a request beyond its host and path, and the match is as long for all of them. */
  readonly isPlain: boolean;
  readonly route: Route;
  readonly matchedLength: number;
  readonly priority: number;
  /** See `hostRank`. */
  readonly hostRank: number;
  /** See `pathRank`. */
  readonly pathRank: number;
  /** See `pathLengthOf`. */
  readonly pathLength: number;
  /** Whether host and path are all that the route asks for. */
  readonly unconditional: boolean;
  /** Those after it in the same place, in order; only the first of a place has them. */
  others: RouteEntry<Route>[] | undefined = undefined;
  readonly host: string | undefined;
  readonly path: PathRule | undefined;
  readonly expression: PathExpression | undefined;
  /** What every path that the expression matches ends with. */
  readonly ending: string;
  /** See `PathExpression`. */
  readonly programSize: number;
  /** Who may still write to {@link others}. */
  readonly owner: Edit;

  constructor(
    route: Route,
    host: string | undefined,
    path: PathRule | undefined,
    matchedLength: number,
    expression: PathExpression | undefined,
    owner: Edit,
  ) {
    this.isPlain = matchedLength !== lengthUnknown && expression === undefined && !asksForMore(route);
    this.route = route;
    this.matchedLength = matchedLength;
    this.priority = route.priority;
    this.hostRank = hostRank(host);
    this.pathRank = pathRank(path);
    this.pathLength = pathLengthOf(path);
    this.unconditional = !asksForMore(route);
    this.host = host;
    this.path = path;
    this.expression = expression;
    this.ending = expression === undefined ? '' : endingOf(path);
    this.programSize = expression?.programSize() ?? 0;
    this.owner = owner;
  }

  /** The same, as the first of a place with these others after it. */
  leading(others: RouteEntry<Route>[], owner: Edit): RouteEntry<Route> {
    const { route, host, path, matchedLength, expression } = this;
    const first = new RouteEntry(route, host, path, matchedLength, expression, owner);
    first.others = others.length > 0 ? others : undefined;
    return first;
  }
}

function endingOf(path: PathRule | undefined): string {
  return path === undefined || hasAlternativesAtTop(path.value) ? '' : literalEnding(path.value);
}
