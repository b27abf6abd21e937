import { sql } from 'kysely';
import { createIndex, createTable, type SchemaStep } from './schema-step.ts';

/** What every administrative write leaves beside the changed row: revision, change log and audit record. */
export const revisionsAndAudits: SchemaStep = {
  name: '0002-revisions-and-audits',
  async up(database, traits) {
    await createTable(database, traits, {
      name: 'tenant_revisions',
      columns: { tenant_id: 'text', revision: 'integer' },
      primaryKey: ['tenant_id'],
      keyOnly: true,
    }).execute();
    await createTable(database, traits, {
      name: 'gateway_revisions',
      columns: { tenant_id: 'text', gateway_id: 'text', revision: 'integer' },
      primaryKey: ['tenant_id', 'gateway_id'],
      keyOnly: true,
    }).execute();
    await createTable(database, traits, {
      name: 'changes',
      columns: {
        tenant_id: 'text',
        revision: 'integer',
        position: 'integer',
        gateway_id: 'text?',
        family: 'text',
        id: 'text',
        action: 'text',
        changed_at: 'integer',
      },
      primaryKey: ['tenant_id', 'revision', 'position'],
      keyOnly: true,
    })
      .addCheckConstraint('changes_action', sql`action in ('create', 'update', 'delete')`)
      .execute();
    await createTable(database, traits, {
      name: 'audit_records',
      columns: {
        id: 'text',
        tenant_id: 'text',
        actor_id: 'text',
        actor_username: 'text',
        action: 'text',
        entity_type: 'text',
        entity_id: 'text',
        request_id: 'text',
        source_ip: 'text',
        occurred_at: 'integer',
        schema_version: 'integer',
        canonical: 'text',
        content_hash: 'text',
        tenant_sequence: 'integer?',
        previous_hash: 'text?',
        audit_hash: 'text?',
        global_sequence: 'integer?',
        global_previous_hash: 'text?',
        global_hash: 'text?',
      },
      primaryKey: ['id'],
    }).execute();
    // The first finds one entity's history. The others hold every column that lists filter by, so that pages and counts
    // of a long log are found without reading the records' texts.
    const filtered = ['action', 'entity_type', 'entity_id', 'actor_id'];
    const byEntity = ['tenant_id', 'entity_type', 'entity_id', 'occurred_at', 'id'];
    const byTenant = ['tenant_id', 'occurred_at', 'id', ...filtered];
    await createIndex(database, 'audit_records_by_entity', 'audit_records', byEntity);
    await createIndex(database, 'audit_records_by_tenant', 'audit_records', byTenant);
    await createIndex(database, 'audit_records_by_time', 'audit_records', [
      'occurred_at',
      'id',
      'tenant_id',
      ...filtered,
    ]);
  },
};
