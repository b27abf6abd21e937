import { type Kysely, sql } from 'kysely';
import type { DialectTraits } from '../dialect-traits.ts';
import { createIndex, createTable, type SchemaStep, type TableSketch } from './schema-step.ts';

/**
 * Raw records get a number in the order in which they became visible, batches are counted in parts, and what was left out is
 * kept count of. Each tenant may say how long its observations are kept. ADR 0051.
 */
export const observedArrivals: SchemaStep = {
  name: '0011-observed-arrivals',
  async up(database, traits) {
    await createArrivals(database, traits);
    await rebuildRecords(database, traits);
    await rebuildBatches(database, traits);
    await createTable(database, traits, {
      name: 'observation_drops',
      columns: {
        tenant_id: 'text',
        gateway_id: 'text',
        minute: 'integer',
        dropped_late: 'integer',
        dropped_future: 'integer',
        dropped_records: 'integer',
      },
      primaryKey: ['tenant_id', 'gateway_id', 'minute'],
      keyOnly: true,
    }).execute();
    await createTable(database, traits, {
      name: 'observation_retention_rules',
      columns: { tenant_id: 'text', request_days: 'integer', rollup_days: 'integer' },
      primaryKey: ['tenant_id'],
      keyOnly: true,
    }).execute();
    // Old rows are looked for tenant by tenant now.
    await database.schema.dropIndex('observation_counters_by_minute').execute();
  },
};

const records: TableSketch = {
  name: 'observation_records_by_arrival',
  columns: {
    tenant_id: 'text',
    arrival: 'integer',
    id: 'text',
    gateway_id: 'text',
    request_id: 'text',
    occurred_at: 'integer',
    service_id: 'text?',
    route_id: 'text?',
    consumer_id: 'text?',
    method: 'text',
    path: 'text',
    status: 'integer',
    status_source: 'text',
    latency_us: 'integer',
    upstream_latency_us: 'integer?',
    gateway_latency_us: 'integer',
    request_bytes: 'integer',
    response_bytes: 'integer',
    client_ip: 'text',
    plugins: 'text',
    path_template: 'text?',
    ai: 'text?',
  },
  primaryKey: ['tenant_id', 'arrival'],
};

/** Records that are there already count as having arrived in the order of their time. */
async function rebuildRecords(database: Kysely<never>, traits: DialectTraits): Promise<void> {
  await createTable(database, traits, records).execute();
  const columns = Object.keys(records.columns).map((name) => sql.ref(name));
  const numbered = Object.keys(records.columns).map((name) =>
    name === 'arrival' ? sql`row_number() over (partition by tenant_id order by occurred_at, id)` : sql.ref(name),
  );
  await sql`
    insert into observation_records_by_arrival (${sql.join(columns)})
    select ${sql.join(numbered)} from observation_records
  `.execute(database);
  await sql`
    insert into observation_arrivals (tenant_id, arrival)
    select tenant_id, count(*) from observation_records group by tenant_id
  `.execute(database);
  await database.schema.dropTable('observation_records').execute();
  const table = 'observation_records';
  await database.schema.alterTable(records.name).renameTo(table).execute();
  await createIndex(database, 'observation_records_by_gateway', table, ['tenant_id', 'gateway_id', 'occurred_at']);
  await createIndex(database, 'observation_records_by_tenant', table, ['tenant_id', 'occurred_at']);
  await createIndex(database, 'observation_records_by_request', table, ['tenant_id', 'request_id']);
}

/** A row for each tenant; its lock is what makes numbers become visible in their order. */
async function createArrivals(database: Kysely<never>, traits: DialectTraits): Promise<void> {
  await createTable(database, traits, {
    name: 'observation_arrivals',
    columns: { tenant_id: 'text', arrival: 'integer' },
    primaryKey: ['tenant_id'],
    keyOnly: true,
  }).execute();
}

/**
 * Batches that were counted before were counted whole: as their part 0 and, of long ones, all others. Only the last batch of each run of a
 * node can come again: it sends no other before that one is taken. A node of two days has 170,000 before it.
 */
async function rebuildBatches(database: Kysely<never>, traits: DialectTraits): Promise<void> {
  const name = 'observation_batch_parts';
  await createTable(database, traits, {
    name,
    columns: {
      tenant_id: 'text',
      data_plane_id: 'text',
      boot_id: 'text',
      sequence: 'integer',
      part: 'integer',
      received_at: 'integer',
    },
    primaryKey: ['tenant_id', 'data_plane_id', 'boot_id', 'sequence', 'part'],
    keyOnly: true,
  }).execute();
  for (let part = 0; part < partsBefore; part += 1) {
    await sql`
      insert into observation_batch_parts (tenant_id, data_plane_id, boot_id, sequence, part, received_at)
      select tenant_id, data_plane_id, boot_id, max(sequence), ${sql.lit(part)}, max(received_at) from observation_batches
      group by tenant_id, data_plane_id, boot_id
    `.execute(database);
  }
  await database.schema.dropTable('observation_batches').execute();
  await createIndex(database, 'observation_batch_parts_by_time', name, ['received_at']);
}

/** Parts that a batch of the most counters can have. */
const partsBefore = 10;
