import { readRoutePath } from '@portcullis/resources';
import { routeRuleOf, type RouteRule } from '@portcullis/router';
import type { ErrorList } from './configuration-errors.ts';
import type { RouteRecord } from './records.ts';

/** The matching part of a route; mistakes in its paths go to `errors`. */
export function routeRule(route: RouteRecord, pointer: string, errors: ErrorList): RouteRule {
  return routeRuleOf(route, readRoutePath, (at, message) => errors.add(`${pointer}${at}`, message));
}

/**
 * Whether a request of this gateway can have what the route asks of its connection. It takes HTTP/1.1 without TLS of its own,
 * so no request has a server name, and protocols other than HTTP do not come in.
 */
export function isReachable({ snis, protocols }: Pick<RouteRecord, 'snis' | 'protocols'>): boolean {
  return snis.length === 0 && (protocols.length === 0 || protocols.includes('http') || protocols.includes('https'));
}

/** What the route answers a request in cleartext with; `undefined` where it takes those. */
export function plainStatusOf(route: RouteRecord): number | undefined {
  const { protocols, https_redirect_status_code: status } = route;
  return protocols.includes('https') && !protocols.includes('http') ? status : undefined;
}
