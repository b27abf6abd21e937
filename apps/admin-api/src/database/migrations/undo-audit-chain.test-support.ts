import { sql, type Kysely } from 'kysely';
import type { Executor } from '../database.ts';
import { traitsOf } from '../dialect-traits.ts';
import { observations } from './0004-observations.ts';
import { observedDetails } from './0005-observed-details.ts';
import { MIGRATION_TABLE } from './migrate.ts';

const triggers = { audit_records: ['fixed', 'linked', 'disclosed', 'kept'] };

/** Tables of the steps after it; observations, which one of them rebuilds, are made anew as they were. */
const laterTables = [
  'api_descriptions',
  'integration_syncs',
  'integration_states',
  'slo_timeline',
  'slo_states',
  'observation_batch_parts',
  'observation_counters',
  'observation_records',
  'observation_arrivals',
  'observation_drops',
  'observation_retention_rules',
];

/** Makes an empty database what it was before the step to the audit chain, so that a case can fill it and open it again. */
export async function undoAuditChain(executor: Executor): Promise<void> {
  const hasFunctions = traitsOf(executor).triggers === 'functions';
  const statements = Object.entries(triggers).flatMap(([table, names]) =>
    names.map((name) => `drop trigger ${table}_${name}${hasFunctions ? ` on ${table}` : ''}`),
  );
  if (hasFunctions) statements.push('drop trigger audit_records_emptied on audit_records');
  for (const statement of [
    ...laterTables.map((name) => `drop table ${name}`),
    ...statements,
    'drop index audit_records_by_tenant_sequence',
    'drop index audit_records_by_global_sequence',
    'drop index audit_records_pending',
    ...['heads', 'nodes', 'checkpoints', 'retention', 'retention_rules', 'keys'].map(
      (name) => `drop table audit_${name}`,
    ),
    'alter table audit_records drop column disclosures',
    ...(hasFunctions ? ['refusal', 'record_kept', 'cut_signed'].map((name) => `drop function audit_${name}()`) : []),
    `delete from ${MIGRATION_TABLE} where name >= '0008'`,
  ]) {
    await sql.raw(statement).execute(executor);
  }
  const database = executor as unknown as Kysely<never>;
  for (const step of [observations, observedDetails]) await step.up(database, traitsOf(executor));
}
