import { randomBytes as systemRandomBytes } from 'node:crypto';
import { setImmediate as otherWork } from 'node:timers/promises';
import { COMMITTED_FIELDS, contentHash, SALT_BYTES } from '@portcullis/audit-chain';
import type { Transaction } from 'kysely';
import type { AuditRow } from '../../database/audit-tables.ts';
import { chunksOf } from '../../database/chunks.ts';
import type { BulkRow, BulkTable } from '../../database/bulk-insert.ts';
import { insertLater } from '../../database/deferred-statement.ts';
import { storableJson } from '../../database/storable-text.ts';
import type { Tables } from '../../database/tables.ts';
import type { AuditEntry, AuditPort, WrittenActs } from '../audit-port.ts';
import { auditSchemaVersion, committedRecord } from './committed-record.ts';
import { isRecordedAct } from './audit-policy.ts';

const saltBytesOfRecord = SALT_BYTES * COMMITTED_FIELDS.length;

/** What `createAuditLog` needs. */
export interface AuditLogOptions {
  /** Gives a new record ID, in ascending order. */
  readonly ids: () => string;
  readonly clock: { nowMs(): number };
  /** For salts. Default: the system's. */
  readonly randomBytes?: (size: number) => Buffer;
}

/** The log of acts. */
export interface AuditLog extends AuditPort {
  /** Whether records were written in that transaction. */
  wroteIn(transaction: Transaction<Tables>): boolean;
}

/**
 * Writes audit records into the transaction of the act. The bytes that are hashed are the bytes that are stored, in RFC
 * 8785 form; the other columns are a view of them. Links stay empty until the sequencer chains the record.
 * `append` throws a CanonicalError for lone surrogates, U+0000 and numbers that JSON has not, and a TypeError for an act that
 * the policy does not know.
 */
export function createAuditLog({ ids, clock, randomBytes = systemRandomBytes }: AuditLogOptions): AuditLog {
  const written = new WeakSet<Transaction<Tables>>();
  const writeDown = async (entries: readonly AuditEntry[]): Promise<WrittenActs> => {
    const rows: BulkRow[] = [];
    for (const chunk of chunksOf(entries)) {
      // Writing one down takes some 30 microseconds: of a large bundle's records, others have their turn in between.
      if (entries.length > chunk.length) await otherWork();
      const salts = saltsFor(chunk.length, randomBytes);
      for (const entry of chunk) rows.push(toRow(entry, { id: ids(), occurredAtMs: clock.nowMs() }, salts));
    }
    return { rows };
  };
  const appendWritten = async (transaction: Transaction<Tables>, { rows }: WrittenActs): Promise<void> => {
    await insertLater(transaction, auditTable, rows);
    if (rows.length > 0) written.add(transaction);
  };
  return {
    wroteIn: (transaction) => written.has(transaction),
    async append(transaction, entries) {
      await appendWritten(transaction, await writeDown(entries));
    },
    writeDown,
    appendWritten,
  };
}

/** Salts of many records at once: asking the system for each of them takes as long as writing the record down. */
function saltsFor(records: number, randomBytes: (size: number) => Buffer): (size: number) => Buffer {
  const size = records * saltBytesOfRecord;
  const bytes = randomBytes(size);
  let used = 0;
  return (wanted) => {
    if (used + wanted > size) throw new RangeError('an audit record takes more salts than it has fields');
    used += wanted;
    return bytes.subarray(used - wanted, used);
  };
}

const auditTable: BulkTable = {
  table: 'audit_records',
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
    disclosures: 'text',
  } satisfies Partial<Record<keyof AuditRow, 'text' | 'integer'>>,
};

/** In the order of the table's columns. Places in the chains stay empty. */
function toRow(
  entry: AuditEntry,
  facts: { readonly id: string; readonly occurredAtMs: number },
  randomBytes: (size: number) => Buffer,
): BulkRow {
  if (!isRecordedAct(entry))
    throw new TypeError(`the audit policy has no rule for ${entry.action} ${entry.entityType}`);
  const { canonical, disclosures } = committedRecord(entry, facts, randomBytes);
  return [
    facts.id,
    entry.tenantId,
    entry.actorId,
    entry.actorUsername,
    entry.action,
    entry.entityType,
    entry.entityId,
    entry.requestId,
    entry.sourceIp,
    facts.occurredAtMs,
    auditSchemaVersion,
    storableJson(canonical),
    contentHash(canonical),
    storableJson(disclosures),
  ];
}
