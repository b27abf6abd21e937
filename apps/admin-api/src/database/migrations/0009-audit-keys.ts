import { sql } from 'kysely';
import { keyGuards } from './audit-guards.ts';
import { createTable, type SchemaStep } from './schema-step.ts';

/** The keys that sign checkpoints of the audit log, and how long its records are kept. */
export const auditKeys: SchemaStep = {
  name: '0009-audit-keys',
  async up(database, traits) {
    await createTable(database, traits, {
      name: 'audit_keys',
      columns: {
        key_id: 'text',
        name: 'text',
        verifier_key: 'text',
        sealed_seed: 'text?',
        signed_change: 'text?',
        since: 'integer',
      },
      primaryKey: ['key_id'],
    }).execute();
    await createTable(database, traits, {
      name: 'audit_retention_rules',
      columns: { tenant_id: 'text', days: 'integer' },
      primaryKey: ['tenant_id'],
      keyOnly: true,
    }).execute();
    for (const statement of keyGuards(traits)) await sql.raw(statement).execute(database);
  },
};
