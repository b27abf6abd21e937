import { storableJson } from '../database/storable-text.ts';
import type { ResourceRow } from '../database/tables.ts';
import type { StoredRecord } from './resource-store.ts';

/** A record as a row. @throws UnstorableTextError */
export function toRow(record: StoredRecord): ResourceRow {
  return {
    tenant_id: record.tenantId,
    family: record.family,
    id: record.id,
    gateway_id: record.gatewayId,
    name: record.name,
    enabled: record.enabled ? 1 : 0,
    revision: record.revision,
    created_at: record.createdAtMs,
    updated_at: record.updatedAtMs,
    body: storableJson(JSON.stringify(record.body)),
    secrets: Object.keys(record.secrets).length === 0 ? null : storableJson(JSON.stringify(record.secrets)),
    tenant_revision: record.tenantRevision,
  };
}

/** A row as a record. */
export function fromRow(row: ResourceRow): StoredRecord {
  return {
    tenantId: row.tenant_id,
    family: row.family,
    id: row.id,
    gatewayId: row.gateway_id,
    name: row.name,
    enabled: row.enabled === 1,
    revision: row.revision,
    createdAtMs: row.created_at,
    updatedAtMs: row.updated_at,
    body: JSON.parse(row.body) as StoredRecord['body'],
    secrets: row.secrets === null ? {} : (JSON.parse(row.secrets) as StoredRecord['secrets']),
    tenantRevision: row.tenant_revision,
  };
}
