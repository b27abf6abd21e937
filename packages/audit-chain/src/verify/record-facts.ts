import { contentHash, globalLinkHash, tenantLinkHash } from '../hashing/framing.ts';
import type { ExportRecord } from '../records/export-line.ts';
import { parseCanonical } from '../records/json-form.ts';

/** What a record's hashed text says of it, and what its hashes are for that text. */
export interface RecordFacts {
  readonly record: ExportRecord;
  /** Members of the hashed text. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** '' for no tenant. */
  readonly tenantId: string;
  readonly contentHash: string;
  /** Whether `audit_hash` is the hash of the text at the place that the record names. */
  readonly fitsTenantChain: boolean;
  /** Whether `global_hash` is the hash of the `audit_hash` at the place that the record names. */
  readonly fitsGlobalChain: boolean;
}

/** Reads a record. Undefined where its text is no object in RFC 8785 form. */
export function readFacts(record: ExportRecord): RecordFacts | undefined {
  const fields = parseFields(record.canonical);
  if (fields === undefined) return undefined;
  const tenantId = typeof fields['tenant_id'] === 'string' ? fields['tenant_id'] : '';
  const content = contentHash(record.canonical);
  const auditHash = tenantLinkHash({
    tenantId,
    sequence: record.tenant_sequence,
    previousHash: record.previous_hash,
    contentHash: content,
  });
  const globalHash = globalLinkHash({
    sequence: record.global_sequence,
    previousHash: record.global_previous_hash,
    tenantId,
    auditHash: record.audit_hash,
  });
  return {
    record,
    fields,
    tenantId,
    contentHash: content,
    fitsTenantChain: auditHash === record.audit_hash,
    fitsGlobalChain: globalHash === record.global_hash,
  };
}

function parseFields(canonical: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value = parseCanonical(canonical)?.value;
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined;
  }
}
