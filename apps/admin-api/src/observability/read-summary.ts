import type { Executor } from '../database/database.ts';
import { busiestRoutes, gatewayPages, routePages, type CounterScope } from './counter-queries.ts';
import { TrafficSummary } from './summary.ts';
import { rangesOf, seriesStepMinutes, type CounterRange, type SummaryWindow } from './summary-window.ts';

/** Routes that a summary names. */
const topRoutesMax = 10;

/**
 * Adds up a window. For each gateway at most 719 rows of minutes (windows below 12 hours) or 720 of hours are read, for
 * each of the routes that are named 720 of hours, and up to 118 minutes at the edges; always 250 rows at a time.
 * @param window at most 30 days
 */
export async function readSummary(
  executor: Executor,
  scope: CounterScope,
  window: SummaryWindow,
): Promise<TrafficSummary> {
  const stepMinutes = seriesStepMinutes(window);
  const ranges = rangesOf(window);
  const routes = await busiestRoutes(executor, scope, ranges, topRoutesMax);
  const summary = new TrafficSummary(stepMinutes, routes);
  const wholeHoursFit = stepMinutes % 60 === 0;
  const gatewayRanges: readonly CounterRange[] = wholeHoursFit ? ranges : [{ rows: 'minute', ...window }];
  for (const range of gatewayRanges) {
    for await (const page of gatewayPages(executor, scope, range)) summary.addGateways(page);
  }
  if (routes.length === 0) return summary;
  const routeIds = routes.map((route) => route.route_id);
  for (const range of ranges) {
    for await (const page of routePages(executor, scope, range, routeIds)) summary.addRoutes(page);
  }
  return summary;
}

/** Counts of a window of at most two hours, without its routes. */
export async function readTotals(executor: Executor, scope: CounterScope, window: SummaryWindow): Promise<unknown> {
  return (await ofGateways(executor, scope, window)).toWire()['totals'];
}

/** A point for each minute of a window of at most two hours that had requests. */
export async function readSeries(executor: Executor, scope: CounterScope, window: SummaryWindow): Promise<unknown> {
  return (await ofGateways(executor, scope, window)).toWire()['series'];
}

async function ofGateways(executor: Executor, scope: CounterScope, window: SummaryWindow): Promise<TrafficSummary> {
  const summary = new TrafficSummary(1, []);
  for await (const page of gatewayPages(executor, scope, { rows: 'minute', ...window })) summary.addGateways(page);
  return summary;
}
