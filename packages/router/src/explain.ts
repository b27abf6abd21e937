import { unmetConditions, type Condition } from './conditions.ts';
import type { RouteMatch } from './route-entry.ts';
import { compareEntries, decidingCriterion, type OrderCriterion } from './route-order.ts';
import type { PathRule, RequestFacts, RouteRule } from './route-rule.ts';
import type { Candidate } from './walk.ts';

/** How much an explanation lists. */
export interface ExplainLimits {
  /** Candidates at most, 20 by default. */
  readonly candidates?: number;
}

/** A route with the request's host and path, and what became of it. */
export interface RouteCandidate<Route extends RouteRule> {
  readonly route: Route;
  /** The host pattern that matched; `undefined` where the route takes any. */
  readonly host: string | undefined;
  /** The path that matched; `undefined` where the route takes any. */
  readonly path: PathRule | undefined;
  /** See `RouteMatch`. */
  readonly matchedLength: number;
  readonly outcome: 'won' | 'lost' | 'unmet';
  /** What the request lacks, when it is `unmet`. */
  readonly unmet: readonly Condition[];
  /** The first criterion of the order in which the winner goes before it, when it `lost`. */
  readonly lostBy: OrderCriterion | undefined;
}

/** Why a request leads to a route, or to none. */
export interface RouteExplanation<Route extends RouteRule> {
  readonly match: RouteMatch<Route> | undefined;
  /**
   * The criterion by which the winner goes before the next route that would match; `undefined` when there is none.
   */
  readonly wonBy: OrderCriterion | undefined;
  /** In the order of routes, one for each route: its best way to match. */
  readonly candidates: readonly RouteCandidate<Route>[];
  /** How many candidates there are in all. */
  readonly candidatesTotal: number;
}

const candidatesDefault = 20;

/** Explains the result of a look-up by everything that was in question. */
export function explainMatch<Route extends RouteRule>(
  match: RouteMatch<Route> | undefined,
  found: readonly Candidate<Route>[],
  request: RequestFacts,
  { candidates: limit = candidatesDefault }: ExplainLimits = {},
): RouteExplanation<Route> {
  const ordered = firstOfEachRoute(found.toSorted((left, right) => compareEntries(left.entry, right.entry)));
  const judged = ordered.map((candidate) => ({ candidate, unmet: unmetConditions(candidate.entry.route, request) }));
  const matching = judged.filter(({ unmet }) => unmet.length === 0).map(({ candidate }) => candidate);
  const [winner, runnerUp] = matching;
  const candidates = judged.map(({ candidate: { entry, matchedLength }, unmet }): RouteCandidate<Route> => {
    const outcome = unmet.length > 0 ? 'unmet' : entry === winner?.entry ? 'won' : 'lost';
    const lostBy = outcome === 'lost' && winner !== undefined ? decidingCriterion(winner.entry, entry) : undefined;
    return { route: entry.route, host: entry.host, path: entry.path, matchedLength, outcome, unmet, lostBy };
  });
  return {
    match,
    wonBy: winner && runnerUp && decidingCriterion(winner.entry, runnerUp.entry),
    candidates: withinLimit(candidates, limit),
    candidatesTotal: candidates.length,
  };
}

function firstOfEachRoute<Route extends RouteRule>(ordered: readonly Candidate<Route>[]): readonly Candidate<Route>[] {
  const seen = new Set<Route>();
  return ordered.filter(({ entry: { route } }) => !seen.has(route) && seen.add(route));
}

/** The first ones, of which the winner is one wherever it stands. */
function withinLimit<Route extends RouteRule>(
  candidates: readonly RouteCandidate<Route>[],
  limit: number,
): readonly RouteCandidate<Route>[] {
  const winner = candidates.findIndex(({ outcome }) => outcome === 'won');
  if (winner < limit) return candidates.slice(0, limit);
  return [...candidates.slice(0, limit - 1), ...candidates.slice(winner, winner + 1)];
}
