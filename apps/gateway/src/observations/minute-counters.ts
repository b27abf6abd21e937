import { latencyBin, type MinuteCounter } from '@portcullis/resources';

/** A finished request as counters see it. */
export interface CountedRequest {
  /** Empty when no route was matched. */
  readonly routeId: string;
  readonly serviceId: string;
  readonly status: number;
  readonly latencyUs: number;
  readonly requestBytes: number;
  readonly responseBytes: number;
}

/** Above this many open counters (minutes × routes) the oldest minute is added to the next: totals stay exact. */
export const countersMax = 50_000;

class Counter {
  readonly routeId: string;
  readonly serviceId: string;
  requests = 0;
  errors4xx = 0;
  errors5xx = 0;
  latencySumUs = 0;
  requestBytes = 0;
  responseBytes = 0;
  readonly statuses = new Map<number, number>();
  readonly histogram = new Map<number, number>();

  constructor(routeId: string, serviceId: string) {
    this.routeId = routeId;
    this.serviceId = serviceId;
  }

  add(other: Counter): void {
    this.requests += other.requests;
    this.errors4xx += other.errors4xx;
    this.errors5xx += other.errors5xx;
    this.latencySumUs += other.latencySumUs;
    this.requestBytes += other.requestBytes;
    this.responseBytes += other.responseBytes;
    for (const [status, count] of other.statuses) this.statuses.set(status, (this.statuses.get(status) ?? 0) + count);
    for (const [bin, count] of other.histogram) this.histogram.set(bin, (this.histogram.get(bin) ?? 0) + count);
  }
}

/** Exact counts of each minute and route until they are reported. Source: decisions, 17. */
export class MinuteCounters {
  readonly #minutes = new Map<number, Map<string, Counter>>();
  #size = 0;

  /** How many counters wait. */
  get size(): number {
    return this.#size;
  }

  /** @param minute whole minutes since 1970 of the moment when the request arrived */
  count(minute: number, request: CountedRequest): void {
    const counter = this.#counterOf(minute, request.routeId, request.serviceId);
    counter.requests += 1;
    if (request.status >= 500) counter.errors5xx += 1;
    else if (request.status >= 400) counter.errors4xx += 1;
    counter.latencySumUs += request.latencyUs;
    counter.requestBytes += request.requestBytes;
    counter.responseBytes += request.responseBytes;
    counter.statuses.set(request.status, (counter.statuses.get(request.status) ?? 0) + 1);
    const bin = latencyBin(request.latencyUs);
    counter.histogram.set(bin, (counter.histogram.get(bin) ?? 0) + 1);
  }

  /** Takes out up to `max` counters, oldest minutes first. */
  take(max: number): MinuteCounter[] {
    const taken: MinuteCounter[] = [];
    for (const minute of [...this.#minutes.keys()].toSorted((left, right) => left - right)) {
      const counters = this.#minutes.get(minute) ?? new Map<string, Counter>();
      for (const [key, counter] of counters) {
        if (taken.length >= max) return taken;
        taken.push(wireCounter(minute, counter));
        counters.delete(key);
        this.#size -= 1;
      }
      this.#minutes.delete(minute);
    }
    return taken;
  }

  #counterOf(minute: number, routeId: string, serviceId: string): Counter {
    let counters = this.#minutes.get(minute);
    if (counters === undefined) {
      if (this.#size >= countersMax) this.#foldOldest();
      this.#minutes.set(minute, (counters = new Map()));
    }
    const known = counters.get(routeId);
    if (known !== undefined) return known;
    const created = new Counter(routeId, serviceId);
    counters.set(routeId, created);
    this.#size += 1;
    return created;
  }

  #foldOldest(): void {
    const [oldest, next] = [...this.#minutes.keys()].toSorted((left, right) => left - right);
    if (oldest === undefined || next === undefined) return;
    const counters = this.#minutes.get(oldest) ?? new Map<string, Counter>();
    this.#minutes.delete(oldest);
    this.#size -= counters.size;
    for (const counter of counters.values()) this.#counterOf(next, counter.routeId, counter.serviceId).add(counter);
  }
}

function wireCounter(minute: number, counter: Counter): MinuteCounter {
  return {
    minute,
    ...(counter.routeId === '' ? {} : { route_id: counter.routeId }),
    ...(counter.serviceId === '' ? {} : { service_id: counter.serviceId }),
    requests: counter.requests,
    errors_4xx: counter.errors4xx,
    errors_5xx: counter.errors5xx,
    latency_sum_us: counter.latencySumUs,
    request_bytes: counter.requestBytes,
    response_bytes: counter.responseBytes,
    statuses: [...counter.statuses],
    histogram: [...counter.histogram],
    over: [], // No thresholds yet: a configuration does not register any.
  };
}
