import { sql } from 'kysely';
import type { Executor } from '../database.ts';
import { traitsOf } from '../dialect-traits.ts';
import { MIGRATION_TABLE } from './migrate.ts';

const triggers = { audit_records: ['fixed', 'linked', 'disclosed', 'kept'] };

/** Makes an empty database what it was before the step to the audit chain, so that a case can fill it and open it again. */
export async function undoAuditChain(executor: Executor): Promise<void> {
  const hasFunctions = traitsOf(executor).triggers === 'functions';
  const statements = Object.entries(triggers).flatMap(([table, names]) =>
    names.map((name) => `drop trigger ${table}_${name}${hasFunctions ? ` on ${table}` : ''}`),
  );
  if (hasFunctions) statements.push('drop trigger audit_records_emptied on audit_records');
  for (const statement of [
    ...statements,
    'drop index audit_records_by_tenant_sequence',
    'drop index audit_records_by_global_sequence',
    'drop index audit_records_pending',
    ...['heads', 'nodes', 'checkpoints', 'retention', 'retention_rules', 'keys'].map(
      (name) => `drop table audit_${name}`,
    ),
    'alter table audit_records drop column disclosures',
    ...(hasFunctions ? ['refusal', 'record_kept', 'cut_signed'].map((name) => `drop function audit_${name}()`) : []),
    `delete from ${MIGRATION_TABLE} where name like '0008%' or name like '0009%'`,
  ]) {
    await sql.raw(statement).execute(executor);
  }
}
