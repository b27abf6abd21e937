import type { Description, Operation } from '@portcullis/openapi';
import { compileRouteExpression, normalisePath, readRoutePath } from '@portcullis/resources';
import { routeRuleOf, routeTable } from '@portcullis/router';
import type { RouteFields, RouteRule, RouteTable } from '@portcullis/router';

/** A route of a bundle that was made. */
export type MadeRoute = Partial<RouteFields> & {
  readonly name: string;
  readonly service_name: string;
  readonly methods: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
};

/** The routes of a bundle in a real router. */
export function routerFor(bundle: Readonly<Record<string, unknown>>): RouteTable<RouteRule> {
  const routes = bundle['routes'] as readonly MadeRoute[];
  const defaults = {
    created_at_ms: 0,
    priority: 0,
    regex_priority: 0,
    hosts: [],
    paths: [],
    headers: {},
    query: {},
    snis: [],
  };
  const rules = routes.map((route) =>
    routeRuleOf({ ...defaults, path_type: 'prefix', ...route, id: route.name }, readRoutePath, (pointer, message) => {
      throw new Error(`${route.name} ${pointer}: ${message}`);
    }),
  );
  return routeTable(rules, { compile: compileRouteExpression });
}

/** The route that takes a request of an operation, with parameters that no literal of a description equals. */
export function routeTaking(table: RouteTable<RouteRule>, { path, method }: Operation): string | undefined {
  const filled = path
    .replaceAll(/\{[^{}]*\}/g, 'value-0')
    .replaceAll(/[^\0-\u007F]/g, (text) => encodeURIComponent(text));
  const normalised = normalisePath(filled);
  if (typeof normalised !== 'string') throw new Error(`${path}: ${normalised.message}`);
  return table.match({ method, host: 'h', path: normalised, query: '', headers: [] })?.route.name;
}

/** Path and method of each operation whose request does not reach a route that was made of its path and method. */
export function misrouted({ operations }: Description, bundle: Readonly<Record<string, unknown>>): readonly string[] {
  const table = routerFor(bundle);
  const routes = new Map((bundle['routes'] as readonly MadeRoute[]).map((route) => [route.name, route]));
  return operations.flatMap((operation) => {
    const taking = routeTaking(table, operation);
    const route = taking === undefined ? undefined : routes.get(taking);
    const isRight = route?.labels['openapi-path'] === operation.path && route.methods.includes(operation.method);
    return isRight ? [] : [`${operation.method} ${operation.path} goes to ${taking ?? 'nothing'}`];
  });
}
