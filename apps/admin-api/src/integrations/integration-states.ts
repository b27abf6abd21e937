import type { Transaction } from 'kysely';
import { chunksOf } from '../database/chunks.ts';
import type { Executor } from '../database/database.ts';
import { traitsOf } from '../database/dialect-traits.ts';
import type { IntegrationStateRow } from '../database/integration-tables.ts';
import { storableJson } from '../database/storable-text.ts';
import type { Tables } from '../database/tables.ts';
import type { SyncResult } from './sync-result.ts';

/** The family of integrations in the catalogue. */
export const integrationFamily = 'integrations';

/** Results that are kept: the newest of each integration. Older ones go as new ones come. */
export const syncsKeptMax = 50;

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

/** What is known of integrations beside their records, by ID. */
export async function readIntegrationStates(
  executor: Executor,
  tenantId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, { readonly lastSync: unknown }>> {
  const states = new Map<string, { readonly lastSync: unknown }>();
  for (const chunk of chunksOf(ids)) {
    const rows = await executor
      .selectFrom('integration_states')
      .select(['id', 'last_sync'])
      .where('tenant_id', '=', tenantId)
      .where('id', 'in', chunk)
      .execute();
    for (const row of rows) states.set(row.id, { lastSync: row.last_sync === null ? null : JSON.parse(row.last_sync) });
  }
  return states;
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
 * Keeps a result and lets the one go that is then too many.
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
  const text = storableJson(JSON.stringify(result));
  const sequence = row.last_sequence + 1;
  await transaction
    .updateTable('integration_states')
    .set({ run_id: null, run_until: null, last_sequence: sequence, last_sync: text })
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
  await transaction
    .deleteFrom('integration_syncs')
    .where('tenant_id', '=', tenantId)
    .where('integration_id', '=', id)
    .where('sequence', '<=', sequence - syncsKeptMax)
    .execute();
  return 'kept';
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
