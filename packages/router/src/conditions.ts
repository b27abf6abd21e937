import type { NamedAlternatives, RequestFacts, RouteRule } from './route-rule.ts';

/** What a route asks for besides host and path. */
export type Condition = 'method' | 'headers' | 'query' | 'sni';

/** Whether a route asks for anything besides host and path. */
export function asksForMore({ methods, headers, query, snis }: RouteRule): boolean {
  return methods.length > 0 || headers.length > 0 || query.length > 0 || (snis !== undefined && snis.length > 0);
}

/**
 * Whether a request has the method, headers, query parameters and server name that a route lists. Values are compared
 * exactly. Of a header or parameter that occurs several times, one match is enough.
 */
export function meetsConditions(rule: RouteRule, request: RequestFacts): boolean {
  return (
    hasMethod(rule, request) && hasHeaders(rule, request) && hasServerName(rule, request) && hasQuery(rule, request)
  );
}

/** The conditions of a route that a request does not meet. */
export function unmetConditions(rule: RouteRule, request: RequestFacts): readonly Condition[] {
  const unmet: Condition[] = [];
  if (!hasMethod(rule, request)) unmet.push('method');
  if (!hasHeaders(rule, request)) unmet.push('headers');
  if (!hasQuery(rule, request)) unmet.push('query');
  if (!hasServerName(rule, request)) unmet.push('sni');
  return unmet;
}

function hasMethod({ methods }: RouteRule, { method }: RequestFacts): boolean {
  return methods.length === 0 || methods.includes(method);
}

function hasHeaders({ headers }: RouteRule, request: RequestFacts): boolean {
  return headers.every((header) => hasHeader(request.headers, header));
}

/** Parsed once for a request, however many routes ask for parameters. */
const parsedQueries = new WeakMap<RequestFacts, URLSearchParams>();

function parametersOf(request: RequestFacts): URLSearchParams {
  const known = parsedQueries.get(request);
  if (known !== undefined) return known;
  const parsed = new URLSearchParams(request.query);
  parsedQueries.set(request, parsed);
  return parsed;
}

function hasQuery({ query }: RouteRule, request: RequestFacts): boolean {
  if (query.length === 0) return true;
  const parameters = parametersOf(request);
  return query.every(({ name, values }) => parameters.getAll(name).some((value) => values.includes(value)));
}

function hasServerName({ snis }: RouteRule, { sni }: RequestFacts): boolean {
  if (snis === undefined || snis.length === 0) return true;
  return sni !== undefined && snis.some((pattern) => namesServer(pattern, sni));
}

/** As in hosts, a wildcard stands for one label or more. */
function namesServer(pattern: string, name: string): boolean {
  if (!pattern.startsWith('*')) return name === pattern;
  return name.length >= pattern.length && name.endsWith(pattern.slice(1));
}

function hasHeader(headers: readonly string[], { name, values }: NamedAlternatives): boolean {
  for (let at = 0; at < headers.length; at += 2) {
    const given = headers[at] ?? '';
    const isNamed = given.length === name.length && (given === name || given.toLowerCase() === name);
    if (isNamed && values.includes(headers[at + 1] ?? '')) return true;
  }
  return false;
}
