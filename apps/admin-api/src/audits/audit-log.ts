import { createHash } from 'node:crypto';
import { setImmediate as otherWork } from 'node:timers/promises';
import canonicalize from 'canonicalize';
import type { Transaction } from 'kysely';
import { storableJson } from '../database/storable-text.ts';
import type { AuditRow } from '../database/audit-tables.ts';
import type { Tables } from '../database/tables.ts';
import { chunksOf } from '../database/chunks.ts';
import { executeLater } from '../database/deferred-statement.ts';
import type { AuditEntry, AuditPort } from './audit-port.ts';

/** Version of the record's shape. A verifier reads it before it reads the rest. */
export const AUDIT_SCHEMA_VERSION = 1;
/** Separates this hash from every other use of SHA-256 in the product. Source: reliability, Audit chain, Framing. */
const CONTENT_DOMAIN = 'portcullis/audit/v1/content\0';

/** What `createAuditLog` needs. */
export interface AuditLogOptions {
  /** Gives a new record ID, in ascending order. */
  readonly ids: () => string;
  readonly clock: { nowMs(): number };
}

/**
 * Writes audit records into the transaction of the act. The bytes that are hashed are the bytes that are stored, in RFC
 * 8785 form; the other columns are a view of them. Chain hashes stay empty until a sequencer chains the record.
 * `append` throws UnstorableTextError for U+0000 and canonicalize's error for lone surrogates and numbers that JSON has not.
 */
export function createAuditLog(options: AuditLogOptions): AuditPort {
  return {
    async append(transaction: Transaction<Tables>, entries: readonly AuditEntry[]): Promise<void> {
      for (const chunk of chunksOf(entries)) {
        // Writing one down takes some 20 microseconds: of a large bundle's records, others have their turn in between.
        if (entries.length > chunk.length) await otherWork();
        const rows = chunk.map((entry) => toRow(entry, options.ids(), options.clock.nowMs()));
        await executeLater(transaction, transaction.insertInto('audit_records').values(rows));
      }
    },
  };
}

/**
 * SHA-256, lower-case hex, over the domain, the length of the canonical form (32 bits, big endian) and its UTF-8 bytes.
 * Source: reliability, Audit chain, Framing.
 */
export function contentHash(canonical: string): string {
  const bytes = Buffer.from(canonical, 'utf8');
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return createHash('sha256').update(CONTENT_DOMAIN, 'utf8').update(length).update(bytes).digest('hex');
}

/** What the hashed text and the columns both say, so that the columns can only be a view of it. */
function displayedFields(entry: AuditEntry, id: string) {
  return {
    id,
    tenant_id: entry.tenantId,
    actor_id: entry.actorId,
    actor_username: entry.actorUsername,
    action: entry.action,
    entity_type: entry.entityType,
    entity_id: entry.entityId,
    request_id: entry.requestId,
    source_ip: entry.sourceIp,
    schema_version: AUDIT_SCHEMA_VERSION,
  };
}

/** The record without hashes in RFC 8785 form. Absent values are null, so that every record has the same members. */
function canonicalForm(entry: AuditEntry, id: string, occurredAtMs: number): string {
  const canonical = canonicalize({
    ...displayedFields(entry, id),
    tenant_id: entry.tenantId === '' ? null : entry.tenantId,
    timestamp: new Date(occurredAtMs).toISOString(),
    metadata: entry.metadata ?? null,
    before: entry.before ?? null,
    after: entry.after ?? null,
    immutable: true,
  });
  if (canonical === undefined) throw new TypeError('an audit record has no canonical form');
  return storableJson(canonical);
}

function toRow(entry: AuditEntry, id: string, occurredAtMs: number): AuditRow {
  const canonical = canonicalForm(entry, id, occurredAtMs);
  return {
    ...displayedFields(entry, id),
    occurred_at: occurredAtMs,
    canonical,
    content_hash: contentHash(canonical),
    tenant_sequence: null,
    previous_hash: null,
    audit_hash: null,
    global_sequence: null,
    global_previous_hash: null,
    global_hash: null,
    disclosures: null,
  };
}
