import { sql, type Transaction } from 'kysely';
import type { Database, Executor } from '../database/database.ts';
import type { IdempotencyKeyRow, Tables } from '../database/tables.ts';

/** How long a key is remembered. */
export const keyLifetimeMs = 86_400_000;

/** Newest keys of a tenant that are remembered at the most. */
export const keysPerTenantMax = 100_000;

/** Rows that one step deletes, so that no step holds the writer for long. */
const rowsPerStep = 1_000;

/** Steps of one pruning; what is left then waits for the next. */
const stepsMax = 50;

/** A key that is still remembered. An old row counts as none even before it is deleted. */
export async function findKey(
  executor: Executor,
  place: { readonly tenantId: string; readonly key: string },
  nowMs: number,
): Promise<IdempotencyKeyRow | undefined> {
  return executor
    .selectFrom('idempotency_keys')
    .selectAll()
    .where('tenant_id', '=', place.tenantId)
    .where('key', '=', place.key)
    .where('created_at', '>', nowMs - keyLifetimeMs)
    .executeTakeFirst();
}

/** Takes a key, in the place of an old row if there is one. The caller holds the tenant's lock and found none. */
export async function insertKey(transaction: Transaction<Tables>, row: IdempotencyKeyRow): Promise<void> {
  await transaction
    .insertInto('idempotency_keys')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['tenant_id', 'key']).doUpdateSet({
        fingerprint: row.fingerprint,
        answer: row.answer,
        created_at: row.created_at,
      }),
    )
    .execute();
}

/** Keeps the answer of the request that took a key; one that wrote nothing takes it now, unless another request did. */
export async function storeAnswer(transaction: Transaction<Tables>, row: IdempotencyKeyRow): Promise<void> {
  await transaction
    .insertInto('idempotency_keys')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['tenant_id', 'key'])
        .doUpdateSet({ answer: row.answer })
        .where('idempotency_keys.fingerprint', '=', row.fingerprint)
        .where('idempotency_keys.answer', 'is', null),
    )
    .execute();
}

/** Deletes keys that are too old, and the oldest of tenants that have too many, in small transactions. */
export async function pruneIdempotencyKeys(
  database: Database,
  nowMs: number,
  tenantMax: number = keysPerTenantMax,
): Promise<void> {
  await deleteInSteps(database, sql<boolean>`created_at <= ${nowMs - keyLifetimeMs}`);
  const crowded = await database.read
    .selectFrom('idempotency_keys')
    .select('tenant_id')
    .groupBy('tenant_id')
    .having(({ fn }) => fn.countAll(), '>', tenantMax)
    .execute();
  for (const { tenant_id: tenantId } of crowded) {
    const oldestToGo = await database.read
      .selectFrom('idempotency_keys')
      .select('created_at')
      .where('tenant_id', '=', tenantId)
      .orderBy('created_at', 'desc')
      .offset(tenantMax)
      .limit(1)
      .executeTakeFirst();
    if (oldestToGo)
      await deleteInSteps(database, sql<boolean>`tenant_id = ${tenantId} and created_at <= ${oldestToGo.created_at}`);
  }
}

async function deleteInSteps(database: Database, which: ReturnType<typeof sql<boolean>>): Promise<void> {
  for (let step = 0; step < stepsMax; step += 1) {
    const { numDeletedRows } = await database.transaction((transaction) => {
      const some = transaction
        .selectFrom('idempotency_keys')
        .select(['tenant_id', 'key'])
        .where(which)
        .limit(rowsPerStep);
      return transaction
        .deleteFrom('idempotency_keys')
        .where(sql<boolean>`(tenant_id, key) in (${some})`)
        .executeTakeFirst();
    });
    if (numDeletedRows < rowsPerStep) return;
  }
}
