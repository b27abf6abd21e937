import { randomBytes as systemRandomBytes } from 'node:crypto';
import { setImmediate as otherWork } from 'node:timers/promises';
import { contentHash } from '@portcullis/audit-chain';
import type { Transaction } from 'kysely';
import type { AuditRow } from '../../database/audit-tables.ts';
import { chunksOf } from '../../database/chunks.ts';
import { executeLater } from '../../database/deferred-statement.ts';
import { storableJson } from '../../database/storable-text.ts';
import type { Tables } from '../../database/tables.ts';
import type { AuditEntry, AuditPort } from '../audit-port.ts';
import { auditSchemaVersion, committedRecord } from './committed-record.ts';
import { isRecordedAct } from './audit-policy.ts';

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
  return {
    wroteIn: (transaction) => written.has(transaction),
    async append(transaction: Transaction<Tables>, entries: readonly AuditEntry[]): Promise<void> {
      for (const chunk of chunksOf(entries)) {
        // Writing one down takes some 30 microseconds: of a large bundle's records, others have their turn in between.
        if (entries.length > chunk.length) await otherWork();
        const rows = chunk.map((entry) => toRow(entry, { id: ids(), occurredAtMs: clock.nowMs() }, randomBytes));
        await executeLater(transaction, transaction.insertInto('audit_records').values(rows));
      }
      if (entries.length > 0) written.add(transaction);
    },
  };
}

function toRow(
  entry: AuditEntry,
  facts: { readonly id: string; readonly occurredAtMs: number },
  randomBytes: (size: number) => Buffer,
): AuditRow {
  if (!isRecordedAct(entry))
    throw new TypeError(`the audit policy has no rule for ${entry.action} ${entry.entityType}`);
  const { canonical, disclosures } = committedRecord(entry, facts, randomBytes);
  return {
    id: facts.id,
    tenant_id: entry.tenantId,
    actor_id: entry.actorId,
    actor_username: entry.actorUsername,
    action: entry.action,
    entity_type: entry.entityType,
    entity_id: entry.entityId,
    request_id: entry.requestId,
    source_ip: entry.sourceIp,
    occurred_at: facts.occurredAtMs,
    schema_version: auditSchemaVersion,
    canonical: storableJson(canonical),
    content_hash: contentHash(canonical),
    tenant_sequence: null,
    previous_hash: null,
    audit_hash: null,
    global_sequence: null,
    global_previous_hash: null,
    global_hash: null,
    disclosures: storableJson(disclosures),
  };
}
