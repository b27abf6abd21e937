import * as v from 'valibot';
import type { AuditRow } from '../../database/audit-tables.ts';

const chained = v.nullable(v.string());
const sequence = v.nullable(v.number());

/** Fields whose values stand beside the hashed text since schema version 2, so that they can be erased. */
export const redactableFields = ['before', 'after', 'metadata', 'source_ip', 'actor_username'] as const;

/** One of {@link redactableFields}. */
export type RedactableField = (typeof redactableFields)[number];

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
    /** Fields whose values were erased. */
    redacted: v.array(v.picklist(redactableFields)),
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

type OwnField = Extract<keyof AuditRecordView, `${string}_hash` | `${string}_sequence` | 'redacted'>;

/** The value of a committed field with its salt; `null` once it was erased. */
type Disclosures = Readonly<Partial<Record<RedactableField, { readonly value: unknown } | null>>>;

/**
 * A record as it is shown: the members of its canonical form, which is what is hashed, with the values of committed fields in
 * place of their commitments, and the hashes beside them. The hashed bytes themselves are in an export.
 */
export function auditView(row: AuditRow): AuditRecordView {
  const disclosures = JSON.parse(row.disclosures ?? '{}') as Disclosures;
  const redacted = redactableFields.filter((field) => disclosures[field] === null);
  return {
    ...(JSON.parse(row.canonical) as Omit<AuditRecordView, OwnField>),
    ...(row.disclosures !== null && disclosed(disclosures)),
    redacted,
    previous_hash: row.previous_hash,
    audit_hash: row.audit_hash,
    tenant_sequence: row.tenant_sequence,
    global_sequence: row.global_sequence,
    global_previous_hash: row.global_previous_hash,
    global_hash: row.global_hash,
  };
}

/** What stands for an erased value has the type of the field. */
const erased: Readonly<Record<RedactableField, unknown>> = {
  before: null,
  after: null,
  metadata: null,
  source_ip: '',
  actor_username: '',
};

function disclosed(disclosures: Disclosures): Pick<AuditRecordView, RedactableField> {
  const entries = redactableFields.map((field) => [field, disclosures[field]?.value ?? erased[field]] as const);
  return Object.fromEntries(entries) as Pick<AuditRecordView, RedactableField>;
}
