import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import type { ResourceHistoryRow } from '../database/tables.ts';

/** How often the service frees what no snapshot needs any more. */
export const freeHistoryEveryMs = 60_000;

/** Earlier states in one transaction, so that no step holds the writer for long. */
const statesPerStep = 1_000;
/** Steps of one run; what is left then waits for the next. */
const stepsMax = 200;

type Place = Pick<ResourceHistoryRow, 'until_revision' | 'family' | 'id'>;

/**
 * Frees the earlier states of records that no snapshot needs any more, of tenants whose snapshots went, in bounded steps. A
 * snapshot that is taken meanwhile needs none of them, so no lock is held. Replicas may run it at once, and what a run leaves
 * the next one frees.
 * @returns how many were freed
 */
export async function freeHistory(
  database: Pick<Database, 'read' | 'transaction'>,
  steps: number = stepsMax,
): Promise<number> {
  let freed = 0;
  let left = steps;
  const tenants = await database.read
    .selectFrom('tenant_revisions')
    .select('tenant_id')
    .where('history_to_free', '=', 1)
    .limit(steps)
    .execute();
  for (const { tenant_id: tenantId } of tenants) {
    // Before the look: a snapshot that goes meanwhile asks for another one.
    await setWanted(database, tenantId, 0);
    let after: Place | undefined = { until_revision: 0, family: '', id: '' };
    for (; after && left > 0; left -= 1) {
      const step = await freeStep(database, tenantId, after);
      freed += step.freed;
      after = step.next;
    }
    if (after) await setWanted(database, tenantId, 1);
    if (left === 0) break;
  }
  return freed;
}

async function setWanted(database: Pick<Database, 'transaction'>, tenantId: string, wanted: 0 | 1): Promise<void> {
  await database.transaction((transaction) =>
    transaction
      .updateTable('tenant_revisions')
      .set({ history_to_free: wanted })
      .where('tenant_id', '=', tenantId)
      .execute(),
  );
}

/** Looks at the next states in the order of their key. @returns where the next step begins; nothing at the end */
async function freeStep(
  { read, transaction }: Pick<Database, 'read' | 'transaction'>,
  tenantId: string,
  after: Place,
): Promise<{ readonly freed: number; readonly next: Place | undefined }> {
  const key = sql.raw('(until_revision, family, id)');
  const isAfter = sql<boolean>`${key} > (${after.until_revision}, ${after.family}, ${after.id})`;
  const next = await read
    .selectFrom('resource_history')
    .select(['until_revision', 'family', 'id'])
    .where('tenant_id', '=', tenantId)
    .where(isAfter)
    .orderBy('until_revision')
    .orderBy('family')
    .orderBy('id')
    .offset(statesPerStep - 1)
    .limit(1)
    .executeTakeFirst();
  const { numDeletedRows } = await transaction((open) =>
    open
      .deleteFrom('resource_history')
      .where('tenant_id', '=', tenantId)
      .where(isAfter)
      .$if(next !== undefined, (query) =>
        query.where(sql<boolean>`${key} <= (${next?.until_revision ?? 0}, ${next?.family ?? ''}, ${next?.id ?? ''})`),
      )
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('config_snapshots')
              .select('config_snapshots.id')
              .where('config_snapshots.tenant_id', '=', tenantId)
              .whereRef('config_snapshots.revision', '>=', 'resource_history.from_revision')
              .whereRef('config_snapshots.revision', '<', 'resource_history.until_revision'),
          ),
        ),
      )
      .executeTakeFirst(),
  );
  return { freed: Number(numDeletedRows), next };
}
