import type { MinuteCounter, ObservationBatch, RequestRecord } from '@portcullis/resources';
import { oldestMinute, retentionMs } from './retention.ts';

/** How far a node's clock may be ahead. */
export const aheadMsMax = 5 * 60_000;

/** What of a batch is counted, and how much of it is not because of its time. */
export interface TimelyObservations {
  readonly counters: readonly MinuteCounter[];
  readonly records: readonly RequestRecord[];
  readonly refused: { readonly counters: number; readonly records: number };
}

/**
 * Leaves out what is more than five minutes ahead, since it would outlive every retention, and what is older than its
 * retention. The rest of the batch is as good as any. Source: reliability rules, Ingest.
 */
export function timelyObservations(batch: ObservationBatch, nowMs: number): TimelyObservations {
  const newestMs = nowMs + aheadMsMax;
  const firstMinute = oldestMinute(nowMs);
  const counters = batch.counters.filter(({ minute }) => minute >= firstMinute && minute * 60_000 <= newestMs);
  const oldestMs = nowMs - retentionMs.records;
  const records = batch.records.filter(({ occurred_at_ms: atMs }) => atMs >= oldestMs && atMs <= newestMs);
  const refused = {
    counters: batch.counters.length - counters.length,
    records: batch.records.length - records.length,
  };
  return { counters, records, refused };
}
