import { addTo, parsePairs, saturatedSum } from './counter-pairs.ts';
import type { RouteCounts, TrafficRow } from './counter-queries.ts';
import { LatencySum } from './latency-sum.ts';

/** A point of the series that is being added up. */
interface Point {
  requests: number;
  errors5xx: number;
  readonly histogram: LatencySum;
}

/**
 * Traffic that is added up page by page, in any order, so that a long window needs no more memory than its result: one
 * histogram for each point and each route that is named.
 */
export class TrafficSummary {
  readonly #stepMinutes: number;
  readonly #totals = { requests: 0, errors4xx: 0, errors5xx: 0, latencyUs: 0, requestBytes: 0, responseBytes: 0 };
  readonly #statuses = new Map<number, number>();
  readonly #points = new Map<number, Point>();
  readonly #routes: readonly RouteCounts[];
  readonly #routeHistograms = new Map<string, LatencySum>();

  /**
   * @param stepMinutes width of the points of the series; they begin at multiples of it
   * @param routes the routes that the summary names, with their counts
   */
  constructor(stepMinutes: number, routes: readonly RouteCounts[]) {
    this.#stepMinutes = stepMinutes;
    this.#routes = routes;
  }

  /** Adds counters of whole gateways. No row may be longer than a point. */
  addGateways(rows: readonly TrafficRow[]): void {
    const totals = this.#totals;
    for (const row of rows) {
      totals.requests = saturatedSum(totals.requests, row.requests);
      totals.errors4xx = saturatedSum(totals.errors4xx, row.errors_4xx);
      totals.errors5xx = saturatedSum(totals.errors5xx, row.errors_5xx);
      totals.latencyUs = saturatedSum(totals.latencyUs, row.latency_sum_us);
      totals.requestBytes = saturatedSum(totals.requestBytes, row.request_bytes);
      totals.responseBytes = saturatedSum(totals.responseBytes, row.response_bytes);
      addTo(this.#statuses, parsePairs(row.statuses));
      const point = this.#pointOf(row.minute);
      point.requests = saturatedSum(point.requests, row.requests);
      point.errors5xx = saturatedSum(point.errors5xx, row.errors_5xx);
      point.histogram.addText(row.histogram);
    }
  }

  /** Adds the latencies of routes that the summary names. */
  addRoutes(rows: readonly TrafficRow[]): void {
    for (const row of rows) {
      let histogram = this.#routeHistograms.get(row.route_id);
      if (histogram === undefined) this.#routeHistograms.set(row.route_id, (histogram = new LatencySum()));
      histogram.addText(row.histogram);
    }
  }

  /** What was added, as the wire shows it. Source: wire contract, Observability. */
  toWire(): Record<string, unknown> {
    const points = [...this.#points].toSorted(([left], [right]) => left - right);
    return {
      totals: this.#totalsToWire(),
      series_step_minutes: this.#stepMinutes,
      series: points.map(([minute, point]) => ({
        at: new Date(minute * 60_000).toISOString(),
        requests: point.requests,
        errors_5xx: point.errors5xx,
        p95_ms: quantileMs(point.histogram, 0.95),
      })),
      by_status: Object.fromEntries([...this.#statuses].map(([status, count]) => [String(status), count])),
      top_routes: this.#routes.map((route) => ({
        ...route,
        p95_ms: quantileMs(this.#routeHistograms.get(route.route_id) ?? new LatencySum(), 0.95),
      })),
    };
  }

  #pointOf(minute: number): Point {
    const start = minute - (minute % this.#stepMinutes);
    let point = this.#points.get(start);
    if (point === undefined)
      this.#points.set(start, (point = { requests: 0, errors5xx: 0, histogram: new LatencySum() }));
    return point;
  }

  #totalsToWire(): Record<string, unknown> {
    const totals = this.#totals;
    const histogram = new LatencySum();
    for (const point of this.#points.values()) histogram.addSum(point.histogram);
    const errors = totals.errors4xx + totals.errors5xx;
    return {
      requests: totals.requests,
      errors_4xx: totals.errors4xx,
      errors_5xx: totals.errors5xx,
      error_rate: totals.requests === 0 ? 0 : errors / totals.requests,
      latency_ms: {
        p50: quantileMs(histogram, 0.5),
        p95: quantileMs(histogram, 0.95),
        p99: quantileMs(histogram, 0.99),
        avg: totals.requests === 0 ? null : totals.latencyUs / totals.requests / 1000,
      },
      bytes_in: totals.requestBytes,
      bytes_out: totals.responseBytes,
    };
  }
}

/** Milliseconds; `null` where nothing was observed. */
function quantileMs(histogram: LatencySum, share: number): number | null {
  const latencyUs = histogram.quantileUs(share);
  return latencyUs === undefined ? null : latencyUs / 1000;
}
