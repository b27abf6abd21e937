import type { MinuteCounter, RequestRecord } from '@portcullis/resources';
import { saturatedSum } from './counter-pairs.ts';
import { dayMs, type RetentionRule } from './retention-rules.ts';

/** How far a node's clock may be ahead. */
export const aheadMsMax = 5 * 60_000;

/** Observations with an impossible time. */
export interface DroppedObservations {
  /** Requests in counters. */
  readonly late: number;
  readonly future: number;
  /** Raw records. */
  readonly records: number;
}

/** What is counted, and how much is not because of its time. */
export interface TimelyObservations {
  readonly counters: readonly MinuteCounter[];
  readonly records: readonly RequestRecord[];
  readonly dropped: DroppedObservations;
}

/** The oldest minute whose counters are kept, in whole minutes since 1970. */
export function oldestMinute(nowMs: number, { rollupDays }: RetentionRule): number {
  return Math.floor((nowMs - rollupDays * dayMs) / 60_000);
}

/**
 * Leaves out what is more than five minutes ahead, since it would outlive every retention, and what is older than its
 * retention. The rest is as good as any. Source: reliability rules, Ingest.
 */
export function timelyObservations(
  given: { readonly counters: readonly MinuteCounter[]; readonly records: readonly RequestRecord[] },
  nowMs: number,
  rule: RetentionRule,
): TimelyObservations {
  const newestMs = nowMs + aheadMsMax;
  const firstMinute = oldestMinute(nowMs, rule);
  let [late, future] = [0, 0];
  const counters = given.counters.filter(({ minute, requests }) => {
    if (minute < firstMinute) late = saturatedSum(late, requests);
    else if (minute * 60_000 > newestMs) future = saturatedSum(future, requests);
    else return true;
    return false;
  });
  const oldestMs = nowMs - rule.requestDays * dayMs;
  const records = given.records.filter(({ occurred_at_ms: atMs }) => atMs >= oldestMs && atMs <= newestMs);
  return { counters, records, dropped: { late, future, records: given.records.length - records.length } };
}
