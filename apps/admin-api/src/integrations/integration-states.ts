import type { Transaction } from 'kysely';
import { chunksOf } from '../database/chunks.ts';
import type { Executor } from '../database/database.ts';
import { traitsOf } from '../database/dialect-traits.ts';
import type { IntegrationStateRow } from '../database/integration-tables.ts';
import { storableJson } from '../database/storable-text.ts';
import type { Tables } from '../database/tables.ts';
import { type SyncResult, syncResultBytesMax } from './sync-result.ts';

/** The family of integrations in the catalogue. */
export const integrationFamily = 'integrations';

/** Results that are kept: the newest of each integration. Older ones go as new ones come. */
export const syncsKeptMax = 50;

/** Bytes of them together, of each integration. The newest is kept in any case. */
export const syncBytesKeptMax: number = 2 * syncResultBytesMax;

/** Which integration. */
export interface IntegrationPlace {
  readonly tenantId: string;
  readonly id: string;
}

/** A sync that is about to begin. */
export interface SyncRun {
  readonly runId: string;
  readonly nowMs: number;
  /** After that time the sync counts as lost, and another may begin. */
  readonly leaseMs: number;
}

/** The last results of integrations, by ID, without what was found: of a page of integrations that may be long. */
export async function readLastSyncs(
  executor: Executor,
  tenantId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, object>> {
  const results = new Map<string, object>();
  for (const chunk of chunksOf(ids)) {
    const rows = await executor
      .selectFrom('integration_states')
      .select(['id', 'last_sync'])
      .where('tenant_id', '=', tenantId)
      .where('id', 'in', chunk)
      .execute();
    for (const { id, last_sync: text } of rows) if (text !== null) results.set(id, summaryOf(JSON.parse(text)));
  }
  return results;
}

/** The last result of an integration as a whole. */
export async function readLastSync(
  executor: Executor,
  { tenantId, id }: IntegrationPlace,
): Promise<object | undefined> {
  const row = await executor
    .selectFrom('integration_syncs')
    .select('result')
    .where('tenant_id', '=', tenantId)
    .where('integration_id', '=', id)
    .orderBy('sequence', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row && (JSON.parse(row.result) as object);
}

function summaryOf({ metadata: _metadata, ...summary }: SyncResult): Omit<SyncResult, 'metadata'> {
  return summary;
}

/**
 * Notes that a sync begins, unless one is under way in any replica. The record has to be there until the transaction ends.
 * @returns whether it may begin
 */
export async function beginRun(
  transaction: Transaction<Tables>,
  { tenantId, id }: IntegrationPlace,
  { runId, nowMs, leaseMs }: SyncRun,
): Promise<boolean> {
  const run = { run_id: runId, run_until: nowMs + leaseMs };
  const taken = await transaction
    .insertInto('integration_states')
    .values({ tenant_id: tenantId, id, family: integrationFamily, ...run, last_sequence: 0, last_sync: null })
    .onConflict((conflict) =>
      conflict
        .columns(['tenant_id', 'id'])
        .doUpdateSet(run)
        .where(({ or, eb }) =>
          or([eb('integration_states.run_until', 'is', null), eb('integration_states.run_until', '<=', nowMs)]),
        ),
    )
    .returning('id')
    .executeTakeFirst();
  return taken !== undefined;
}

/** Notes that a sync ended of which nothing is kept. */
export async function dropRun(executor: Executor, { tenantId, id }: IntegrationPlace, runId: string): Promise<void> {
  await executor
    .updateTable('integration_states')
    .set({ run_id: null, run_until: null })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .where('run_id', '=', runId)
    .execute();
}

/** What is kept of a sync beside its result. */
export interface SyncNote {
  readonly id: string;
  readonly actor: string;
  readonly recordRevision: number;
}

/**
 * Keeps a result and lets those go that are then too many, or too long together.
 * @returns `gone` where the integration was deleted meanwhile, `lost` where the sync took so long that another began
 */
export async function endRun(
  transaction: Transaction<Tables>,
  { tenantId, id }: IntegrationPlace,
  { id: runId, actor, recordRevision }: SyncNote,
  result: SyncResult,
): Promise<'kept' | 'gone' | 'lost'> {
  const row = await lockState(transaction, { tenantId, id });
  if (!row) return 'gone';
  if (row.run_id !== runId) return 'lost';
  const summary = storableJson(JSON.stringify(summaryOf(result)));
  const text = storableJson(JSON.stringify(result));
  const sequence = row.last_sequence + 1;
  await transaction
    .updateTable('integration_states')
    .set({ run_id: null, run_until: null, last_sequence: sequence, last_sync: summary })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .execute();
  await transaction
    .insertInto('integration_syncs')
    .values({
      tenant_id: tenantId,
      integration_id: id,
      sequence,
      id: runId,
      actor,
      record_revision: recordRevision,
      result: text,
    })
    .execute();
  await prune(transaction, { tenantId, id });
  return 'kept';
}

async function prune(transaction: Transaction<Tables>, { tenantId, id }: IntegrationPlace): Promise<void> {
  const newest = await transaction
    .selectFrom('integration_syncs')
    .select(({ fn, ref }) => ['sequence', fn<number>('octet_length', [ref('result')]).as('bytes')])
    .where('tenant_id', '=', tenantId)
    .where('integration_id', '=', id)
    .orderBy('sequence', 'desc')
    .limit(syncsKeptMax + 1)
    .execute();
  let bytes = 0;
  const tooOld = newest.find((row, at) => {
    bytes += row.bytes;
    return at >= syncsKeptMax || (at > 0 && bytes > syncBytesKeptMax);
  });
  if (!tooOld) return;
  await transaction
    .deleteFrom('integration_syncs')
    .where('tenant_id', '=', tenantId)
    .where('integration_id', '=', id)
    .where('sequence', '<=', tooOld.sequence)
    .execute();
}

async function lockState(
  transaction: Transaction<Tables>,
  { tenantId, id }: IntegrationPlace,
): Promise<IntegrationStateRow | undefined> {
  const query = transaction
    .selectFrom('integration_states')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id);
  return traitsOf(transaction).lockRows(query, 'change').executeTakeFirst();
}
