import type { Edit } from './edit.ts';
import type { RouteEntry } from './route-entry.ts';
import { compareEntries } from './route-order.ts';
import type { RouteRule } from './route-rule.ts';

/** The entries that match the same hosts and paths, in order: the first one, which knows the others. */
export type Place<Route extends RouteRule> = RouteEntry<Route> | undefined;

/** A place with one entry more. */
export function withEntry<Route extends RouteRule>(
  edit: Edit,
  place: Place<Route>,
  entry: RouteEntry<Route>,
): RouteEntry<Route> {
  if (place === undefined) return entry;
  const first = place.owner === edit ? place : place.leading([...(place.others ?? [])], edit);
  const others = first.others ?? [];
  if (compareEntries(entry, first) < 0) {
    first.others = undefined;
    others.unshift(first);
    entry.others = others;
    return entry;
  }
  others.splice(indexAfter(others, entry), 0, entry);
  first.others = others;
  return first;
}

/** A place without the entries of a route. */
export function withoutRoute<Route extends RouteRule>(edit: Edit, place: Place<Route>, routeId: string): Place<Route> {
  if (place === undefined) return undefined;
  const [first, ...others] = [place, ...(place.others ?? [])].filter(({ route }) => route.id !== routeId);
  return first?.leading(others, edit);
}

/** Where an entry belongs among entries in order. */
function indexAfter(entries: readonly RouteEntry<RouteRule>[], entry: RouteEntry<RouteRule>): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const other = entries[middle];
    if (other !== undefined && compareEntries(other, entry) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
