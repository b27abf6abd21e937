import { sql, type Kysely } from 'kysely';
import type { DialectTraits } from '../dialect-traits.ts';
import { createIndex, createTable, type SchemaStep } from './schema-step.ts';

const RECORD = ['tenant_id', 'family', 'id'];
const TARGET = ['tenant_id', 'target_family', 'target_id'];

/** The three tables that hold the records of all families, and what changes by itself beside them. */
export const resources: SchemaStep = {
  name: '0001-resources',
  async up(database, traits) {
    await createResources(database, traits);
    await createTable(database, traits, {
      name: 'resource_keys',
      columns: { family: 'text', key_name: 'text', scope: 'text', value: 'text', tenant_id: 'text', id: 'text' },
      primaryKey: ['family', 'key_name', 'scope', 'value'],
      keyOnly: true,
    })
      .addForeignKeyConstraint('resource_keys_record', RECORD, 'resources', RECORD, (key) => key.onDelete('cascade'))
      .execute();
    await createIndex(database, 'resource_keys_by_record', 'resource_keys', RECORD);
    // A login that names no tenant looks for the name in all of them.
    await createIndex(database, 'resource_keys_by_value', 'resource_keys', ['family', 'key_name', 'value']);
    await createReferences(database, traits);
    await createTable(database, traits, {
      name: 'resource_states',
      columns: { tenant_id: 'text', family: 'text', id: 'text', state: 'text', updated_at: 'integer' },
      primaryKey: RECORD,
    })
      .addForeignKeyConstraint('resource_states_record', RECORD, 'resources', RECORD, (key) => key.onDelete('cascade'))
      .execute();
    await createTable(database, traits, {
      name: 'retired_keys',
      columns: { family: 'text', key_name: 'text', value: 'text', retired_at: 'integer' },
      primaryKey: ['family', 'key_name', 'value'],
      keyOnly: true,
    }).execute();
  },
};

async function createResources(database: Kysely<never>, traits: DialectTraits): Promise<void> {
  await createTable(database, traits, {
    name: 'resources',
    columns: {
      tenant_id: 'text',
      family: 'text',
      id: 'text',
      gateway_id: 'text?',
      name: 'text?',
      enabled: 'integer',
      revision: 'integer',
      created_at: 'integer',
      updated_at: 'integer',
      body: 'text',
      secrets: 'text?',
    },
    primaryKey: RECORD,
  })
    .addColumn('collection', traits.textType, (column) =>
      column.generatedAlwaysAs(sql`family || '/' || tenant_id`).stored(),
    )
    .addCheckConstraint('resources_enabled', sql`enabled in (0, 1)`)
    .addCheckConstraint('resources_revision', sql`revision >= 1`)
    .addCheckConstraint('resources_identity', sql`family <> '' and id <> ''`)
    .execute();
  // None of these begins with the columns of the primary key. Without statistics (a new tenant's first import)
  // PostgreSQL would otherwise check foreign keys through one of them, and read the whole family for each row.
  await createIndex(database, 'resources_by_creation', 'resources', ['collection', 'created_at', 'id']);
  await createIndex(database, 'resources_by_gateway', 'resources', ['gateway_id', 'collection', 'created_at', 'id']);
  // Lists by name put records without one first, in both databases.
  await sql`create index resources_by_name on resources (collection, name ${traits.nullsFirst}, id)`.execute(database);
  const inGateway = sql`gateway_id, collection, name ${traits.nullsFirst}, id`;
  await sql`create index resources_by_gateway_name on resources (${inGateway})`.execute(database);
}

async function createReferences(database: Kysely<never>, traits: DialectTraits): Promise<void> {
  await createTable(database, traits, {
    name: 'resource_references',
    columns: { tenant_id: 'text', family: 'text', id: 'text', field: 'text', target_family: 'text', target_id: 'text' },
    primaryKey: [...RECORD, 'field', 'target_family', 'target_id'],
    keyOnly: true,
  })
    .addForeignKeyConstraint('resource_references_source', RECORD, 'resources', RECORD, (key) =>
      key.onDelete('cascade'),
    )
    .addForeignKeyConstraint('resource_references_target', TARGET, 'resources', RECORD, (key) =>
      key.onDelete('no action'),
    )
    .execute();
  await createIndex(database, 'resource_references_by_target', 'resource_references', TARGET);
}
