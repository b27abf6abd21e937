import { expect, it } from 'vitest';
import { describeOnEachDatabase, silentLog } from '../database/each-database.test-support.ts';
import { openDatabase } from '../database/open-database.ts';
import { createObservationIngest } from './observation-ingest.ts';
import { batch, nodeOf, nowMs, record } from './observations.test-support.ts';
import { lagMax, lastArrival, readArrivals } from './read-arrivals.ts';

describeOnEachDatabase('arrivals', (context) => {
  it('become visible in their order while replicas take batches, so that a reader misses none and sees none twice', async () => {
    const isAlone = context.dialect === 'sqlite';
    const databases = isAlone
      ? [context.database()]
      : await Promise.all([1, 2, 3].map(() => openDatabase({ url: context.url(), log: silentLog })));
    const ingests = databases.map((database) => createObservationIngest(database, () => nowMs));
    const seen: number[] = [];
    const ids: string[] = [];
    let isSending = true;
    const reader = async (): Promise<void> => {
      let after = 0;
      for (;;) {
        const wasSending = isSending;
        const { rows, through, hasMore } = await readArrivals(context.database().read, 'replicas', after, {});
        seen.push(...rows.map((row) => row.arrival));
        ids.push(...rows.map((row) => row.id));
        after = through;
        if (!wasSending && !hasMore) return;
      }
    };
    const reading = reader();
    const sent: string[] = [];
    await Promise.all(
      Array.from({ length: 6 }, async (_, node) => {
        for (let sequence = 1; sequence <= 12; sequence += 1) {
          const records = Array.from({ length: 1 + ((node * 7 + sequence) % 40) }, (__, index) =>
            record(`${node}-${sequence}-${index}`, { occurred_at_ms: nowMs - ((node * 131 + index * 17) % 60_000) }),
          );
          sent.push(...records.map(({ id }) => id));
          await ingests[node % ingests.length]?.(nodeOf('replicas', `n${node}`), batch(sequence, { records }));
        }
      }),
    );
    isSending = false;
    await reading;
    expect(seen).toEqual(sent.map((_, index) => index + 1));
    expect(ids.toSorted()).toEqual(sent.toSorted());
    if (!isAlone) await Promise.all(databases.map((database) => database.close()));
  }, 60_000);

  it('tell every replica that listens', async () => {
    const other =
      context.dialect === 'sqlite' ? context.database() : await openDatabase({ url: context.url(), log: silentLog });
    const heard = new Promise((resolve) => {
      const stop = other.subscribeArrivals((notice) => {
        if (notice.tenantId !== 'told') return;
        stop();
        resolve(notice);
      });
    });
    const ingest = createObservationIngest(context.database(), () => nowMs);
    await ingest(nodeOf('told'), batch(1, { records: [record('a'), record('b')] }));
    expect(await heard).toEqual({ tenantId: 'told', arrival: 2 });
    if (other !== context.database()) await other.close();
  });

  it('that nobody can catch up with are passed over and counted', async () => {
    const read = context.database().read;
    const ingest = createObservationIngest(context.database(), () => nowMs);
    await ingest(nodeOf('far'), batch(1, { records: [record('first')] }));
    // As after many more, of which nothing is kept.
    await context
      .database()
      .transaction((transaction) =>
        transaction
          .updateTable('observation_arrivals')
          .set({ arrival: 200_000 })
          .where('tenant_id', '=', 'far')
          .execute(),
      );
    await ingest(nodeOf('far'), batch(2, { records: [record('last')] }));
    expect(await lastArrival(read, 'far')).toBe(200_001);
    let page = await readArrivals(read, 'far', 1, {});
    expect(page).toMatchObject({
      rows: [],
      skipped: 200_000 - lagMax,
      through: 200_001 - lagMax + 2_000,
      hasMore: true,
    });
    const ids: string[] = [];
    while (page.hasMore) {
      page = await readArrivals(read, 'far', page.through, {});
      expect(page.skipped).toBe(0);
      ids.push(...page.rows.map((row) => row.id));
    }
    expect(ids).toEqual(['last']);
    expect(await readArrivals(read, 'far', 999_999_999, {})).toMatchObject({
      rows: [],
      through: 200_001,
      hasMore: false,
    });
  });
});
