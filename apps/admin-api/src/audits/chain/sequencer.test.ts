import { eventually } from '@portcullis/testkit';
import { expect, it } from 'vitest';
import type { Database } from '../../database/database.ts';
import { describeOnEachDatabase, silentLog } from '../../database/each-database.test-support.ts';
import { openDatabase } from '../../database/open-database.ts';
import { globalChain } from '../operations/chain-port.ts';
import { createAuditLog } from '../records/audit-log.ts';
import { ChainMovedError, moveHeads, readHeads } from './chain-heads.ts';
import { batchMax, chainPending } from './chain-pending.ts';
import { chainedDatabase } from './chained-database.ts';
import { auditLog, expectWhole, sequencerOn, someEntry, waiting, write } from './chain-world.test-support.ts';

/** A database of a case's own, so that what it counts is its own. */
async function withFresh(
  fresh: () => Promise<{ readonly url: string; remove(): Promise<void> }>,
  work: (database: Database, url: string) => Promise<void>,
): Promise<void> {
  const place = await fresh();
  const database = await openDatabase({ url: place.url, log: silentLog });
  try {
    await work(database, place.url);
  } finally {
    await database.close();
    await place.remove();
  }
}

const tenants = ['', 'acme', 'globex'];

describeOnEachDatabase('the sequencer', ({ dialect, fresh }) => {
  it('chains what many writers commit at once, in few batches, and nothing of what was rolled back', () =>
    withFresh(fresh, async (raw) => {
      const sequencer = sequencerOn(raw);
      const database = chainedDatabase(raw, (transaction) => auditLog.wroteIn(transaction), sequencer);
      const writer = async (index: number): Promise<void> => {
        for (let turn = 0; turn < 12; turn += 1) {
          const entry = someEntry(tenants[(index + turn) % 3] ?? '', `w${index}-${turn}`);
          const isGivenUp = turn % 4 === 3;
          const attempt = database.transaction(async (transaction) => {
            await auditLog.append(transaction, [entry]);
            if (isGivenUp) throw new Error('given up');
          });
          if (isGivenUp) await expect(attempt).rejects.toThrow('given up');
          else await attempt;
        }
      };
      await Promise.all(Array.from({ length: 16 }, (_, index) => writer(index)));
      await sequencer.chainAll();
      expect(await waiting(raw)).toBe(0);
      expect(await expectWhole(raw, tenants)).toBe(16 * 9);
      expect(sequencer.batches.filter((count) => count > 0).length).toBeLessThan(16 * 9);
    }));

  it('answers a write when its record has its place', () =>
    withFresh(fresh, async (raw) => {
      const sequencer = sequencerOn(raw);
      // However slow this machine is.
      const patient = { settle: () => sequencer.settle(60_000) };
      await write(
        chainedDatabase(raw, (transaction) => auditLog.wroteIn(transaction), patient),
        someEntry('acme'),
      );
      expect(await waiting(raw)).toBe(0);
    }));

  it('lets a write leave without its place when chaining takes too long or fails, and chains it later', () =>
    withFresh(fresh, async (raw) => {
      let late = 0;
      const onLate = (): void => void (late += 1);
      const { read } = raw;
      const never = { read, transaction: () => new Promise<never>(() => undefined) };
      const broken = { read, transaction: () => Promise.reject(new Error('no connection')) };
      for (const state of [never, broken]) {
        const sequencer = sequencerOn(state, { onLate });
        await write(
          chainedDatabase(raw, () => true, sequencer),
          someEntry('acme'),
        );
        await sequencer.settle(1);
      }
      expect([late, await waiting(raw)]).toEqual([4, 2]);
      await sequencerOn(raw).chainAll();
      expect(await expectWhole(raw, ['acme'])).toBe(2);
    }));

  it('chains for readers what waits, and takes no turn among the writers where nothing does', () =>
    withFresh(fresh, async (database) => {
      await write(database, someEntry('acme'));
      const sequencer = sequencerOn(database);
      await eventually(async () => {
        await sequencer.drain();
        return (await waiting(database)) === 0;
      });
      await sequencer.drain();
      expect(sequencer.batches).toEqual([1]);
    }));

  it('is refused nothing by another one that races it: places are given once', () =>
    withFresh(fresh, async (database, url) => {
      const other = dialect === 'postgres' ? await openDatabase({ url, log: silentLog }) : database;
      const sequencers = [sequencerOn(database), sequencerOn(other)];
      for (let turn = 0; turn < 10; turn += 1) {
        await Promise.all(tenants.map((tenantId) => write(turn % 2 === 0 ? database : other, someEntry(tenantId))));
        await Promise.all(sequencers.map((sequencer) => sequencer.chainAll()));
      }
      if (other !== database) await other.close();
      expect(await waiting(database)).toBe(0);
      expect(await expectWhole(database, tenants)).toBe(30);
      // Each has had heads in mind that the other one moved.
      expect(sequencers.flatMap(({ batches }) => batches).reduce((sum, count) => sum + count)).toBe(30);
    }));

  it('does not go on from heads that stand elsewhere, so that two that do not know of each other make one chain', () =>
    withFresh(fresh, async (database) => {
      await write(database, someEntry('acme'), someEntry('acme'));
      await sequencerOn(database).chainAll();
      const heads = await readHeads(database.read, ['acme']);
      const acme = heads.get('tenant:acme');
      if (!acme) throw new Error('there is no head');
      const stale = new Map([
        ...heads,
        ['tenant:acme', { ...acme, sequence: 3, subtreeHashes: acme.subtreeHashes.concat(acme.hash) }],
      ]);
      await write(database, someEntry('acme'));
      const attempt = database.transaction((transaction) => chainPending(transaction, stale));
      await expect(attempt).rejects.toThrow(ChainMovedError);
      expect([await waiting(database), await readHeads(database.read, ['acme'])]).toEqual([1, heads]);
      await sequencerOn(database).chainAll();
      expect(await expectWhole(database, ['acme'])).toBe(3);
    }));

  it('reads the heads anew when the database was set back and has come to the same number on another way', () =>
    withFresh(fresh, async (database) => {
      await write(database, someEntry('acme'), someEntry('acme'));
      await sequencerOn(database).chainAll();
      const heads = await readHeads(database.read, ['acme']);
      // What a process remembers that chained two other records before the database lost them.
      const lost = new Map([...heads].map(([chain, head]) => [chain, { ...head, hash: 'ab'.repeat(32) }]));
      await write(database, someEntry('acme'));
      await database.transaction((transaction) => chainPending(transaction, lost));
      expect(await waiting(database)).toBe(0);
      expect(await expectWhole(database, ['acme'])).toBe(3);
      // Also one that took them for the present heads moves none.
      const global = heads.get(globalChain);
      if (!global) throw new Error('there is no head');
      const present = await readHeads(database.read, ['acme']);
      const moved = database.transaction((transaction) =>
        moveHeads(
          transaction,
          new Map([[globalChain, { ...global, sequence: 3 }]]),
          new Map([[globalChain, { ...global, sequence: 4 }]]),
        ),
      );
      await expect(moved).rejects.toThrow(ChainMovedError);
      expect(await readHeads(database.read, ['acme'])).toEqual(present);
    }));

  it('leaves everything as it was when it ends at any step', () =>
    withFresh(fresh, async (database) => {
      await write(database, ...tenants.map((tenantId) => someEntry(tenantId)));
      await sequencerOn(database).chainAll();
      await write(database, ...tenants.map((tenantId) => someEntry(tenantId)), someEntry('new'));
      const before = await readHeads(database.read, [...tenants, 'new']);
      let steps = 0;
      for (let isDone = false; !isDone; steps += 1) {
        const ending = { read: database.read, transaction: endingAt(database, steps) };
        isDone = await sequencerOn(ending)
          .chainAll()
          .then(
            () => true,
            () => false,
          );
        if (isDone) break;
        expect([await waiting(database), await readHeads(database.read, [...tenants, 'new'])]).toEqual([4, before]);
      }
      expect(steps).toBeGreaterThan(2);
      expect(await expectWhole(database, [...tenants, 'new'])).toBe(7);
    }));

  it(
    'works off a backlog in batches, and keeps the nodes of the trees',
    () =>
      withFresh(fresh, async (database) => {
        const count = batchMax * 2 + 30;
        await write(database, ...Array.from({ length: count }, (_, index) => someEntry('acme', `e${index}`)));
        const sequencer = sequencerOn(database);
        await sequencer.chainAll();
        expect(sequencer.batches).toEqual([batchMax, batchMax, 30]);
        expect(await expectWhole(database, ['acme'])).toBe(count);
        const nodes = await database.read.selectFrom('audit_nodes').select(['chain', 'level', 'position']).execute();
        expect(
          nodes.filter(({ chain }) => chain === globalChain).map(({ level, position }) => [level, position]),
        ).toEqual([0, 1, 2, 3].map((position) => [8, position]));
        expect(nodes).toHaveLength(8);
        const ordered = await database.read
          .selectFrom('audit_records')
          .select('entity_id')
          .orderBy('global_sequence')
          .execute();
        expect(ordered.map(({ entity_id }) => entity_id)).toEqual(
          Array.from({ length: count }, (_, index) => `e${index}`),
        );
      }),
    60_000,
  );

  it('asks no clock: records of a clock that was set back come after those that were there', () =>
    withFresh(fresh, async (database) => {
      const sequencer = sequencerOn(database);
      for (const [nowMs, id] of [
        [Date.UTC(2026, 5, 1), 'b'],
        [Date.UTC(2025, 5, 1), 'a'],
        [Date.UTC(2026, 6, 1), 'c'],
      ] as const) {
        const log = createAuditLog({ ids: () => id, clock: { nowMs: () => nowMs } });
        await database.transaction((transaction) => log.append(transaction, [someEntry('acme', id)]));
        await sequencer.chainAll();
      }
      expect(await expectWhole(database, ['acme'])).toBe(3);
      const rows = await database.read.selectFrom('audit_records').select('id').orderBy('global_sequence').execute();
      expect(rows.map(({ id }) => id)).toEqual(['b', 'a', 'c']);
    }));

  it('asks the database once for those who wait together', () =>
    withFresh(fresh, async (database) => {
      const sequencer = sequencerOn(database);
      await Promise.all(Array.from({ length: 20 }, () => sequencer.chainAll()));
      expect(sequencer.batches).toEqual([0]);
    }));
});

/** Transactions that fail at their statement of that number, or at the commit. */
function endingAt(database: Database, step: number): Database['transaction'] {
  return (work) =>
    database.transaction(async (transaction) => {
      let left = step;
      const executor = transaction.getExecutor();
      const run = executor.executeQuery.bind(executor);
      executor.executeQuery = (...query) => {
        if (left === 0) throw new Error('the process ended');
        left -= 1;
        return run(...query);
      };
      const result = await work(transaction);
      if (left === 0) throw new Error('the process ended');
      return result;
    });
}
