import { compileRouteExpression } from '@portcullis/resources';
import { buildRouteTable, type RouteTable } from '@portcullis/router';
import type { CompiledRoute } from './generation.ts';
import type { TimeSlices } from './time-slices.ts';

/** Routes that go into the table in one go, between two looks at the clock. */
const changedAtOnce = 50;

/** What becomes of the routes of a table. */
export interface RouteEdits {
  readonly upsert: readonly CompiledRoute[];
  /** IDs. */
  readonly remove: readonly string[];
}

/**
 * The table after a change. The first one, and one of which most is new, is built whole; else the change is made.
 * @param all every route that the table then has, by ID
 */
export async function changedRouter(
  before: RouteTable<CompiledRoute> | undefined,
  all: ReadonlyMap<string, CompiledRoute>,
  { upsert, remove }: RouteEdits,
  slices: TimeSlices,
): Promise<RouteTable<CompiledRoute>> {
  if (before === undefined || upsert.length > all.size / 2) {
    return buildRouteTable(all.values(), {
      compile: compileRouteExpression,
      isSliceOver: () => slices.isOver,
      pause: () => slices.next(),
    });
  }
  if (upsert.length === 0 && remove.length === 0) return before;
  let router = before.with({ remove });
  for (let at = 0; at < upsert.length; at += changedAtOnce) {
    router = router.with({ upsert: upsert.slice(at, at + changedAtOnce) });
    if (slices.isOver) await slices.next();
  }
  return router;
}
