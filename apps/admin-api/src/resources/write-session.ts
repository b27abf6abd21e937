import type { Transaction } from 'kysely';
import type { AuditEntry, AuditPort } from '../audits/audit-port.ts';
import type { Database } from '../database/database.ts';
import type { Tables } from '../database/tables.ts';
import type { RecordChange, RevisionPort } from '../revisions/revision-port.ts';
import type { Actor } from './actor.ts';

/** What a write session is made of. */
export interface WriteSessionParts {
  readonly database: Database;
  readonly audit: AuditPort;
  readonly revisions: RevisionPort;
}

/** An open write of one tenant: everything in it becomes visible together, or nothing does. */
export interface WriteSession {
  readonly transaction: Transaction<Tables>;
  readonly tenantId: string;
  readonly actor: Actor;
  /** The tenant's revision before this write. */
  readonly baseRevision: number;
  /** Notes a changed record and what the audit log shall say of it. */
  note(
    change: RecordChange,
    audit: Pick<AuditEntry, 'action' | 'entityType' | 'entityId' | 'before' | 'after' | 'metadata'>,
  ): void;
}

/**
 * Runs `work` as one transaction that holds its changes, their audit records, the tenant's next revision and the change-log
 * rows that gateways follow. Without a noted change the revision stays. An `Idempotency-Key` is taken with the changes, or
 * not at all. Source: design, admin-api.
 * @returns what `work` gave, and the revision that the tenant then has
 */
export async function inWriteSession<Result>(
  parts: WriteSessionParts,
  tenantId: string,
  actor: Actor,
  work: (session: WriteSession) => Promise<Result>,
): Promise<{ readonly result: Result; readonly revision: number }> {
  const { isChanged, ...outcome } = await parts.database.transaction(async (transaction) => {
    const changes: RecordChange[] = [];
    const audits: AuditEntry[] = [];
    const baseRevision = await parts.revisions.lock(transaction, tenantId);
    await actor.idempotency?.check(transaction, tenantId);
    const result = await work({
      transaction,
      tenantId,
      actor,
      baseRevision,
      note(change, audit) {
        changes.push(change);
        audits.push(entryOf(actor, tenantId, change, audit));
      },
    });
    if (changes.length === 0) return { result, revision: baseRevision, isChanged: false };
    await parts.audit.append(transaction, audits);
    await actor.idempotency?.claim(transaction, tenantId);
    const revision = await parts.revisions.advance(transaction, tenantId, baseRevision, changes);
    return { result, revision, isChanged: true };
  });
  if (isChanged) actor.idempotency?.committed(tenantId);
  return outcome;
}

function entryOf(
  actor: Actor,
  tenantId: string,
  change: RecordChange,
  audit: Parameters<WriteSession['note']>[1],
): AuditEntry {
  return {
    ...audit,
    actorId: actor.id,
    actorUsername: actor.username,
    requestId: actor.requestId,
    sourceIp: actor.sourceIp,
    // Tenants are records of the system; what is done to one stands in its own log, where its administrators read it.
    tenantId: change.family === 'tenants' ? change.id : tenantId,
    ...(actor.metadata && { metadata: { ...audit.metadata, ...actor.metadata } }),
  };
}
