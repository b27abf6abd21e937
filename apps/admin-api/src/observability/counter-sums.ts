import type { MinuteCounter } from '@portcullis/resources';
import type { ObservationCounterRow, ObservationGrain } from '../database/observation-tables.ts';
import { addTo, pairsText, parsePairs, saturatedSum } from './counter-pairs.ts';

/** Whose counters they are. */
export interface CounterOwner {
  readonly tenantId: string;
  readonly gatewayId: string;
}

/** Names a row of counters within its gateway. */
export type CounterKey = Pick<ObservationCounterRow, 'grain' | 'minute' | 'route_id' | 'service_id'>;

/** Columns that are plain sums. */
const sumColumns = [
  'requests',
  'errors_4xx',
  'errors_5xx',
  'latency_sum_us',
  'request_bytes',
  'response_bytes',
] as const;

/**
 * Thresholds that one stored row counts against; counts above further ones are not kept. Statuses and bins need no such
 * bound: the schema admits 500 of the ones and `latencyBinMax + 1` of the others.
 */
const thresholdsPerRowMax = 256;

/** Counters of one row that are being added up. */
export class CounterSum {
  readonly key: CounterKey;
  readonly #sums: Record<(typeof sumColumns)[number], number> = {
    requests: 0,
    errors_4xx: 0,
    errors_5xx: 0,
    latency_sum_us: 0,
    request_bytes: 0,
    response_bytes: 0,
  };
  readonly #statuses = new Map<number, number>();
  readonly #histogram = new Map<number, number>();
  readonly #over = new Map<number, number>();

  constructor(key: CounterKey) {
    this.key = key;
  }

  /** Adds what a node counted. */
  add(counter: MinuteCounter): void {
    for (const column of sumColumns) this.#sums[column] = saturatedSum(this.#sums[column], counter[column]);
    addTo(this.#statuses, counter.statuses);
    addTo(this.#histogram, counter.histogram);
    addTo(this.#over, counter.over, thresholdsPerRowMax);
  }

  /** The row that is stored: these counts and those of `before`, which is the stored row of the same key. */
  row(owner: CounterOwner, before?: ObservationCounterRow): ObservationCounterRow {
    const sums = { ...this.#sums };
    if (before !== undefined) {
      for (const column of sumColumns) sums[column] = saturatedSum(before[column], sums[column]);
    }
    return {
      tenant_id: owner.tenantId,
      gateway_id: owner.gatewayId,
      ...this.key,
      ...sums,
      statuses: mergedText(before?.statuses, this.#statuses),
      histogram: mergedText(before?.histogram, this.#histogram),
      over_thresholds: mergedText(before?.over_thresholds, this.#over, thresholdsPerRowMax),
    };
  }
}

function mergedText(before: string | undefined, added: ReadonlyMap<number, number>, keysMax?: number): string {
  if (before === undefined) return pairsText(added);
  if (added.size === 0) return before;
  const counts = parsePairs(before);
  addTo(counts, added, keysMax);
  return pairsText(counts);
}

/**
 * Adds up a batch in all grains, one sum for each row. They come in the order of their keys, which is the order in which
 * every batch takes its rows, so that two batches never wait for each other.
 */
export function sumsOfBatch(counters: readonly MinuteCounter[]): CounterSum[] {
  const sums = new Map<string, CounterSum>();
  for (const counter of counters) {
    for (const key of keysOf(counter)) {
      const text = keyText(key);
      let sum = sums.get(text);
      if (sum === undefined) sums.set(text, (sum = new CounterSum(key)));
      sum.add(counter);
    }
  }
  return [...sums].toSorted(([left], [right]) => (left < right ? -1 : 1)).map(([, sum]) => sum);
}

/** One text for each key, in the order of the columns of the primary key. */
export function keyText(key: CounterKey): string {
  return `${key.grain}\0${String(key.minute).padStart(10, '0')}\0${key.route_id}\0${key.service_id}`;
}

function keysOf({ minute, route_id: routeId = '', service_id: serviceId = '' }: MinuteCounter): CounterKey[] {
  const hour = minute - (minute % 60);
  const key = (grain: ObservationGrain, start: number, route: string, service: string): CounterKey => ({
    grain,
    minute: start,
    route_id: route,
    service_id: service,
  });
  return [
    key('route_minute', minute, routeId, serviceId),
    key('route_hour', hour, routeId, serviceId),
    key('gateway_minute', minute, '', ''),
    key('gateway_hour', hour, '', ''),
  ];
}
