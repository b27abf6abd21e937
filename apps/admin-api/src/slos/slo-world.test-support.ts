import { randomUUID } from 'node:crypto';
import { type MinuteCounter, observationBatch, type ObservationBatch, type RequestRecord } from '@portcullis/resources';
import * as v from 'valibot';
import type { Database } from '../database/database.ts';
import { createObservationIngest } from '../observability/observation-ingest.ts';
import { startTestService, type Answer, type TestService } from '../testing/test-service.test-support.ts';

/** Path of the objectives. */
export const slosPath = '/api/v1/admin/slos';

/** A clock that tests set, milliseconds since 1970. */
export interface TestClock {
  nowMs: number;
}

/** The time at which tests begin: in the middle of a minute. */
export const startMs: number = Date.UTC(2026, 4, 20, 10, 30, 30);

/** An objective of availability, over an hour. */
export function availability(tenantId: string, fields: object = {}): Record<string, unknown> {
  return {
    tenant_id: tenantId,
    name: 'checkout answers',
    objective: { type: 'availability', target_percent: 99 },
    evaluation_window_minutes: 60,
    ...fields,
  };
}

/** Counts of one minute. */
export function minuteCounter(atMs: number, counts: Partial<MinuteCounter> & { requests: number }): MinuteCounter {
  return {
    minute: Math.floor(atMs / 60_000),
    errors_4xx: 0,
    errors_5xx: 0,
    latency_sum_us: 0,
    request_bytes: 0,
    response_bytes: 0,
    statuses: [],
    histogram: [],
    over: [],
    ...counts,
  };
}

/** Sends counters and records of a gateway through the real ingest. */
export async function report(
  database: Database,
  clock: TestClock,
  node: { readonly tenantId: string; readonly gatewayId: string },
  told: { readonly counters?: readonly MinuteCounter[]; readonly records?: readonly RequestRecord[] },
  name: { readonly bootId: string; readonly sequence: number } = { bootId: randomUUID(), sequence: 1 },
): Promise<void> {
  const batch: ObservationBatch = v.parse(observationBatch, {
    boot_id: name.bootId,
    sequence: name.sequence,
    dropped_records: 0,
    counters: told.counters ?? [],
    records: told.records ?? [],
  });
  const ingest = createObservationIngest(database, () => clock.nowMs);
  await ingest({ kind: 'data_plane', id: `node-${node.gatewayId}`, ...node }, batch);
}

/** A service whose clock stands still until a test moves it. */
export async function startSloService(
  databaseUrl: string,
  clock: TestClock,
): Promise<TestService & { readonly ok: (...given: Parameters<TestService['call']>) => Promise<Answer> }> {
  const service = await startTestService(databaseUrl, { nowMs: () => clock.nowMs });
  return {
    ...service,
    async ok(...given) {
      const answer = await service.call(...given);
      if (answer.status >= 300)
        throw new Error(`${given[0]} ${given[1]}: ${answer.status} ${JSON.stringify(answer.body)}`);
      return answer;
    },
  };
}
