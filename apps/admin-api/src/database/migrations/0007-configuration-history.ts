import { type Kysely, sql } from 'kysely';
import { emptyConfiguration } from '../../snapshots/configuration-hash.ts';
import { sumConfiguration } from '../../snapshots/sum-configuration.ts';
import { totalsColumns } from '../../snapshots/totals-columns.ts';
import type { DialectTraits } from '../dialect-traits.ts';
import type { Tables } from '../tables.ts';
import { createIndex, createTable, type SchemaStep } from './schema-step.ts';

/**
 * Snapshots of tenants' configurations, the earlier states of records that they need, and beside each tenant's revision what
 * its configuration then is. ADR 0024 says how they belong together.
 */
export const configurationHistory: SchemaStep = {
  name: '0007-configuration-history',
  async up(database, traits) {
    await addColumns(database, traits);
    await createSnapshots(database, traits);
    await createHistory(database, traits);
    await sumUpExisting(database);
  },
};

async function addColumns(database: Kysely<never>, traits: DialectTraits): Promise<void> {
  const add = (table: string, column: string, fallback: number | string) => {
    const type = typeof fallback === 'number' ? traits.integerType : traits.textType;
    return database.schema
      .alterTable(table)
      .addColumn(column, type, (definition) => definition.notNull().defaultTo(sql.lit(fallback)))
      .execute();
  };
  await add('resources', 'tenant_revision', 0);
  // Records that were there before are in no snapshot's difference, so they need no place in the index.
  await sql`create index resources_by_tenant_revision on resources (tenant_id, tenant_revision, family, id)
    where tenant_revision > 0`.execute(database);
  await add('tenant_revisions', 'config_hash', emptyConfiguration.hash);
  await add('tenant_revisions', 'config_bytes', emptyConfiguration.bytes);
  await add('tenant_revisions', 'config_counts', JSON.stringify(emptyConfiguration.counts));
  await add('tenant_revisions', 'config_revision', 0);
  await add('tenant_revisions', 'snapshot_revision', -1);
  await add('tenant_revisions', 'history_to_free', 0);
}

async function createSnapshots(database: Kysely<never>, traits: DialectTraits): Promise<void> {
  const table = 'config_snapshots';
  await createTable(database, traits, {
    name: table,
    columns: {
      tenant_id: 'text',
      id: 'text',
      revision: 'integer',
      reason: 'text',
      note: 'text?',
      created_by: 'text',
      created_at: 'integer',
      config_hash: 'text',
      counts: 'text',
      size_bytes: 'integer',
    },
    primaryKey: ['tenant_id', 'id'],
  })
    .addCheckConstraint('config_snapshots_reason', sql`reason in ('manual', 'pre_sync', 'pre_import', 'pre_rollback')`)
    .execute();
  await createIndex(database, 'config_snapshots_by_time', table, ['tenant_id', 'created_at desc', 'id desc']);
  await createIndex(database, 'config_snapshots_by_revision', table, ['tenant_id', 'revision']);
}

async function createHistory(database: Kysely<never>, traits: DialectTraits): Promise<void> {
  await createTable(database, traits, {
    name: 'resource_history',
    columns: {
      tenant_id: 'text',
      until_revision: 'integer',
      family: 'text',
      id: 'text',
      from_revision: 'integer',
      gateway_id: 'text?',
      name: 'text?',
      enabled: 'integer',
      revision: 'integer',
      created_at: 'integer',
      updated_at: 'integer',
      body: 'text',
      secrets: 'text?',
    },
    primaryKey: ['tenant_id', 'until_revision', 'family', 'id'],
  })
    .addCheckConstraint('resource_history_range', sql`from_revision < until_revision`)
    .execute();
}

/** Tenant after tenant and page after page, since a database may hold more than fits into memory. */
async function sumUpExisting(database: Kysely<never>): Promise<void> {
  const tables = database as unknown as Kysely<Tables>;
  const nextTenant = (after: string) =>
    tables
      .selectFrom('tenant_revisions')
      .select('tenant_id')
      .where('tenant_id', '>', after)
      .orderBy('tenant_id')
      .limit(1)
      .executeTakeFirst();
  for (let row = await nextTenant(''); row; row = await nextTenant(row.tenant_id)) {
    const totals = totalsColumns(await sumConfiguration(tables, row.tenant_id));
    await tables
      .updateTable('tenant_revisions')
      .set(({ ref }) => ({ ...totals, config_revision: ref('revision') }))
      .where('tenant_id', '=', row.tenant_id)
      .execute();
  }
}
