import { type Kysely, sql } from 'kysely';
import type { DialectTraits } from '../dialect-traits.ts';
import { auditGuards } from './audit-guards.ts';
import { createTable, type SchemaStep } from './schema-step.ts';

/**
 * The audit chain: its heads, the nodes and checkpoints of its trees, and where retention has cut it. Records that were there
 * before stay as they are and wait for the sequencer like new ones, oldest first.
 */
export const auditChain: SchemaStep = {
  name: '0008-audit-chain',
  async up(database, traits) {
    await database.schema.alterTable('audit_records').addColumn('disclosures', traits.textType).execute();
    await createIndexes(database);
    await createTrees(database, traits);
    for (const statement of auditGuards(traits)) await sql.raw(statement).execute(database);
    if (traits.triggers === 'functions') await keepStatistics(database);
  },
};

/** Partial ones: a record enters each index once, when it is what the index is about. */
async function createIndexes(database: Kysely<never>): Promise<void> {
  await sql`create unique index audit_records_by_tenant_sequence on audit_records (tenant_id, tenant_sequence)
    where tenant_sequence is not null`.execute(database);
  await sql`create unique index audit_records_by_global_sequence on audit_records (global_sequence)
    where global_sequence is not null`.execute(database);
  await sql`create index audit_records_pending on audit_records (id) where global_sequence is null`.execute(database);
}

async function createTrees(database: Kysely<never>, traits: DialectTraits): Promise<void> {
  await createTable(database, traits, {
    name: 'audit_heads',
    columns: { chain: 'text', sequence: 'integer', hash: 'text', subtree_hashes: 'text' },
    primaryKey: ['chain'],
  }).execute();
  await createTable(database, traits, {
    name: 'audit_nodes',
    columns: { chain: 'text', level: 'integer', position: 'integer', hash: 'text' },
    primaryKey: ['chain', 'level', 'position'],
    keyOnly: true,
  }).execute();
  await createTable(database, traits, {
    name: 'audit_checkpoints',
    columns: { chain: 'text', size: 'integer', root: 'text', note: 'text', created_at: 'integer' },
    primaryKey: ['chain', 'size'],
  }).execute();
  await createTable(database, traits, {
    name: 'audit_retention',
    columns: {
      chain: 'text',
      pruned_through: 'integer',
      hash: 'text',
      subtree_hashes: 'text',
      pruned_at: 'integer',
    },
    primaryKey: ['chain'],
  }).execute();
}

/**
 * The planner knows the new columns at once, and goes on knowing a long log: each record is written twice, and a fifth of millions,
 * after which the server would look again by itself, is never.
 */
async function keepStatistics(database: Kysely<never>): Promise<void> {
  await sql`alter table audit_records set (autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_scale_factor = 0.02,
    autovacuum_vacuum_insert_scale_factor = 0.02)`.execute(database);
  await sql`analyze audit_records`.execute(database);
}
