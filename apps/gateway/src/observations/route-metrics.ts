import { Durations } from './durations.ts';

/** Who made a response. */
export type StatusSource = 'upstream' | 'gateway' | 'plugin';

/** Routes with metric series of their own; requests of further ones are counted together as `overflow`. */
const routeSeriesMax = 1000;

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'OTHER'] as const;
const methodIndexes: ReadonlyMap<string, number> = new Map(methods.map((method, index) => [method, index]));
const sources: readonly StatusSource[] = ['upstream', 'gateway', 'plugin'];
const statusClasses = 5;

/** What the metrics of one route are kept in, since the process began. Reading it costs nothing per request. */
export class RouteSeries {
  readonly routeId: string;
  readonly serviceId: string;
  readonly overflow: boolean;
  readonly total = new Durations();
  readonly upstream = new Durations();
  readonly overhead = new Durations();
  requestBytes = 0;
  responseBytes = 0;
  /** Requests that a plugin of the category rate_limit refused. */
  rateLimited = 0;
  readonly #requests = new Float64Array(methods.length * statusClasses * sources.length);

  constructor(routeId: string, serviceId: string, overflow: boolean) {
    this.routeId = routeId;
    this.serviceId = serviceId;
    this.overflow = overflow;
  }

  /** Adds a finished request. Unknown methods count as `OTHER`: a client must not make series. */
  count(method: string, status: number, source: StatusSource, isLimited = false): void {
    const methodAt = methodIndexes.get(method) ?? methods.length - 1;
    const classAt = Math.min(statusClasses, Math.max(1, Math.floor(status / 100))) - 1;
    const at = (methodAt * statusClasses + classAt) * sources.length + sources.indexOf(source);
    this.#requests[at] = (this.#requests[at] ?? 0) + 1;
    if (isLimited) this.rateLimited += 1;
  }

  /** Every kind of request that was counted, with its number. */
  requests(): readonly CountedKind[] {
    return methods.flatMap((method, methodAt) =>
      Array.from({ length: statusClasses }, (_, classAt) => classAt).flatMap((classAt) =>
        sources.flatMap((source, sourceAt) => {
          const count = this.#requests[(methodAt * statusClasses + classAt) * sources.length + sourceAt] ?? 0;
          return count === 0 ? [] : [{ method, statusClass: `${classAt + 1}xx`, source, count }];
        }),
      ),
    );
  }
}

/** Requests of one method, class of statuses and source. */
export interface CountedKind {
  readonly method: string;
  readonly statusClass: string;
  readonly source: StatusSource;
  readonly count: number;
}

/** The series of all routes, which outlive configurations. */
export class RouteMetrics {
  readonly #series = new Map<string, RouteSeries>();
  readonly #overflow = new RouteSeries('', '', true);
  readonly #unmatched = new RouteSeries('', '', false);

  /** Requests without a route. */
  get unmatched(): RouteSeries {
    return this.#unmatched;
  }

  /** The series of a route, made on first use. */
  of(routeId: string, serviceId: string): RouteSeries {
    const known = this.#series.get(routeId);
    if (known !== undefined) return known;
    if (this.#series.size >= routeSeriesMax) return this.#overflow;
    const created = new RouteSeries(routeId, serviceId, false);
    this.#series.set(routeId, created);
    return created;
  }

  /** Every series that counted something. */
  all(): readonly RouteSeries[] {
    return [...this.#series.values(), this.#unmatched, this.#overflow].filter(({ total }) => total.count > 0);
  }
}
