import type { AlertRecord, Evaluation, TimelineEvent } from '@portcullis/slo-engine';
import type { Transaction } from 'kysely';
import { chunksOf } from '../database/chunks.ts';
import type { Executor } from '../database/database.ts';
import { traitsOf } from '../database/dialect-traits.ts';
import type { SloStateRow } from '../database/slo-tables.ts';
import { storableJson } from '../database/storable-text.ts';
import type { Tables } from '../database/tables.ts';

/** Entries of a timeline that are kept: the newest of each objective. Older ones go as new ones come. */
export const timelineKeptMax = 1000;

/** What is known of an objective beside its record. */
export interface SloState {
  readonly evaluation: Evaluation | null;
  readonly alert: AlertRecord['alert'];
}

/** The states of objectives, by ID. */
export async function readStates(
  executor: Executor,
  tenantId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, SloState>> {
  const states = new Map<string, SloState>();
  for (const chunk of chunksOf(ids)) {
    const rows = await executor
      .selectFrom('slo_states')
      .select(['id', 'evaluation', 'alert'])
      .where('tenant_id', '=', tenantId)
      .where('id', 'in', chunk)
      .execute();
    for (const row of rows) states.set(row.id, stateOfRow(row));
  }
  return states;
}

/** What a row says. */
export function stateOfRow(row: Pick<SloStateRow, 'evaluation' | 'alert'>): SloState {
  return {
    evaluation: row.evaluation === null ? null : (JSON.parse(row.evaluation) as Evaluation),
    alert: JSON.parse(row.alert) as AlertRecord['alert'],
  };
}

/** A row as the alert's rules know it. */
export function alertRecordOf(row: SloStateRow): AlertRecord {
  return {
    alert: JSON.parse(row.alert) as AlertRecord['alert'],
    evaluatedAtMs: row.evaluated_at,
    definitionVersion: row.definition_revision,
  };
}

/**
 * Takes the rows of objectives for a change, in the order of their IDs: transactions that take several never wait for each other
 * in a circle. Those that are gone are left out.
 */
export async function lockStates(
  transaction: Transaction<Tables>,
  tenantId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, SloStateRow>> {
  const query = transaction
    .selectFrom('slo_states')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('id', 'in', ids)
    .orderBy('id');
  const rows = await traitsOf(transaction).lockRows(query, 'change').execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** What becomes of a locked row, and what its timeline gets. */
export interface StateChange {
  readonly row: SloStateRow;
  readonly record: AlertRecord;
  readonly timelineEvent: TimelineEvent | undefined;
}

/** What a change needs beside itself. */
export interface StateWriteParts {
  readonly newId: () => string;
}

/** Writes a row whose lock the transaction holds, and the entry of its timeline. */
export async function writeState(
  transaction: Transaction<Tables>,
  { newId }: StateWriteParts,
  { row, record, timelineEvent }: StateChange,
  more: Partial<Pick<SloStateRow, 'evaluation' | 'gateway_id' | 'threshold_us'>> = {},
): Promise<void> {
  // Clocks of replicas differ: the order of the timeline is that of its numbers, and its times never go back.
  const atMs = timelineEvent ? Math.max(Date.parse(timelineEvent.at), row.last_at) : row.last_at;
  const sequence = row.last_sequence + (timelineEvent ? 1 : 0);
  await transaction
    .updateTable('slo_states')
    .set({
      ...more,
      alert: storableJson(JSON.stringify(record.alert)),
      evaluated_at: record.evaluatedAtMs,
      definition_revision: record.definitionVersion,
      last_sequence: sequence,
      last_at: atMs,
    })
    .where('tenant_id', '=', row.tenant_id)
    .where('id', '=', row.id)
    .execute();
  if (!timelineEvent) return;
  await addToTimeline(
    transaction,
    { tenantId: row.tenant_id, sloId: row.id, sequence, id: newId() },
    timelineEvent,
    atMs,
  );
}

/** Where an entry of a timeline stands. */
export interface TimelinePlace {
  readonly tenantId: string;
  readonly sloId: string;
  readonly sequence: number;
  readonly id: string;
}

/** Adds an entry, and lets the one go that is then too many. */
export async function addToTimeline(
  transaction: Transaction<Tables>,
  { tenantId, sloId, sequence, id }: TimelinePlace,
  event: TimelineEvent,
  atMs: number,
): Promise<void> {
  await transaction
    .insertInto('slo_timeline')
    .values({
      tenant_id: tenantId,
      slo_id: sloId,
      sequence,
      id,
      type: event.type,
      from_state: event.from_state,
      to_state: event.to_state,
      actor: event.actor ?? '',
      note: event.note,
      evaluation: event.evaluation === null ? null : JSON.stringify(event.evaluation),
      at: atMs,
    })
    .execute();
  if (sequence <= timelineKeptMax) return;
  await transaction
    .deleteFrom('slo_timeline')
    .where('tenant_id', '=', tenantId)
    .where('slo_id', '=', sloId)
    .where('sequence', '<=', sequence - timelineKeptMax)
    .execute();
}
