import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { readLiveTotals } from '../../config/live-totals.ts';
import { emptyConfiguration } from '../../snapshots/configuration-hash.ts';
import { naiveTotals } from '../../snapshots/stored-configuration.test-support.ts';
import { toRow } from '../../store/record-row.ts';
import { item } from '../../store/store.test-support.ts';
import { describeOnEachDatabase, silentLog } from '../each-database.test-support.ts';
import { openDatabase } from '../open-database.ts';
import { MIGRATION_TABLE } from './migrate.ts';
import { undoAuditChain } from './undo-audit-chain.test-support.ts';

/** More than one page of the migration. */
const consumers = 1_100;

describeOnEachDatabase('the step to configuration history', (context) => {
  it('a database of before has the totals of what is in it, tenant by tenant', async () => {
    const place = await context.fresh();
    const older = await openDatabase({ url: place.url, log: silentLog });
    await older.transaction(async (transaction) => {
      await undoAuditChain(transaction);
      for (const statement of [
        'drop index resources_by_tenant_revision',
        'alter table resources drop column tenant_revision',
        ...[
          'config_hash',
          'config_bytes',
          'config_counts',
          'config_revision',
          'snapshot_revision',
          'history_to_free',
        ].map((column) => `alter table tenant_revisions drop column ${column}`),
        'drop table config_snapshots',
        'drop table resource_history',
      ]) {
        await sql.raw(statement).execute(transaction);
      }
      await sql`delete from ${sql.table(MIGRATION_TABLE)} where name like '0007%'`.execute(transaction);
      for (const [tenantId, count] of [
        ['acme', consumers],
        ['globex', 1],
        ['empty', 0],
      ] as const) {
        await sql`insert into tenant_revisions (tenant_id, revision) values (${tenantId}, 7)`.execute(transaction);
        for (let index = 0; index < count; index += 1) {
          const { record } = item(tenantId, `c${index}`, { family: 'consumers', body: { username: `c${index}` } });
          const { tenant_revision: _later, ...row } = toRow(record);
          await sql`insert into resources (${sql.join(Object.keys(row).map((name) => sql.ref(name)))})
            values (${sql.join(Object.values(row))})`.execute(transaction);
        }
      }
    });
    await older.close();
    const database = await openDatabase({ url: place.url, log: silentLog });
    for (const tenantId of ['acme', 'globex']) {
      const totals = await naiveTotals(database.read, tenantId);
      expect(await readLiveTotals(database.read, tenantId)).toMatchObject({ ...totals, revision: 7 });
    }
    expect((await readLiveTotals(database.read, 'acme')).counts).toEqual({ consumers });
    expect(await readLiveTotals(database.read, 'empty')).toMatchObject(emptyConfiguration);
    const rows = await database.read.selectFrom('resources').select('tenant_revision').distinct().execute();
    expect(rows).toEqual([{ tenant_revision: 0 }]);
    await database.close();
    await place.remove();
  }, 60_000);
});
