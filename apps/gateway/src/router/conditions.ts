import type { NamedAlternatives, RequestFacts, RouteRule } from './route-rule.ts';

/**
 * Whether a request has the method, headers and query parameters that a route lists. Values are compared exactly.
 * Of a header or parameter that occurs several times, one match is enough.
 */
export function meetsConditions(rule: RouteRule, request: RequestFacts): boolean {
  if (rule.methods.length > 0 && !rule.methods.includes(request.method)) return false;
  if (rule.headers.length > 0 && !rule.headers.every((header) => hasHeader(request.headers, header))) return false;
  if (rule.query.length === 0) return true;
  const parameters = new URLSearchParams(request.query);
  return rule.query.every(({ name, values }) => parameters.getAll(name).some((value) => values.includes(value)));
}

function hasHeader(headers: readonly string[], { name, values }: NamedAlternatives): boolean {
  for (let at = 0; at < headers.length; at += 2) {
    if (headers[at]?.toLowerCase() === name && values.includes(headers[at + 1] ?? '')) return true;
  }
  return false;
}
