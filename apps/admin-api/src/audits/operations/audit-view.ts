import * as v from 'valibot';
import type { AuditRow } from '../../database/audit-tables.ts';

const chained = v.nullable(v.string());
const sequence = v.nullable(v.number());

/** An audit record on the wire. Hashes and sequences are `null` until the record is chained. Source: wire contract, Audits. */
export const auditRecordSchema = v.pipe(
  v.object({
    id: v.string(),
    tenant_id: v.nullable(v.string()),
    actor_id: v.string(),
    actor_username: v.string(),
    action: v.string(),
    entity_type: v.string(),
    entity_id: v.string(),
    request_id: v.string(),
    source_ip: v.string(),
    timestamp: v.pipe(v.string(), v.isoTimestamp()),
    metadata: v.nullable(v.record(v.string(), v.unknown())),
    before: v.unknown(),
    after: v.unknown(),
    schema_version: v.number(),
    immutable: v.literal(true),
    previous_hash: chained,
    audit_hash: chained,
    tenant_sequence: sequence,
    global_sequence: sequence,
    global_previous_hash: chained,
    global_hash: chained,
  }),
  v.title('AuditRecord'),
);

/** What {@link auditRecordSchema} describes. */
export type AuditRecordView = v.InferOutput<typeof auditRecordSchema>;

type ChainField = Extract<keyof AuditRecordView, `${string}_hash` | `${string}_sequence`>;

/**
 * A record as it is shown: the members of its canonical form, which is what is hashed, and the hashes beside them. So whoever
 * takes the hashes away and writes the rest in RFC 8785 form has the hashed bytes.
 */
export function auditView(row: AuditRow): AuditRecordView {
  return {
    ...(JSON.parse(row.canonical) as Omit<AuditRecordView, ChainField>),
    previous_hash: row.previous_hash,
    audit_hash: row.audit_hash,
    tenant_sequence: row.tenant_sequence,
    global_sequence: row.global_sequence,
    global_previous_hash: row.global_previous_hash,
    global_hash: row.global_hash,
  };
}
