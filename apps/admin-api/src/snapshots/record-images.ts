import { sql } from 'kysely';
import type { Executor } from '../database/database.ts';
import type { ResourceHistoryRow } from '../database/tables.ts';
import { fromRow } from '../store/record-row.ts';
import type { StoredRecord } from '../store/resource-store.ts';
import { snapshotFamilies } from './snapshot-families.ts';

/** Records that one statement reads. */
const recordsPerPage = 1_000;

const familyNames = snapshotFamilies.map(({ name }) => name);

/** Whose state is asked for, and of when. */
interface Place {
  readonly tenantId: string;
  /** The tenant's revision whose state is asked for. There must be a snapshot of it. */
  readonly revision: number;
}

/**
 * The records of one family as they were at a snapshot's revision, in pages, each in the order of IDs: those that have not
 * changed since, then those that have. Use one transaction or snapshot of the database for all of it.
 */
export async function* scanSnapshot(
  executor: Executor,
  { tenantId, revision }: Place,
  family: string,
): AsyncGenerator<readonly StoredRecord[], void> {
  for (let after = ''; ;) {
    const rows = await executor
      .selectFrom('resources')
      .selectAll()
      .where('tenant_id', '=', tenantId)
      .where('family', '=', family)
      .where('id', '>', after)
      .orderBy('id')
      .limit(recordsPerPage)
      .execute();
    const unchanged = rows.filter((row) => row.tenant_revision <= revision);
    if (unchanged.length > 0) yield unchanged.map(fromRow);
    const last = rows.at(-1);
    if (!last || rows.length < recordsPerPage) break;
    after = last.id;
  }
  yield* earlierStates(executor, { tenantId, revision }, family);
}

/** States that records had at a revision and have no more, in pages. @param family leaves out the records of all others */
export async function* earlierStates(
  executor: Executor,
  { tenantId, revision }: Place,
  family?: string,
): AsyncGenerator<readonly StoredRecord[], void> {
  let after: Pick<ResourceHistoryRow, 'until_revision' | 'family' | 'id'> = {
    until_revision: revision,
    family: '\u{10FFFF}',
    id: '',
  };
  for (;;) {
    const rows = await executor
      .selectFrom('resource_history')
      .selectAll()
      .where('tenant_id', '=', tenantId)
      .where(sql<boolean>`(until_revision, family, id) > (${after.until_revision}, ${after.family}, ${after.id})`)
      .where('from_revision', '<=', revision)
      .$if(family !== undefined, (query) => query.where('family', '=', family ?? ''))
      .orderBy('until_revision')
      .orderBy('family')
      .orderBy('id')
      .limit(recordsPerPage)
      .execute();
    if (rows.length > 0) yield rows.map(imageOf);
    const last = rows.at(-1);
    if (!last || rows.length < recordsPerPage) return;
    after = last;
  }
}

/** Live records that were written after a revision, in pages: those that changed, and those that are new. */
export async function* laterRecords(
  executor: Executor,
  { tenantId, revision }: Place,
): AsyncGenerator<readonly StoredRecord[], void> {
  let after = { tenant_revision: revision, family: '\u{10FFFF}', id: '' };
  for (;;) {
    const rows = await executor
      .selectFrom('resources')
      .selectAll()
      .where('tenant_id', '=', tenantId)
      // The index has these only, and is used only where that is said.
      .where(sql<boolean>`tenant_revision > 0`)
      .where(sql<boolean>`(tenant_revision, family, id) > (${after.tenant_revision}, ${after.family}, ${after.id})`)
      .where('family', 'in', familyNames)
      .orderBy('tenant_revision')
      .orderBy('family')
      .orderBy('id')
      .limit(recordsPerPage)
      .execute();
    if (rows.length > 0) yield rows.map(fromRow);
    const last = rows.at(-1);
    if (!last || rows.length < recordsPerPage) return;
    after = last;
  }
}

function imageOf({ from_revision: from, until_revision: _until, ...row }: ResourceHistoryRow): StoredRecord {
  return fromRow({ ...row, tenant_revision: from });
}
