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

/** Statuses that count as errors of the server, and the last that a report can tell. */
const serverErrors = { least: 500, most: 599 } as const;

class Counter {
  readonly routeId: string;
  readonly serviceId: string;
  /** Microseconds, ascending. Every request of the counter was compared with each of them. */
  thresholds: readonly number[];
  /** Requests that took longer, for each of the thresholds. */
  #over: number[];
  requests = 0;
  errors4xx = 0;
  errors5xx = 0;
  latencySumUs = 0;
  requestBytes = 0;
  responseBytes = 0;
  readonly statuses = new Map<number, number>();
  readonly histogram = new Map<number, number>();

  constructor(routeId: string, serviceId: string, thresholds: readonly number[]) {
    this.routeId = routeId;
    this.serviceId = serviceId;
    this.thresholds = thresholds;
    this.#over = thresholds.map(() => 0);
  }

  /** Requests strictly above each threshold; 0 is told too, since it says that the requests were compared. */
  over(): [number, number][] {
    return this.thresholds.map((threshold, index) => [threshold, this.#over[index] ?? 0]);
  }

  compare(latencyUs: number): void {
    for (let index = 0; latencyUs > (this.thresholds[index] ?? Number.POSITIVE_INFINITY); index += 1) {
      this.#over[index] = (this.#over[index] ?? 0) + 1;
    }
  }

  /** Adds another's counts. What not both were compared with is told of neither. */
  add(other: Counter): void {
    const others = new Map(other.over());
    const common = this.over().flatMap(([threshold, over]): [number, number][] => {
      const more = others.get(threshold);
      return more === undefined ? [] : [[threshold, over + more]];
    });
    if (common.length < this.thresholds.length) this.thresholds = common.map(([threshold]) => threshold);
    this.#over = common.map(([, over]) => over);
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
  #thresholds: readonly number[] = [];
  /** How many counters were set aside; makes their keys. */
  #setAside = 0;

  /** How many counters wait. */
  get size(): number {
    return this.#size;
  }

  /**
   * Compares requests with these latencies from now on. Counters that were begun with others are reported as they are, apart from
   * those that begin now.
   * @param thresholdsUs whole microseconds, ascending, at most 64. Source: decisions, 17
   */
  countAgainst(thresholdsUs: readonly number[]): void {
    const isSame =
      thresholdsUs.length === this.#thresholds.length &&
      thresholdsUs.every((threshold, index) => threshold === this.#thresholds[index]);
    if (!isSame) this.#thresholds = thresholdsUs;
  }

  /** @param minute whole minutes since 1970 of the moment when the request arrived */
  count(minute: number, request: CountedRequest): void {
    const counter = this.#counterOf(minute, request.routeId, request.serviceId);
    counter.requests += 1;
    const { status } = request;
    if (status >= serverErrors.least && status <= serverErrors.most) counter.errors5xx += 1;
    else if (status >= 400 && status < serverErrors.least) counter.errors4xx += 1;
    counter.latencySumUs += request.latencyUs;
    counter.requestBytes += request.requestBytes;
    counter.responseBytes += request.responseBytes;
    if (status <= serverErrors.most) counter.statuses.set(status, (counter.statuses.get(status) ?? 0) + 1);
    const bin = latencyBin(request.latencyUs);
    counter.histogram.set(bin, (counter.histogram.get(bin) ?? 0) + 1);
    counter.compare(request.latencyUs);
  }

  /**
   * Takes out up to `max` counters, oldest minutes first, and no more of them than have about `charactersMax` as JSON; at least one.
   */
  take(max: number, charactersMax: number = Number.POSITIVE_INFINITY): MinuteCounter[] {
    const taken: MinuteCounter[] = [];
    let characters = 0;
    for (const minute of [...this.#minutes.keys()].toSorted((left, right) => left - right)) {
      const counters = this.#minutes.get(minute) ?? new Map<string, Counter>();
      for (const [key, counter] of counters) {
        characters += charactersOf(counter);
        if (taken.length >= max || (taken.length > 0 && characters > charactersMax)) return taken;
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
    if (known?.thresholds === this.#thresholds) return known;
    const created = new Counter(routeId, serviceId, this.#thresholds);
    counters.set(routeId, created);
    if (known !== undefined && this.#size >= countersMax) {
      // No room to keep both: what they have in common stays exact.
      created.add(known);
      return created;
    }
    // No route has such an ID.
    if (known !== undefined) counters.set(`\0${(this.#setAside += 1)}`, known);
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

/** Room for names of fields and sums, and for a pair of a status, a bin or a threshold and its count. */
const fixedCharacters = 400;
const charactersPerPair = 20;

/** About how long a counter is as JSON, rather too much than too little. */
function charactersOf({ routeId, serviceId, statuses, histogram, thresholds }: Counter): number {
  const pairs = statuses.size + histogram.size + thresholds.length;
  return fixedCharacters + routeId.length + serviceId.length + pairs * charactersPerPair;
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
    over: counter.over(),
  };
}
