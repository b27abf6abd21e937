import { latencyBin, type MinuteCounter, type RequestRecord } from '@portcullis/resources';
import fc from 'fast-check';
import { minuteCounter } from './slo-world.test-support.ts';

/** A request that a gateway answered, and how the report of it travels. */
export interface ObservedEvent {
  readonly gatewayId: string;
  readonly occurredAtMs: number;
  readonly status: number;
  readonly latencyUs: number;
  /** Requests of one batch travel together. */
  readonly batch: number;
}

/** A batch, and what its gateway knew when it counted. */
export interface BatchPlan {
  /** Thresholds that its requests were compared with. */
  readonly thresholds: readonly number[];
  /** Whether raw records of its requests come along. */
  readonly hasRecords: boolean;
  /** How often it is sent. */
  readonly times: number;
}

/** Thresholds that objectives of these tests have, whole microseconds. */
export const thresholdsUs = [0, 999, 1000, 250_000] as const;

/** Batches that events are spread over. */
export const batchCount = 6;

const dayMs = 86_400_000;

/** Events around a moment: most of them close to it, some after it, as by clocks that are ahead, some of long ago; on both sides of borders. */
export function eventsAround(nowMs: number): fc.Arbitrary<ObservedEvent[]> {
  const ago = fc.oneof(
    fc.integer({ min: 0, max: 10 * 60_000 }),
    fc.integer({ min: -4 * 60_000, max: 60_000 }),
    fc.integer({ min: 0, max: 3 * 3_600_000 }),
    fc.integer({ min: 0, max: 31 * dayMs }),
    // Just inside, at, and just outside of windows of whole minutes.
    fc
      .tuple(fc.constantFrom(0, 5, 6, 60, 61, 1440, 43_200), fc.integer({ min: -1, max: 1 }))
      .map(([minutes, off]) => minutes * 60_000 + off),
  );
  const latencyUs = fc.oneof(
    fc.constantFrom(0, 1, 999, 1000, 1001, 250_000, 250_001),
    fc.integer({ min: 0, max: 400_000 }),
  );
  return fc.array(
    fc.record({
      gatewayId: fc.constantFrom('edge', 'inner'),
      occurredAtMs: ago.map((ms) => nowMs - ms),
      status: fc.constantFrom(200, 200, 404, 499, 500, 503, 599),
      latencyUs,
      batch: fc.nat({ max: batchCount - 1 }),
    }),
    { maxLength: 120, size: 'max' },
  );
}

/** What one gateway reports of some events in one batch: records of after now at least, because only they show it. */
export function toldOf(
  events: readonly ObservedEvent[],
  { thresholds, hasRecords }: BatchPlan,
  { name, nowMs }: { readonly name: string; readonly nowMs: number },
): { counters: MinuteCounter[]; records: RequestRecord[] } {
  const counters = [...Map.groupBy(events, ({ occurredAtMs }) => Math.floor(occurredAtMs / 60_000)).values()].map(
    (group) => {
      const bins = Map.groupBy(group, ({ latencyUs }) => latencyBin(latencyUs));
      const statuses = Map.groupBy(group, ({ status }) => status);
      return minuteCounter(group[0]?.occurredAtMs ?? 0, {
        requests: group.length,
        errors_4xx: group.filter(({ status }) => status >= 400 && status < 500).length,
        errors_5xx: group.filter(({ status }) => status >= 500).length,
        statuses: Array.from(statuses, ([status, all]): [number, number] => [status, all.length]),
        histogram: Array.from(bins, ([bin, all]): [number, number] => [bin, all.length]),
        over: thresholds.map((threshold): [number, number] => [
          threshold,
          group.filter(({ latencyUs }) => latencyUs > threshold).length,
        ]),
      });
    },
  );
  const kept = events.filter(({ occurredAtMs }) => hasRecords || occurredAtMs > nowMs);
  return { counters, records: kept.map((event, index) => recordOf(event, `${name}-${index}`)) };
}

function recordOf({ occurredAtMs, status, latencyUs }: ObservedEvent, id: string): RequestRecord {
  return {
    id,
    request_id: id,
    occurred_at_ms: occurredAtMs,
    method: 'GET',
    path: '/',
    status,
    status_source: 'upstream',
    latency_us: latencyUs,
    gateway_latency_us: 0,
    request_bytes: 0,
    response_bytes: 0,
    client_ip: '192.0.2.1',
    plugins: [],
  };
}
