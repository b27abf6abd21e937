import { Durations } from '../observations/durations.ts';
import { RouteSeries } from '../observations/route-metrics.ts';

/** Routes with series of their own; connections of further ones are counted together as `overflow`. */
const streamSeriesMax = 1000;

/** What is counted of the connections of one route, since the process began. */
export class StreamSeries {
  /** Connections that are over, by status and who gave it; `total` is the time until the upstream was there, or a refusal. */
  readonly over: RouteSeries;
  /** From the first byte to the last. */
  readonly lasted = new Durations();
  open = 0;
  /** As they pass, and not when the connection is over. */
  receivedBytes = 0;
  sentBytes = 0;

  constructor(routeId: string, serviceId: string, overflow: boolean) {
    this.over = new RouteSeries(routeId, serviceId, overflow);
  }
}

/** The series of all routes of connections, which outlive configurations. */
export class StreamMetrics {
  /** Connections without a route. */
  readonly unmatched: StreamSeries = new StreamSeries('', '', false);
  readonly #series = new Map<string, StreamSeries>();
  readonly #overflow = new StreamSeries('', '', true);

  /** The series of a route, made on first use. */
  of(routeId: string, serviceId: string): StreamSeries {
    const known = this.#series.get(routeId);
    if (known !== undefined) return known;
    if (this.#series.size >= streamSeriesMax) return this.#overflow;
    const created = new StreamSeries(routeId, serviceId, false);
    this.#series.set(routeId, created);
    return created;
  }

  /** Every series that has had a connection. */
  all(): readonly StreamSeries[] {
    return [...this.#series.values(), this.unmatched, this.#overflow].filter(
      ({ over, open }) => open > 0 || over.total.count > 0,
    );
  }
}
