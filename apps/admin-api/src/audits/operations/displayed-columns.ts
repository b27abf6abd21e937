import type { AuditRow } from '../../database/audit-tables.ts';

/** What the columns beside the hashed text show, under the names that the text has. An erased value is null. */
export function displayedOf(row: AuditRow): Readonly<Record<string, unknown>> {
  const disclosures = JSON.parse(row.disclosures ?? '{}') as Readonly<Record<string, unknown>>;
  const unlessErased = (name: 'actor_username' | 'source_ip'): string | null =>
    row[name] === '' && disclosures[name] === null ? null : row[name];
  return {
    id: row.id,
    tenant_id: row.tenant_id === '' ? null : row.tenant_id,
    actor_id: row.actor_id,
    actor_username: unlessErased('actor_username'),
    action: row.action,
    entity_type: row.entity_type,
    entity_id: row.entity_id,
    request_id: row.request_id,
    source_ip: unlessErased('source_ip'),
    timestamp: new Date(row.occurred_at).toISOString(),
    schema_version: row.schema_version,
  };
}
