import { type Kysely, sql } from 'kysely';
import { expect, it } from 'vitest';
import { createObservationIngest } from '../../observability/observation-ingest.ts';
import { batch, counter, nodeOf, nowMs, record } from '../../observability/observations.test-support.ts';
import { readArrivals } from '../../observability/read-arrivals.ts';
import { traitsOf } from '../dialect-traits.ts';
import { describeOnEachDatabase, silentLog } from '../each-database.test-support.ts';
import { openDatabase } from '../open-database.ts';
import { observations } from './0004-observations.ts';
import { observedDetails } from './0005-observed-details.ts';
import { MIGRATION_TABLE } from './migrate.ts';

const tables = ['batch_parts', 'counters', 'records', 'arrivals', 'drops', 'retention_rules'];

describeOnEachDatabase('the step to arrivals', (context) => {
  it('numbers old records in the order of their time, and counts no batch of before again', async () => {
    const place = await context.fresh();
    const older = await openDatabase({ url: place.url, log: silentLog });
    const boot = batch(1).boot_id;
    await older.transaction(async (transaction) => {
      for (const table of ['api_descriptions', 'integration_syncs', 'integration_states'])
        await sql.raw(`drop table ${table}`).execute(transaction);
      for (const table of tables) await sql.raw(`drop table observation_${table}`).execute(transaction);
      const database = transaction as unknown as Kysely<never>;
      for (const step of [observations, observedDetails]) await step.up(database, traitsOf(transaction));
      await sql.raw(`delete from ${MIGRATION_TABLE} where name >= '0011'`).execute(transaction);
      for (const [tenantId, id, at] of [
        ['acme', 'late', nowMs],
        ['acme', 'early', nowMs - 1000],
        ['globex', 'other', nowMs - 500],
      ] as const) {
        await sql`insert into observation_records (id, tenant_id, gateway_id, request_id, occurred_at, method, path, status,
            status_source, latency_us, gateway_latency_us, request_bytes, response_bytes, client_ip, plugins)
          values (${id}, ${tenantId}, 'g', ${id}, ${at}, 'GET', '/', 200, 'upstream', 1, 1, 0, 0, '', '[]')
        `.execute(transaction);
      }
      await sql`insert into observation_batches (tenant_id, data_plane_id, boot_id, sequence, received_at)
        values ('acme', 'node', ${boot}, 1, ${nowMs}), ('acme', 'node', ${boot}, 2, ${nowMs + 1000}),
          ('acme', 'other', ${boot}, 1, ${nowMs})`.execute(transaction);
      await sql`insert into observation_counters (tenant_id, gateway_id, grain, minute, route_id, service_id, requests,
          errors_4xx, errors_5xx, latency_sum_us, request_bytes, response_bytes, statuses, histogram, over_thresholds)
        values ('acme', 'g', 'route_minute', ${counter.minute}, 'r', 's', 1, 0, 0, 1, 0, 0, '[]', '[[100,1],[700,2]]', '[]')
      `.execute(transaction);
    });
    await older.close();
    const database = await openDatabase({ url: place.url, log: silentLog });
    const ingest = createObservationIngest(database, () => nowMs);
    const counters = Array.from({ length: 5000 }, () => counter);
    await ingest(nodeOf('acme'), batch(2, { counters, records: [record('again')] }));
    await ingest({ ...nodeOf('acme'), id: 'other' }, batch(1, { counters, records: [record('again')] }));
    await ingest(nodeOf('acme'), batch(3, { records: [record('new')] }));
    const names = database.read.selectFrom('observation_batch_parts').select(['data_plane_id', 'sequence']).distinct();
    expect(await names.orderBy('data_plane_id').orderBy('sequence').execute()).toEqual([
      { data_plane_id: 'node', sequence: 2 },
      { data_plane_id: 'node', sequence: 3 },
      { data_plane_id: 'other', sequence: 1 },
    ]);
    const { rows } = await readArrivals(database.read, 'acme', 0, {});
    expect(rows.map((row) => [row.arrival, row.id])).toEqual([
      [1, 'early'],
      [2, 'late'],
      [3, 'new'],
    ]);
    expect((await readArrivals(database.read, 'globex', 0, {})).rows.map((row) => row.id)).toEqual(['other']);
    const row = await database.read
      .selectFrom('observation_counters')
      .select(['requests', 'histogram'])
      .where('grain', '=', 'route_minute')
      .executeTakeFirstOrThrow();
    // 100 → 3 requests, 500 → 1, 700 → 2; in the new form.
    expect(row).toEqual({ requests: 4, histogram: 'kDDwMBoGC' });
    await database.close();
    await place.remove();
  }, 60_000);
});
