import { readRoutePath } from '@portcullis/resources';
import { routeRuleOf, type RouteRule } from '@portcullis/router';
import type { ErrorList } from './configuration-errors.ts';
import type { RouteRecord } from './records.ts';

/** The matching part of a route; mistakes in its paths go to `errors`. */
export function routeRule(route: RouteRecord, pointer: string, errors: ErrorList): RouteRule {
  return routeRuleOf(route, readRoutePath, (at, message) => errors.add(`${pointer}${at}`, message));
}
