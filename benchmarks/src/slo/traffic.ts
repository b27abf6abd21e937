import { latencyBin, type MinuteCounter, type ObservationBatch, type RequestRecord } from '@portcullis/resources';

/** What gateways are told to count against, whole microseconds. */
export const thresholdsUs: readonly number[] = [
  50_000, 100_000, 250_000, 500_000, 1_000_000, 2_000_000, 5_000_000, 10_000_000,
];

/** Routes of each gateway. */
export const routesPerGateway = 10;

/** Raw records that a gateway's only worker keeps when nothing else is set. Source: ADR 0007, decisions 17. */
export const recordsPerSecond = 500;

/** What all events of a gateway were, each counted once. */
export interface Truth {
  total: bigint;
  /** Statuses 500 to 599. */
  failed: bigint;
  /** By threshold, in the order of `thresholdsUs`. */
  readonly slow: bigint[];
}

/** No event yet. */
export function emptyTruth(): Truth {
  return { total: 0n, failed: 0n, slow: thresholdsUs.map(() => 0n) };
}

/** A number from 0 to below 1, the same ones in every run. */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d_2b_79_f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface OpenCounter {
  readonly minute: number;
  readonly route: number;
  requests: number;
  errors4xx: number;
  errors5xx: number;
  latencyUs: number;
  readonly statuses: Map<number, number>;
  readonly histogram: Map<number, number>;
  readonly over: number[];
}

/** What one gateway saw in one second. */
export interface SecondOfTraffic {
  readonly counters: MinuteCounter[];
  readonly records: RequestRecord[];
}

/** Which moments events have. */
export interface TrafficTime {
  /** Of the second's beginning, milliseconds since 1970. */
  readonly atMs: number;
  /** The share of late events, and how late they are at most. */
  readonly lateShare: number;
  readonly lateMsMax: number;
}

/** Makes the traffic of one gateway, and keeps count of it. */
export class Traffic {
  readonly truth: Truth = emptyTruth();
  readonly #random: () => number;
  readonly #name: string;
  #records = 0;

  constructor(name: string, seed: number) {
    this.#name = name;
    this.#random = randomNumbers(seed);
  }

  /** Events of one second, as its gateway would send them: counters of all of them, and raw records of the first ones. */
  second(events: number, time: TrafficTime, recordsMax: number = recordsPerSecond): SecondOfTraffic {
    const open = new Map<number, OpenCounter>();
    const records: RequestRecord[] = [];
    for (let index = 0; index < events; index += 1) {
      const lateMs = this.#random() < time.lateShare ? Math.floor(this.#random() * time.lateMsMax) : 0;
      const atMs = time.atMs + Math.floor((index * 1000) / events) - lateMs;
      const route = Math.floor(this.#random() * routesPerGateway);
      const status = statusOf(this.#random());
      // A long tail, as services have: half below 20 ms, one in a hundred above half a second.
      const latencyUs = Math.floor(
        20_000 * Math.exp(2 * (this.#random() + this.#random() + this.#random() - 1.5) * 1.4),
      );
      this.#count(open, Math.floor(atMs / 60_000), route, status, latencyUs);
      if (records.length < recordsMax) records.push(this.#record(atMs, route, status, latencyUs));
    }
    return { counters: [...open.values()].map(wireCounter), records };
  }

  #count(open: Map<number, OpenCounter>, minute: number, route: number, status: number, latencyUs: number): void {
    const key = minute * routesPerGateway + route;
    let counter = open.get(key);
    if (counter === undefined) open.set(key, (counter = emptyCounter(minute, route)));
    counter.requests += 1;
    counter.latencyUs += latencyUs;
    if (status >= 500) counter.errors5xx += 1;
    else if (status >= 400) counter.errors4xx += 1;
    counter.statuses.set(status, (counter.statuses.get(status) ?? 0) + 1);
    const bin = latencyBin(latencyUs);
    counter.histogram.set(bin, (counter.histogram.get(bin) ?? 0) + 1);
    this.truth.total += 1n;
    if (status >= 500 && status <= 599) this.truth.failed += 1n;
    for (const [index, threshold] of thresholdsUs.entries()) {
      if (latencyUs <= threshold) break;
      counter.over[index] = (counter.over[index] ?? 0) + 1;
      this.truth.slow[index] = (this.truth.slow[index] ?? 0n) + 1n;
    }
  }

  #record(atMs: number, route: number, status: number, latencyUs: number): RequestRecord {
    this.#records += 1;
    const id = `${this.#name}-${this.#records}`;
    return {
      id,
      request_id: id,
      occurred_at_ms: atMs,
      method: 'GET',
      path: `/shop/products/${this.#records % 1000}`,
      path_template: '/shop/products/*',
      route_id: `route-${route}`,
      service_id: `service-${route}`,
      consumer_id: `consumer-${this.#records % 100}`,
      status,
      status_source: 'upstream',
      latency_us: latencyUs,
      upstream_latency_us: latencyUs,
      gateway_latency_us: 300,
      request_bytes: 0,
      response_bytes: 1200,
      client_ip: '192.0.2.1',
      plugins: [{ name: 'api_key_auth', stage: 'request', outcome: 'continue', duration_us: 40 }],
    };
  }
}

/** What a gateway sends after a second. */
export function batchOf(bootId: string, sequence: number, { counters, records }: SecondOfTraffic): ObservationBatch {
  return { boot_id: bootId, sequence, dropped_records: 0, counters, records };
}

function statusOf(random: number): number {
  if (random < 0.002) return 503;
  return random < 0.02 ? 404 : 200;
}

function emptyCounter(minute: number, route: number): OpenCounter {
  const sums = { requests: 0, errors4xx: 0, errors5xx: 0, latencyUs: 0 };
  return { minute, route, ...sums, statuses: new Map(), histogram: new Map(), over: thresholdsUs.map(() => 0) };
}

function wireCounter(counter: OpenCounter): MinuteCounter {
  return {
    minute: counter.minute,
    route_id: `route-${counter.route}`,
    service_id: `service-${counter.route}`,
    requests: counter.requests,
    errors_4xx: counter.errors4xx,
    errors_5xx: counter.errors5xx,
    latency_sum_us: counter.latencyUs,
    request_bytes: 0,
    response_bytes: counter.requests * 1200,
    statuses: [...counter.statuses],
    histogram: [...counter.histogram],
    over: thresholdsUs.map((threshold, index) => [threshold, counter.over[index] ?? 0]),
  };
}
