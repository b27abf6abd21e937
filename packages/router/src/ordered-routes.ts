import { hostRank, pathLengthOf, pathRank } from './path-rank.ts';
import { compareEntries, type OrderedEntry } from './route-order.ts';
import type { RouteRule } from './route-rule.ts';
import type { RouteTable } from './route-table.ts';

/** Routes that are sorted, or merged, between two pauses: some milliseconds. */
const sliceRoutes = 1_000;

interface OrderedRoute<Route extends RouteRule> extends OrderedEntry {
  readonly route: Route;
}

/**
 * All routes of a table in the order in which they are tried; one with several hosts and paths stands where its first way to
 * match does. Sorted in slices, between which others run.
 * @param pause resolves when the work may go on
 */
export async function orderedRoutes<Route extends RouteRule>(
  table: RouteTable<Route>,
  pause: () => Promise<void>,
): Promise<readonly Route[]> {
  let runs: OrderedRoute<Route>[][] = [];
  let run: OrderedRoute<Route>[] = [];
  for (const route of table.routes()) {
    if (run.push(firstWay(route)) < sliceRoutes) continue;
    runs.push(run.toSorted(compareEntries));
    run = [];
    await pause();
  }
  runs.push(run.toSorted(compareEntries));
  while (runs.length > 1) {
    const merged: OrderedRoute<Route>[][] = [];
    for (let at = 0; at < runs.length; at += 2) merged.push(await mergedRun(runs[at] ?? [], runs[at + 1] ?? [], pause));
    runs = merged;
  }
  return (runs[0] ?? []).map(({ route }) => route);
}

async function mergedRun<Entry extends OrderedEntry>(
  left: readonly Entry[],
  right: readonly Entry[],
  pause: () => Promise<void>,
): Promise<Entry[]> {
  const merged: Entry[] = [];
  let [ofLeft, ofRight] = [0, 0];
  for (;;) {
    const [one, other] = [left[ofLeft], right[ofRight]];
    const isLeft = one !== undefined && (other === undefined || compareEntries(one, other) <= 0);
    const next = isLeft ? one : other;
    if (next === undefined) return merged;
    if (isLeft) ofLeft += 1;
    else ofRight += 1;
    if (merged.push(next) % sliceRoutes === 0) await pause();
  }
}

function firstWay<Route extends RouteRule>(route: Route): OrderedRoute<Route> {
  const hosts = route.hosts.length > 0 ? route.hosts : [undefined];
  const paths = route.paths.length > 0 ? route.paths : [undefined];
  const { priority } = route;
  const ways = hosts.flatMap((host) =>
    paths.map((path): OrderedRoute<Route> => {
      const ranks = { hostRank: hostRank(host), pathRank: pathRank(path), pathLength: pathLengthOf(path) };
      return { route, priority, ...ranks };
    }),
  );
  return ways.reduce((first, way) => (compareEntries(way, first) < 0 ? way : first));
}
