import type { Expression, ExpressionBuilder, SqlBool, Transaction } from 'kysely';
import type { Database, Executor } from '../database/database.ts';
import type { ApiDescriptionRow } from '../database/description-tables.ts';
import type { Tables } from '../database/tables.ts';

/** Which description of which service version. */
export type DescriptionPlace = Pick<ApiDescriptionRow, 'tenant_id' | 'version_id' | 'sha256'>;

/** How often the service frees descriptions that nothing needs any more. */
export const freeDescriptionsEveryMs = 60_000;
/** How long one stays that nothing needs: whoever has just read its record may still ask for it. */
const graceMs = 600_000;
/** Descriptions that one transaction deletes, each of up to 16 MiB, and transactions of one run. */
const rowsPerStep = 8;
const stepsMax = 100;

/** The one row of a place. */
function isAt(place: DescriptionPlace) {
  const { tenant_id, version_id, sha256 } = place;
  return (eb: ExpressionBuilder<Tables, 'api_descriptions'>): Expression<SqlBool> =>
    eb.and({ tenant_id, version_id, sha256 });
}

/** Keeps the description of a version that is about to be written. One that is there already is needed again. */
export async function keepDescription(
  transaction: Executor,
  description: DescriptionPlace & Pick<ApiDescriptionRow, 'from_revision' | 'packed'>,
): Promise<void> {
  await transaction
    .insertInto('api_descriptions')
    .values({ ...description, until_revision: null, until_at: null })
    .onConflict((conflict) =>
      conflict.columns(['tenant_id', 'version_id', 'sha256']).doUpdateSet({ until_revision: null, until_at: null }),
    )
    .execute();
}

/** Notes that a version has a description again that a snapshot kept. */
export async function takeUpAgain(transaction: Transaction<Tables>, place: DescriptionPlace): Promise<void> {
  await transaction
    .updateTable('api_descriptions')
    .set({ until_revision: null, until_at: null })
    .where(isAt(place))
    .where('until_at', 'is not', null)
    .execute();
}

/** Whether a description is kept since the write that makes the revision, and no earlier one. */
export async function isKeptSince(executor: Executor, place: DescriptionPlace, revision: number): Promise<boolean> {
  const row = await executor
    .selectFrom('api_descriptions')
    .select('from_revision')
    .where(isAt(place))
    .executeTakeFirst();
  return row?.from_revision === revision;
}

/** Notes that a version does not have a description any more. It is freed once no snapshot needs it. */
export async function letGo(
  transaction: Transaction<Tables>,
  place: DescriptionPlace,
  end: { readonly revision: number; readonly nowMs: number },
): Promise<void> {
  await transaction
    .updateTable('api_descriptions')
    .set({ until_revision: end.revision, until_at: end.nowMs })
    .where(isAt(place))
    .execute();
}

/** A description as it is kept: JSON, gzip, base64. */
export async function readPacked(executor: Executor, place: DescriptionPlace): Promise<string | undefined> {
  const row = await executor.selectFrom('api_descriptions').select('packed').where(isAt(place)).executeTakeFirst();
  return row?.packed;
}

/**
 * Frees descriptions that neither a version nor a snapshot has, in bounded steps. A snapshot that is taken meanwhile needs none of them, and
 * a version that takes one up again puts it back or changes the row first, so no lock is held. Replicas may run it at once.
 * @returns how many were freed
 */
export async function freeDescriptions(
  database: Pick<Database, 'read' | 'transaction'>,
  nowMs: number,
): Promise<number> {
  let freed = 0;
  for (let step = 0; step < stepsMax; step += 1) {
    const unneeded = await unneededDescriptions(database.read, nowMs);
    if (unneeded.length === 0) break;
    await database.transaction(async (transaction) => {
      for (const place of unneeded) freed += await free(transaction, place, nowMs);
    });
    if (unneeded.length < rowsPerStep) break;
  }
  return freed;
}

function unneededDescriptions(executor: Executor, nowMs: number): Promise<DescriptionPlace[]> {
  return executor
    .selectFrom('api_descriptions')
    .select(['tenant_id', 'version_id', 'sha256'])
    .where('until_at', '<=', nowMs - graceMs)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('config_snapshots')
            .select('config_snapshots.id')
            .whereRef('config_snapshots.tenant_id', '=', 'api_descriptions.tenant_id')
            .whereRef('config_snapshots.revision', '>=', 'api_descriptions.from_revision')
            .whereRef('config_snapshots.revision', '<', 'api_descriptions.until_revision'),
        ),
      ),
    )
    .limit(rowsPerStep)
    .execute();
}

/** Asked again of the row itself: it may be in use by now. */
async function free(transaction: Transaction<Tables>, place: DescriptionPlace, nowMs: number): Promise<number> {
  const { numDeletedRows } = await transaction
    .deleteFrom('api_descriptions')
    .where(isAt(place))
    .where('until_at', '<=', nowMs - graceMs)
    .executeTakeFirst();
  return Number(numDeletedRows);
}
