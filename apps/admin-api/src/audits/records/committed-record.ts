import {
  CanonicalError,
  canonicalJson,
  COMMITTED_FIELDS,
  type Commitment,
  commitField,
  SALT_BYTES,
} from '@portcullis/audit-chain';
import type { AuditEntry } from '../audit-port.ts';

/** Version of the record's shape. A verifier reads it before it reads the rest. */
export const auditSchemaVersion = 2;

/** A record without its hashes, as it is stored. */
export interface CommittedRecord {
  /** RFC 8785 form; commitments in place of what may have to be erased later. */
  readonly canonical: string;
  /** JSON: `{field: {salt, value}}` for each committed field. */
  readonly disclosures: string;
}

/** What a record says of itself beside its entry. */
export interface RecordFacts {
  readonly id: string;
  readonly occurredAtMs: number;
}

/**
 * Writes an entry down. Absent values are null, so that every record has the same members; they are committed to as well, so
 * that a record does not show whether there was something to erase. @param randomBytes for the salts, a new one for each field
 * @throws CanonicalError for text that the databases would not keep and numbers that JSON has not
 */
export function committedRecord(
  entry: AuditEntry,
  { id, occurredAtMs }: RecordFacts,
  randomBytes: (size: number) => Buffer,
): CommittedRecord {
  const salts = randomBytes(SALT_BYTES * COMMITTED_FIELDS.length).toString('hex');
  const values: Readonly<Record<string, unknown>> = {
    before: entry.before ?? null,
    after: entry.after ?? null,
    metadata: entry.metadata ?? null,
    source_ip: entry.sourceIp,
    actor_username: entry.actorUsername,
  };
  const commitments: Record<string, Commitment> = {};
  const disclosures: Record<string, { readonly salt: string; readonly value: unknown }> = {};
  for (const [index, field] of COMMITTED_FIELDS.entries()) {
    const salt = salts.slice(index * SALT_BYTES * 2, (index + 1) * SALT_BYTES * 2);
    const { value, commitment } = commit(values[field], salt);
    commitments[field] = commitment;
    disclosures[field] = { salt, value };
  }
  const canonical = canonicalJson({
    id,
    tenant_id: entry.tenantId === '' ? null : entry.tenantId,
    actor_id: entry.actorId,
    action: entry.action,
    entity_type: entry.entityType,
    entity_id: entry.entityId,
    request_id: entry.requestId,
    timestamp: new Date(occurredAtMs).toISOString(),
    schema_version: auditSchemaVersion,
    immutable: true,
    ...commitments,
  });
  return { canonical, disclosures: JSON.stringify(disclosures) };
}

/** Most values are plain JSON and take no detour. */
function commit(value: unknown, salt: string): { readonly value: unknown; readonly commitment: Commitment } {
  try {
    return { value, commitment: commitField(value, salt) };
  } catch (error) {
    if (!(error instanceof CanonicalError)) throw error;
    const plain = plainOf(value);
    return { value: plain, commitment: commitField(plain, salt) };
  }
}

/** Without members that JSON leaves out, and with integers that readers round as texts. Source: reliability, Record bytes. */
function plainOf(value: unknown): unknown {
  const isRounded = (number: unknown): boolean => Number.isInteger(number) && !Number.isSafeInteger(number);
  const isLost = (number: unknown): boolean => typeof number === 'number' && !Number.isFinite(number);
  const text = JSON.stringify(value, (_key, member: unknown) => {
    if (isLost(member)) throw new CanonicalError('', `JSON has no ${String(member)}`);
    return isRounded(member) ? String(member) : member;
  });
  return text === undefined ? null : JSON.parse(text);
}
