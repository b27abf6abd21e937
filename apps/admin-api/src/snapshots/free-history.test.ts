import { expect, it } from 'vitest';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import type { ResourceHistoryRow } from '../database/tables.ts';
import { freeHistory } from './free-history.ts';

describeOnEachDatabase('freeing what no snapshot needs', (context) => {
  const statesOf = (tenantId: string) =>
    context
      .database()
      .read.selectFrom('resource_history')
      .select(['id', 'from_revision', 'until_revision'])
      .where('tenant_id', '=', tenantId)
      .orderBy('until_revision')
      .orderBy('id')
      .execute();

  const isWanted = async (tenantId: string): Promise<boolean> => {
    const rows = context.database().read.selectFrom('tenant_revisions').select('history_to_free');
    return (await rows.where('tenant_id', '=', tenantId).executeTakeFirst())?.history_to_free === 1;
  };

  /** A tenant with earlier states of records and snapshots of some revisions. */
  async function tenantWith(tenantId: string, states: readonly [from: number, until: number][], revisions: number[]) {
    await context.database().transaction(async (transaction) => {
      await transaction
        .insertInto('tenant_revisions')
        .values({ tenant_id: tenantId, revision: 99, history_to_free: 1 })
        .execute();
      const rows = states.map(([from, until], index): ResourceHistoryRow => ({
        tenant_id: tenantId,
        family: 'consumers',
        id: `c${String(index).padStart(6, '0')}`,
        from_revision: from,
        until_revision: until,
        gateway_id: null,
        name: null,
        enabled: 1,
        revision: 1,
        created_at: 1,
        updated_at: 1,
        body: '{}',
        secrets: null,
      }));
      for (let start = 0; start < rows.length; start += 500) {
        await transaction
          .insertInto('resource_history')
          .values(rows.slice(start, start + 500))
          .execute();
      }
      for (const revision of revisions) {
        const row = {
          tenant_id: tenantId,
          id: `s${revision}`,
          revision,
          reason: 'manual',
          note: null,
          created_by: 'x',
        } as const;
        await transaction
          .insertInto('config_snapshots')
          .values({ ...row, created_at: 1, config_hash: '', counts: '{}', size_bytes: 0 })
          .execute();
      }
    });
  }

  it('takes those away in whose range no snapshot lies, and leaves the others', async () => {
    await tenantWith(
      'ranges',
      [
        [0, 5],
        [4, 5],
        [5, 6],
        [2, 9],
        [6, 9],
        [9, 20],
      ],
      [5, 9],
    );
    await tenantWith('others', [[0, 5]], [4]);
    expect(await freeHistory(context.database())).toBe(3);
    expect((await statesOf('ranges')).map(({ from_revision: from, until_revision: until }) => [from, until])).toEqual([
      [5, 6],
      [2, 9],
      [9, 20],
    ]);
    expect(await statesOf('others')).toHaveLength(1);
    expect([await isWanted('ranges'), await isWanted('others')]).toEqual([false, false]);
    expect(await freeHistory(context.database())).toBe(0);
  });

  it('goes in bounded steps, and what a run leaves the next ones free', async () => {
    await tenantWith(
      'large',
      Array.from({ length: 2_500 }, (): [number, number] => [1, 7]),
      [],
    );
    expect(await freeHistory(context.database(), 1)).toBe(1_000);
    expect(await isWanted('large')).toBe(true);
    expect(await freeHistory(context.database(), 1)).toBe(1_000);
    expect(await freeHistory(context.database(), 1)).toBe(500);
    expect(await statesOf('large')).toEqual([]);
    expect(await isWanted('large')).toBe(false);
  });
});
