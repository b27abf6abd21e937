import { eventually, FakeClock } from '@portcullis/testkit';
import { expect, it } from 'vitest';
import type { ChangeNotice } from '../database/database.ts';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { gatewayOfChange, gatewayRevision } from '../data-planes/gateway-revision.ts';
import { changesSince, currentRevision } from './changes-since.ts';
import type { RecordChange, RevisionPort } from './revision-port.ts';
import { createRevisions } from './revisions.ts';

const clock = new FakeClock();

function change(id: string): RecordChange {
  return { family: 'route', id, action: 'update', gateway_id: 'gw' };
}

describeOnEachDatabase('tenant revisions', ({ database }) => {
  const revisions: RevisionPort = createRevisions({
    clock,
    database: { announce: (transaction, notice) => database().announce(transaction, notice) },
    gatewayOf: gatewayOfChange,
  });
  const advance = (tenantId: string, ...changes: RecordChange[]): Promise<number> =>
    database().transaction(async (transaction) => {
      const locked = await revisions.lock(transaction, tenantId);
      return revisions.advance(transaction, tenantId, locked, changes);
    });

  it('tells each gateway the last revision that concerned it, and that only', async () => {
    const of = (family: string, gatewayId: string | null, id = 'x'): RecordChange => ({
      family,
      id,
      action: 'update',
      gateway_id: gatewayId,
    });
    const seen = async (): Promise<number[]> => [
      await gatewayRevision(database().read, 'told', 'g1'),
      await gatewayRevision(database().read, 'told', 'g2'),
    ];
    await advance('told', of('routes', 'g1'));
    expect(await seen()).toEqual([1, 0]);
    await advance('told', of('services', 'g2'), of('data-planes', null));
    expect(await seen()).toEqual([1, 2]);
    await advance('told', of('api-tokens', null));
    expect(await seen()).toEqual([1, 2]);
    await advance('told', of('consumers', null));
    expect(await seen()).toEqual([4, 4]);
    await advance('told', of('gateways', null, 'g2'));
    expect(await seen()).toEqual([4, 5]);
  });

  it('starts at 0 and rises by one with each write, whose changes it logs and announces', async () => {
    const heard: ChangeNotice[] = [];
    // PostgreSQL may still be telling of what an earlier test wrote.
    const stop = database().subscribe((notice) => {
      if (notice.tenantId === 'rises') heard.push(notice);
    });
    expect(await currentRevision(database().read, 'rises')).toBe(0);
    expect(await database().transaction((transaction) => revisions.lock(transaction, 'rises'))).toBe(0);
    expect(await advance('rises', change('a'), change('b'))).toBe(1);
    expect(await advance('rises', change('c'))).toBe(2);
    const logged = {
      tenant_id: 'rises',
      gateway_id: 'gw',
      family: 'route',
      action: 'update',
      changed_at: clock.nowMs(),
    };
    expect(await changesSince(database().read, 'rises', 0)).toEqual({
      kind: 'delta',
      revision: 2,
      changes: [
        { ...logged, revision: 1, position: 0, id: 'a' },
        { ...logged, revision: 1, position: 1, id: 'b' },
        { ...logged, revision: 2, position: 0, id: 'c' },
      ],
    });
    expect(await changesSince(database().read, 'rises', 2)).toEqual({ kind: 'delta', revision: 2, changes: [] });
    await eventually(() => heard.length === 2);
    expect(heard).toEqual([1, 2].map((revision) => ({ tenantId: 'rises', revision })));
    stop();
  });

  it('gives every one of many writers of a tenant a revision of its own, without a gap', async () => {
    const given = await Promise.all(Array.from({ length: 25 }, (_, index) => advance('queue', change(`${index}`))));
    expect(given.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 25 }, (_, index) => index + 1));
    expect(await currentRevision(database().read, 'queue')).toBe(25);
  });

  it('shows the holder of the lock what the writer before it committed', async () => {
    const first = Promise.withResolvers<void>();
    const locked = Promise.withResolvers<void>();
    const slow = database().transaction(async (transaction) => {
      const revision = await revisions.lock(transaction, 'waits');
      locked.resolve();
      await first.promise;
      return revisions.advance(transaction, 'waits', revision, []);
    });
    await locked.promise;
    const waiting = database().transaction((transaction) => revisions.lock(transaction, 'waits'));
    first.resolve();
    expect(await slow).toBe(1);
    expect(await waiting).toBe(1);
  });

  it('takes nothing of a write that is rolled back', async () => {
    const attempt = database().transaction(async (transaction) => {
      const locked = await revisions.lock(transaction, 'undone');
      await revisions.advance(transaction, 'undone', locked, [change('a')]);
      throw new Error('undone');
    });
    await expect(attempt).rejects.toThrow('undone');
    expect(await changesSince(database().read, 'undone', 0)).toEqual({ kind: 'delta', revision: 0, changes: [] });
  });

  it('asks for a snapshot when the log does not reach back, or the database is behind the asker', async () => {
    await advance('pruned', change('old'));
    await database().transaction((transaction) =>
      transaction.updateTable('tenant_revisions').set({ revision: 10_100 }).where('tenant_id', '=', 'pruned').execute(),
    );
    expect(await advance('pruned', change('new'))).toBe(10_101);
    const { read } = database();
    const snapshot = { kind: 'snapshot_needed', revision: 10_101 };
    expect(await changesSince(read, 'pruned', 0)).toEqual(snapshot);
    expect(await changesSince(read, 'pruned', 100)).toEqual(snapshot);
    expect(await changesSince(read, 'pruned', 10_102)).toEqual(snapshot);
    expect(await changesSince(read, 'pruned', 101)).toMatchObject({ kind: 'delta', changes: [{ id: 'new' }] });
    const rows = await read.selectFrom('changes').select('revision').where('tenant_id', '=', 'pruned').execute();
    expect(rows).toEqual([{ revision: 10_101 }]);
  });

  it('asks for a snapshot when a delta would be too long', async () => {
    await advance('flood', ...Array.from({ length: 10_001 }, (_, index) => change(`${index}`)));
    expect(await changesSince(database().read, 'flood', 0)).toEqual({ kind: 'snapshot_needed', revision: 1 });
  });
});
