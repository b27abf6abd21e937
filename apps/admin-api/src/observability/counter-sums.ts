import type { MinuteCounter } from '@portcullis/resources';
import type { ObservationCounterRow, ObservationGrain } from '../database/observation-tables.ts';
import { addCompared } from './compared-thresholds.ts';
import { addTo, pairsText, parsePairs, saturatedSum } from './counter-pairs.ts';
import { LatencySum } from './latency-sum.ts';

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
 * Keys of one stored row, two for each threshold that it counts against; counts above further ones are not kept. Statuses and bins need no such
 * bound: the schema admits 500 of the ones and `latencyBinMax + 1` of the others.
 */
const thresholdsPerRowMax = 256;

const noSums = {
  requests: 0,
  errors_4xx: 0,
  errors_5xx: 0,
  latency_sum_us: 0,
  request_bytes: 0,
  response_bytes: 0,
} as const;

/** What a stored row has counted. */
export type StoredCounts = Pick<
  ObservationCounterRow,
  (typeof sumColumns)[number] | 'statuses' | 'histogram' | 'over_thresholds'
>;

/** Histograms are added up in here, one after the other: nothing is awaited in between. */
const latencies = new LatencySum();

/** Counters that are added up into one row. */
export class CounterSum {
  readonly key: CounterKey;
  readonly #counters: MinuteCounter[] = [];

  constructor(key: CounterKey) {
    this.key = key;
  }

  /** Adds what a node counted. */
  add(counter: MinuteCounter): void {
    this.#counters.push(counter);
  }

  /** The row that is stored: these counts and those of `before`, which is the stored row of the same key. */
  row(owner: CounterOwner, before?: StoredCounts): ObservationCounterRow {
    const sums: Record<(typeof sumColumns)[number], number> = { ...noSums };
    const statuses = before ? parsePairs(before.statuses) : new Map<number, number>();
    const over = before ? parsePairs(before.over_thresholds) : new Map<number, number>();
    latencies.clear();
    if (before) {
      for (const column of sumColumns) sums[column] = before[column];
      latencies.addText(before.histogram);
    }
    for (const counter of this.#counters) {
      for (const column of sumColumns) sums[column] = saturatedSum(sums[column], counter[column]);
      addTo(statuses, counter.statuses);
      addCompared(over, counter, thresholdsPerRowMax);
      latencies.addPairs(counter.histogram);
    }
    return {
      tenant_id: owner.tenantId,
      gateway_id: owner.gatewayId,
      ...this.key,
      ...sums,
      statuses: pairsText(statuses),
      histogram: latencies.toText(),
      over_thresholds: pairsText(over),
    };
  }
}

/**
 * Adds up a gateway's counters in all grains, one sum for each row. They come in the order of their keys, which is the order in which
 * every batch takes its rows, so that two batches never wait for each other.
 */
export function sumsOfCounters(counters: readonly MinuteCounter[]): CounterSum[] {
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
