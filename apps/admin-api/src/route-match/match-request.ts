import { normalisePath } from '@portcullis/resources';
import {
  hostOfAuthority,
  LookUpCostError,
  upstreamPath,
  type RequestFacts,
  type RouteExplanation,
} from '@portcullis/router';
import type { ExplainedRoute, MatchingTable } from './matching-table.ts';

/** A request as a caller describes it. */
export interface DescribedRequest {
  readonly method: string;
  readonly protocol: 'http' | 'https';
  /** With port or without. */
  readonly host: string;
  /** Perhaps with a query. */
  readonly path: string;
  /** Raw query; it goes after one in the path. */
  readonly query: string;
  /** Name and value by turns. */
  readonly headers: readonly string[];
  readonly sni: string | undefined;
}

/** What the gateway does with a request before plugins run. */
export interface MatchedRequest {
  readonly outcome: 'matched' | 'no_route' | 'refused';
  /** What it answers by itself; nothing where the request goes on. */
  readonly status: number | undefined;
  readonly detail: string;
  /** What was matched; nothing when the request was refused before. */
  readonly facts: RequestFacts | undefined;
  readonly explanation: RouteExplanation<ExplainedRoute> | undefined;
}

/**
 * Matches a request by the gateway's own rules, in the gateway's order of questions, and says why.
 * @throws LookUpCostError when the gateway would serve the request, but explaining it takes too long
 */
export function matchRequest(table: MatchingTable, request: DescribedRequest, candidates: number): MatchedRequest {
  const question = request.path.indexOf('?');
  const rawPath = question === -1 ? request.path : request.path.slice(0, question);
  const queries = [question === -1 ? '' : request.path.slice(question + 1), request.query].filter(Boolean);
  const host = hostOfAuthority(request.host);
  if (host === undefined) return refused('there must be exactly one valid host');
  const path = normalisePath(rawPath);
  if (typeof path !== 'string') return refused(path.message);
  if (!table.allowsEncodedSlashes && path.includes('%2F')) return refused('the path must not contain an encoded slash');
  const { method, headers, sni } = request;
  const facts: RequestFacts = { method, host, path, query: queries.join('&'), headers: forwarded(headers), sni };
  if (table.hosts !== undefined && !table.hosts.has(host)) {
    return noRoute(facts, 'the gateway does not answer for this host', undefined);
  }
  const explanation = explained(table, facts, candidates);
  if (explanation === undefined) {
    const detail = 'the path is too long for the regular expressions that it would have to be matched with';
    return { outcome: 'refused', status: 414, detail, facts, explanation };
  }
  const { match } = explanation;
  if (match === undefined) return noRoute(facts, 'no route matched', explanation);
  const { protocols, redirectStatus } = match.route;
  if (request.protocol === 'http' && protocols.includes('https') && !protocols.includes('http')) {
    const detail = 'this route is served over TLS only';
    return { outcome: 'matched', status: redirectStatus, detail, facts, explanation };
  }
  return { outcome: 'matched', status: undefined, detail: 'the request goes on', facts, explanation };
}

/** `undefined` where the gateway refuses to look for a route: its expressions would take too long. */
function explained(
  table: MatchingTable,
  facts: RequestFacts,
  candidates: number,
): RouteExplanation<ExplainedRoute> | undefined {
  try {
    return table.routes.explain(facts, { candidates });
  } catch (error) {
    if (error instanceof LookUpCostError && !error.isExplaining) return undefined;
    throw error;
  }
}

/**
 * The path that goes upstream, with the status where there is none.
 * @param servicePath path of the service's address
 */
export function forwardedPath(
  { route, matchedLength }: { readonly route: ExplainedRoute; readonly matchedLength: number },
  servicePath: string,
  path: string,
): string | undefined {
  return upstreamPath(servicePath, path, route.stripPath ? matchedLength : 0);
}

function refused(detail: string): MatchedRequest {
  return { outcome: 'refused', status: 400, detail, facts: undefined, explanation: undefined };
}

function noRoute(facts: RequestFacts, detail: string, explanation: MatchedRequest['explanation']): MatchedRequest {
  return { outcome: 'no_route', status: 404, detail, facts, explanation };
}

/** Header fields that the gateway drops before it matches: look-alikes of others. Source: wire contract, Edge. */
function forwarded(headers: readonly string[]): readonly string[] {
  const kept: string[] = [];
  for (let at = 0; at < headers.length; at += 2) {
    const [name = '', value = ''] = headers.slice(at, at + 2);
    if (!name.includes('_')) kept.push(name, value);
  }
  return kept;
}
