import { expect, it } from 'vitest';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import type { ObservationGrain } from '../database/observation-tables.ts';
import { createObservationIngest } from './observation-ingest.ts';
import { batch, counter, minute, nodeOf, nowMs, record, watched } from './observations.test-support.ts';
import { requestView } from './request-records.ts';
import { readHistogram } from './histogram-text.ts';
import { createObservationPruning, rowsPerStep } from './prune-observations.ts';
import { dayMs, defaultRetention } from './retention-rules.ts';

/** The bins of a stored row with their counts. */
function histogramOf(row: { readonly histogram: string } | undefined): [number, number][] {
  const pairs: [number, number][] = [];
  readHistogram(row?.histogram ?? '', (bin, count) => pairs.push([bin, count]));
  return pairs;
}

describeOnEachDatabase('observations', (context) => {
  const rowsOf = (tenantId: string, grain: ObservationGrain = 'route_minute') =>
    context
      .database()
      .read.selectFrom('observation_counters')
      .selectAll()
      .where('tenant_id', '=', tenantId)
      .where('grain', '=', grain)
      .orderBy('minute')
      .orderBy('route_id')
      .execute();
  const recordsOf = async (tenantId: string): Promise<string[]> => {
    const query = context.database().read.selectFrom('observation_records').select('id');
    return (await query.where('tenant_id', '=', tenantId).orderBy('id').execute()).map((row) => row.id);
  };
  const ingest = () => createObservationIngest(context.database(), () => nowMs);

  it('a batch that is sent again is counted once', async () => {
    const node = nodeOf('once');
    await ingest()(node, batch(1));
    await ingest()(node, batch(1));
    await ingest()(node, batch(2));
    const [row, ...more] = await rowsOf('once');
    expect(more).toEqual([]);
    expect(row).toMatchObject({ requests: 6, errors_4xx: 2, errors_5xx: 2, latency_sum_us: 12_000 });
    expect(row?.statuses).toBe('[[200,2],[404,2],[503,2]]');
    expect(histogramOf(row)).toEqual([
      [100, 4],
      [500, 2],
    ]);
  });

  it('every request is counted once in each grain, however often a key comes in a batch', async () => {
    const counters = [
      counter,
      counter,
      { ...counter, minute: minute - 1 },
      { ...counter, service_id: 'other' },
      { ...counter, route_id: undefined, service_id: undefined },
    ];
    await ingest()(nodeOf('grains'), batch(1, { counters }));
    const requests = async (grain: ObservationGrain) => (await rowsOf('grains', grain)).map((row) => row.requests);
    expect((await requests('route_minute')).toSorted((a, b) => a - b)).toEqual([3, 3, 3, 6]);
    expect((await requests('route_hour')).reduce((sum, count) => sum + count, 0)).toBe(15);
    expect(await requests('gateway_minute')).toEqual([3, 12]);
    expect(await requests('gateway_hour')).toEqual([3, 12]);
  });

  it('a batch of 5,000 counters takes few statements, whether its rows are new or not', async () => {
    const counters = Array.from({ length: 5000 }, (_, index) => ({ ...counter, route_id: `r${index}` }));
    const { database, log } = watched(context.database());
    for (const sequence of [1, 2]) {
      log.statements = 0;
      await createObservationIngest(database, () => nowMs)(nodeOf('bulk'), batch(sequence, { counters }));
      expect(log.statements).toBeLessThan(260);
    }
    const rows = await rowsOf('bulk');
    expect(rows).toHaveLength(5000);
    expect(new Set(rows.map((row) => row.requests))).toEqual(new Set([6]));
  });

  it('batches of several nodes at the same time lose nothing, in whatever order their counters come', async () => {
    const routes = Array.from({ length: 450 }, (_, index) => ({ ...counter, route_id: `r${index}` }));
    await Promise.all(
      Array.from({ length: 6 }, async (_, index) => {
        for (let sequence = 1; sequence <= 3; sequence += 1) {
          const counters = routes.slice(index * 10, 300 + index * 30);
          if (index % 2 === 1) counters.reverse();
          await ingest()(nodeOf('many', `node-${index}`), batch(sequence, { counters }));
        }
      }),
    );
    const sent = Array.from({ length: 6 }, (_, index) => 300 + index * 30 - index * 10).reduce((a, b) => a + b, 0);
    const rows = await rowsOf('many');
    expect(rows.reduce((sum, row) => sum + row.requests, 0)).toBe(sent * 3 * 3);
    expect(histogramOf((await rowsOf('many', 'gateway_hour'))[0])).toEqual([
      [100, sent * 6],
      [500, sent * 3],
    ]);
  });

  it('sums end at the largest number that both databases give back', async () => {
    const most = { ...counter, requests: 1e12, latency_sum_us: 1e15, statuses: [[200, 1e12]] as [number, number][] };
    const counters = Array.from({ length: 5000 }, () => most);
    for (const sequence of [1, 2]) await ingest()(nodeOf('saturated'), batch(sequence, { counters }));
    const [row] = await rowsOf('saturated');
    expect(row).toMatchObject({ latency_sum_us: Number.MAX_SAFE_INTEGER, requests: Number.MAX_SAFE_INTEGER });
    expect(row?.statuses).toBe(`[[200,${Number.MAX_SAFE_INTEGER}]]`);
  });

  it('a row counts against a bounded number of thresholds', async () => {
    for (let sequence = 1; sequence <= 5; sequence += 1) {
      const over = Array.from({ length: 64 }, (_, index): [number, number] => [sequence * 100 + index, 1]);
      await ingest()(nodeOf('thresholds'), batch(sequence, { counters: [{ ...counter, over }] }));
    }
    const [row] = await rowsOf('thresholds');
    expect(JSON.parse(row?.over_thresholds ?? '')).toHaveLength(256);
  });

  it('a record keeps its path template and what AI plugins said; without them both are null', async () => {
    const ai = { model: 'm-1', tokens: { prompt: 3, completion: 4 } };
    const records = [record('told', { path_template: '~/a/\\d+', ai }), record('untold')];
    await ingest()(nodeOf('details'), batch(1, { records }));
    const rows = await context
      .database()
      .read.selectFrom('observation_records')
      .selectAll()
      .where('tenant_id', '=', 'details')
      .orderBy('id')
      .execute();
    expect(rows.map((row) => requestView(row))).toMatchObject([
      { id: 'told', path_template: '~/a/\\d+', ai },
      { id: 'untold', path_template: null, ai: null },
    ]);
  });

  it('tenants do not share the IDs of records and batches', async () => {
    for (const tenantId of ['first', 'second']) {
      await ingest()(nodeOf(tenantId), batch(1, { records: [record('same'), record(`of-${tenantId}`)] }));
    }
    expect(await recordsOf('first')).toEqual(['of-first', 'same']);
    expect(await recordsOf('second')).toEqual(['of-second', 'same']);
    expect(await rowsOf('second')).toHaveLength(1);
  });

  it('what is more than five minutes ahead or older than its retention is left out and logged, the rest is counted', async () => {
    const warnings: object[] = [];
    const log = { warn: (fields: object) => void warnings.push(fields) };
    const { requestDays, rollupDays } = defaultRetention;
    const limits = { records: nowMs - requestDays * dayMs, counters: nowMs - rollupDays * dayMs };
    const sent = batch(1, {
      counters: [minute + 5, minute + 6, Math.floor(limits.counters / 60_000), minute - 90 * 1440 - 1, 999_999_999].map(
        (at) => ({ ...counter, minute: at }),
      ),
      records: [
        record('ahead', { occurred_at_ms: nowMs + 300_000 }),
        record('too-far-ahead', { occurred_at_ms: nowMs + 300_001 }),
        record('old', { occurred_at_ms: limits.records }),
        record('too-old', { occurred_at_ms: limits.records - 1 }),
      ],
    });
    for (const _time of ['first', 'again']) {
      await createObservationIngest(context.database(), () => nowMs, log)(nodeOf('times'), sent);
    }
    expect((await rowsOf('times')).map((row) => row.minute)).toEqual([minute - 90 * 1440, minute + 5]);
    expect(await recordsOf('times')).toEqual(['ahead', 'old']);
    expect(warnings).toEqual([
      { tenant_id: 'times', data_plane_id: 'node', dropped: { late: 3, future: 6, records: 2 } },
    ]);
  });

  it('what is older than its retention is deleted in bounded steps, and nothing else', async () => {
    const old = nowMs - 91 * dayMs;
    const many = Array.from({ length: 2000 }, (_, index) => `${index}`);
    const ids = [...many, ...many.map((id) => `${id}-b`)];
    const counters = ids.map((id) => ({ ...counter, minute: Math.floor(old / 60_000), route_id: id }));
    const records = many.map((id) => record(id, { occurred_at_ms: old }));
    await createObservationIngest(context.database(), () => old)(nodeOf('old'), batch(1, { counters, records }));
    await createObservationIngest(context.database(), () => old)(
      nodeOf('old'),
      batch(2, { records: [record('one-more', { occurred_at_ms: old })] }),
    );
    const batches = ids.map((_, index) => ({
      tenant_id: 'old',
      data_plane_id: 'node-of-then',
      boot_id: 'b',
      sequence: index + 1,
      part: 0,
      received_at: old,
    }));
    for (let start = 0; start < batches.length; start += 500) {
      await context.database().transaction((transaction) =>
        transaction
          .insertInto('observation_batch_parts')
          .values(batches.slice(start, start + 500))
          .execute(),
      );
    }
    await ingest()(nodeOf('old'), batch(3, { records: [record('recent')] }));
    const { database, log } = watched(context.database());
    await createObservationPruning(database).run(nowMs);
    expect(log.changedMax).toBe(rowsPerStep);
    expect(await recordsOf('old')).toEqual(['recent']);
    for (const grain of ['route_minute', 'route_hour', 'gateway_minute', 'gateway_hour'] as const) {
      expect(await rowsOf('old', grain)).toHaveLength(1);
    }
    const left = context.database().read.selectFrom('observation_batch_parts').select('sequence').orderBy('sequence');
    expect(await left.where('tenant_id', '=', 'old').execute()).toEqual([{ sequence: 3 }]);
  });

  it('forgets a batch of a node only once it has counted a later one, or would count nothing of it', async () => {
    const days = (count: number): number => nowMs + count * 86_400_000;
    const requests = async (): Promise<number> => {
      const [row] = await rowsOf('long-weekend', 'gateway_hour');
      return row?.requests ?? 0;
    };
    const ingestAt = (atMs: number, sequence: number, fields = {}) =>
      createObservationIngest(context.database(), () => atMs)(nodeOf('long-weekend'), batch(sequence, fields));
    await ingestAt(nowMs, 1);
    for (const day of [3, 89]) {
      await createObservationPruning(context.database()).run(days(day));
      await ingestAt(days(day), 1);
      expect(await requests(), `day ${day}`).toBe(counter.requests);
    }
    await ingestAt(days(89), 2, { counters: [] });
    const names = async () => {
      const rows = context.database().read.selectFrom('observation_batch_parts').select('sequence').orderBy('sequence');
      return (await rows.where('tenant_id', '=', 'long-weekend').execute()).map(({ sequence }) => sequence);
    };
    expect(await names()).toEqual([1, 2]);
    await createObservationPruning(context.database()).run(days(90));
    expect(await names()).toEqual([2]);
    await createObservationPruning(context.database()).run(days(180));
    expect(await names()).toEqual([]);
  });
});
