import {
  observationLimits,
  type MinuteCounter,
  type ObservationBatch,
  type RequestRecord,
} from '@portcullis/resources';
import type { DataPlanePrincipal } from '../identity/principal.ts';

/**
 * What is counted in one transaction, so that none holds the only writer of SQLite for long. Parts of a batch are always the
 * same: one that is sent again is not counted twice although only some of its parts were. So these two never change; the
 * migration to parts knows that a batch has at most ten.
 */
export const partLimits = { counters: 500, records: 1000 } as const;

/** Part of a batch that a node sent. */
export interface BatchPart {
  readonly node: DataPlanePrincipal;
  readonly bootId: string;
  readonly sequence: number;
  readonly part: number;
  readonly counters: readonly MinuteCounter[];
  readonly records: readonly RequestRecord[];
  /** Raw records that the node had no room for; said once for each batch. */
  readonly droppedRecords: number;
}

/** Most parts of one batch. */
export const partsMax: number = Math.max(
  Math.ceil(observationLimits.countersMax / partLimits.counters),
  Math.ceil(observationLimits.recordsMax / partLimits.records),
);

/** Cuts a batch. There is at least one part, also of a batch with nothing in it. */
export function partsOf(node: DataPlanePrincipal, batch: ObservationBatch): BatchPart[] {
  const { counters, records } = batch;
  const count = Math.max(
    1,
    Math.ceil(counters.length / partLimits.counters),
    Math.ceil(records.length / partLimits.records),
  );
  return Array.from({ length: count }, (_, part) => ({
    node,
    bootId: batch.boot_id,
    sequence: batch.sequence,
    part,
    counters: counters.slice(part * partLimits.counters, (part + 1) * partLimits.counters),
    records: records.slice(part * partLimits.records, (part + 1) * partLimits.records),
    droppedRecords: part === 0 ? batch.dropped_records : 0,
  }));
}
