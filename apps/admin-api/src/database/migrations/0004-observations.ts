import type { Kysely } from 'kysely';
import type { DialectTraits } from '../dialect-traits.ts';
import { createIndex, createTable, type SchemaStep } from './schema-step.ts';

/**
 * What gateways report: batches seen, counters, single requests. A tenant's ID begins every key, since nodes choose the
 * rest of it.
 */
export const observations: SchemaStep = {
  name: '0004-observations',
  async up(database, traits) {
    await createTable(database, traits, {
      name: 'observation_batches',
      columns: {
        tenant_id: 'text',
        data_plane_id: 'text',
        boot_id: 'text',
        sequence: 'integer',
        received_at: 'integer',
      },
      primaryKey: ['tenant_id', 'data_plane_id', 'boot_id', 'sequence'],
      keyOnly: true,
    }).execute();
    await createIndex(database, 'observation_batches_by_time', 'observation_batches', ['received_at']);
    await createCounters(database, traits);
    await createRecords(database, traits);
  },
};

async function createCounters(database: Kysely<never>, traits: DialectTraits): Promise<void> {
  await createTable(database, traits, {
    name: 'observation_counters',
    columns: {
      tenant_id: 'text',
      gateway_id: 'text',
      grain: 'text',
      minute: 'integer',
      route_id: 'text',
      service_id: 'text',
      requests: 'integer',
      errors_4xx: 'integer',
      errors_5xx: 'integer',
      latency_sum_us: 'integer',
      request_bytes: 'integer',
      response_bytes: 'integer',
      statuses: 'text',
      histogram: 'text',
      over_thresholds: 'text',
    },
    primaryKey: ['tenant_id', 'gateway_id', 'grain', 'minute', 'route_id', 'service_id'],
  }).execute();
  const table = 'observation_counters';
  await createIndex(database, 'observation_counters_by_tenant', table, ['tenant_id', 'grain', 'minute']);
  await createIndex(database, 'observation_counters_by_minute', table, ['minute']);
}

async function createRecords(database: Kysely<never>, traits: DialectTraits): Promise<void> {
  await createTable(database, traits, {
    name: 'observation_records',
    columns: {
      id: 'text',
      tenant_id: 'text',
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
    },
    primaryKey: ['tenant_id', 'id'],
  }).execute();
  const table = 'observation_records';
  await createIndex(database, 'observation_records_by_gateway', table, [
    'tenant_id',
    'gateway_id',
    'occurred_at desc',
    'id',
  ]);
  await createIndex(database, 'observation_records_by_tenant', table, ['tenant_id', 'occurred_at desc', 'id']);
  await createIndex(database, 'observation_records_by_time', table, ['occurred_at']);
}
