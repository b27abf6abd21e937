import { type RouteTable, RouteTableDraft, type RouteTableOptions } from './route-table.ts';
import type { RouteRule } from './route-rule.ts';

/** {@link RouteTableOptions} of a build that lets others run. */
export interface SlicedBuildOptions extends RouteTableOptions {
  /** Whether it is the others' turn: after some milliseconds, by the caller's clock. Asked after each route. */
  readonly isSliceOver: () => boolean;
  /** Resolves when the next slice may begin. */
  readonly pause: () => Promise<void>;
}

/** A table, built at once: for some thousand routes. Of two routes with one ID the later counts. */
export function routeTable<Route extends RouteRule>(
  routes: Iterable<Route>,
  options: RouteTableOptions,
): RouteTable<Route> {
  const draft = new RouteTableDraft<Route>(options);
  for (const route of routes) draft.put(route);
  return draft.table();
}

/**
 * A table, built in slices, between which others run. A route with many hosts and paths is one slice.
 * @throws what compiling an expression or the pause throws
 */
export async function buildRouteTable<Route extends RouteRule>(
  routes: Iterable<Route>,
  options: SlicedBuildOptions,
): Promise<RouteTable<Route>> {
  const draft = new RouteTableDraft<Route>(options);
  for (const route of routes) {
    draft.put(route);
    if (options.isSliceOver()) await options.pause();
  }
  return draft.table();
}
