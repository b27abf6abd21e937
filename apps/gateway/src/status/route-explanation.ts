import { setImmediate as nextTurn } from 'node:timers/promises';
import { normalisePath } from '@portcullis/resources';
import {
  hostOfAuthority,
  LookUpCostError,
  orderedRoutes,
  upstreamPath,
  type RequestFacts,
  type RouteCandidate,
  type RouteExplanation,
  type RouteTable,
} from '@portcullis/router';
import type { CompiledRoute, Generation } from '../configuration/generation.ts';
import { problems, type GatewayProblem } from '../proxy/problems.ts';
import { costlyPath } from '../proxy/route-request.ts';
import { jsonAnswer, type StatusAnswer, type StatusPage } from './status-pages.ts';

/** Routes of a page, by default and at most. */
const pageDefault = 100;
const pageMax = 1_000;
const candidatesMax = 50;

/** What of a generation is needed. */
export type ExplainedGeneration = Pick<Generation, 'revision' | 'hosts' | 'allowsEncodedSlashes' | 'router'>;

/**
 * `/routes` lists the routes in the order in which they are tried, by `skip` and `limit`; with `path` it explains where a
 * request goes, by `method`, `host`, `path`, `sni` and `header=Name: value`, as often as needed.
 * @param serving what is served; `undefined` before the first configuration
 */
export function routesPage(serving: () => ExplainedGeneration | undefined): StatusPage {
  const orders = new WeakMap<RouteTable<CompiledRoute>, Promise<readonly CompiledRoute[]>>();
  return async (query) => {
    const generation = serving();
    if (generation === undefined) return jsonAnswer(503, { status: 'not_ready' });
    if (query.has('path')) return explanation(generation, query);
    const { router, revision } = generation;
    const order = orders.get(router) ?? orderedRoutes(router, () => nextTurn());
    orders.set(router, order);
    const skip = wholeNumber(query.get('skip'), 0, Number.MAX_SAFE_INTEGER);
    const limit = wholeNumber(query.get('limit'), pageDefault, pageMax);
    const items = (await order).slice(skip, skip + limit).map(shownRoute);
    return jsonAnswer(200, { revision, total: router.size, skip, limit, items });
  };
}

function explanation(generation: ExplainedGeneration, query: URLSearchParams): StatusAnswer {
  const { revision, router } = generation;
  const target = query.get('path') ?? '';
  const question = target.indexOf('?');
  const path = normalisePath(question === -1 ? target : target.slice(0, question));
  if (typeof path !== 'string') return refusal(revision, { ...problems.malformedTarget, detail: path.message });
  const authority = query.get('host') ?? '';
  const host = authority === '' ? '' : hostOfAuthority(authority);
  if (host === undefined) return refusal(revision, problems.malformedHost);
  if (!generation.allowsEncodedSlashes && path.includes('%2F')) return refusal(revision, problems.encodedSlash);
  if (generation.hosts !== undefined && !generation.hosts.has(host)) return refusal(revision, problems.noRoute);
  const facts = {
    method: query.get('method') ?? 'GET',
    ...{ host, path, query: question === -1 ? '' : target.slice(question + 1) },
    headers: query.getAll('header').flatMap(headerPair),
    sni: query.get('sni')?.toLowerCase(),
  };
  const explained = explainedWithin(router, facts);
  if (explained instanceof LookUpCostError) {
    return explained.isExplaining ? jsonAnswer(422, { revision, detail: notExplained }) : refusal(revision, costlyPath);
  }
  const { match, wonBy, candidates, candidatesTotal } = explained;
  const stripped = match?.route.stripPath ? match.matchedLength : 0;
  return jsonAnswer(200, {
    revision,
    refused: match ? null : { status: problems.noRoute.status, detail: problems.noRoute.detail },
    request: { method: facts.method, host, path },
    route: match ? match.route.record : null,
    service: match?.route.service?.record ?? null,
    upstream_path: (match?.route.service && upstreamPath(match.route.service.path, path, stripped)) ?? null,
    won_by: wonBy ?? null,
    candidates: candidates.map(shownCandidate),
    candidates_total: candidatesTotal,
  });
}

const notExplained = 'the request has a route, but asking the expressions of all others would take too long';

/** The explanation, or why it would take too long. */
function explainedWithin(
  router: ExplainedGeneration['router'],
  facts: RequestFacts,
): RouteExplanation<CompiledRoute> | LookUpCostError {
  try {
    return router.explain(facts, { candidates: candidatesMax });
  } catch (error) {
    if (error instanceof LookUpCostError) return error;
    throw error;
  }
}

function refusal(revision: number, { status, detail }: GatewayProblem): StatusAnswer {
  return jsonAnswer(200, { revision, refused: { status, detail }, route: null, candidates: [], candidates_total: 0 });
}

function shownRoute({ record, service, hosts, paths, methods, priority }: CompiledRoute): object {
  return { ...record, service: service?.record ?? null, hosts, paths: paths.map(shownPath), methods, priority };
}

function shownCandidate({ route, host, path, outcome, lostBy, unmet }: RouteCandidate<CompiledRoute>): object {
  const matched = { host: host ?? null, path: path === undefined ? null : shownPath(path) };
  return { route: route.record, ...matched, outcome, lost_by: lostBy ?? null, unmet };
}

function shownPath({ type, value }: CompiledRoute['paths'][number]): { readonly type: string; readonly value: string } {
  return { type, value };
}

/** `Name: value`. Names with `_` are dropped, as they are from requests. */
function headerPair(text: string): string[] {
  const colon = text.indexOf(':');
  const name = colon === -1 ? text : text.slice(0, colon);
  return name.includes('_') ? [] : [name, colon === -1 ? '' : text.slice(colon + 1).trim()];
}

function wholeNumber(text: string | null, fallback: number, max: number): number {
  return text !== null && /^\d{1,9}$/.test(text) ? Math.min(Number(text), max) : fallback;
}
