import type { EpochMs, JsonText } from './column-values.ts';

/** What is known of an objective beside its record: written by evaluations and acknowledgements, no configuration. */
export interface SloStateRow {
  tenant_id: string;
  id: string;
  /** Of the record: always `slos`. */
  family: string;
  /** Empty for an objective of the whole tenant. */
  gateway_id: string;
  /** What gateways count against; `null` for availability. */
  threshold_us: number | null;
  /** Revision of the record. A result for an earlier one is not stored. */
  definition_revision: number;
  /** `null` before the first evaluation. A result from before it is not stored. */
  evaluated_at: EpochMs | null;
  evaluation: JsonText | null;
  alert: JsonText;
  /** Of the newest row of the timeline. */
  last_sequence: number;
  last_at: EpochMs;
}

/** Something that happened to an objective. */
export interface SloTimelineRow {
  tenant_id: string;
  slo_id: string;
  /** Counts from 1 for each objective: the order of the timeline, also within one millisecond. */
  sequence: number;
  id: string;
  type: 'created' | 'updated' | 'transition' | 'acknowledged';
  from_state: string | null;
  to_state: string | null;
  actor: string;
  note: string | null;
  evaluation: JsonText | null;
  at: EpochMs;
}
