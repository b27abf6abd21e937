import type { EpochMs, JsonText } from './column-values.ts';

/** What is known of an integration beside its record: written by syncs, no configuration. */
export interface IntegrationStateRow {
  tenant_id: string;
  id: string;
  /** Of the record: always `integrations`. */
  family: string;
  /** The sync that is under way; `null` when none is. */
  run_id: string | null;
  /** When that sync counts as lost: the process that did it is gone. */
  run_until: EpochMs | null;
  /** Of the newest row of the history. */
  last_sequence: number;
  /** The newest result, without what was found, which the history has; `null` before the first. Earlier releases kept all of it here. */
  last_sync: JsonText | null;
}

/** A sync that was done. */
export interface IntegrationSyncRow {
  tenant_id: string;
  integration_id: string;
  /** Counts from 1 for each integration: the order of the history. */
  sequence: number;
  id: string;
  /** Who asked for it. */
  actor: string;
  /** Of the record, when the sync began. */
  record_revision: number;
  result: JsonText;
}
