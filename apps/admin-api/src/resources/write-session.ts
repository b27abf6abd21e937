import type { Transaction } from 'kysely';
import type { AuditEntry, AuditPort } from '../audits/audit-port.ts';
import type { Database } from '../database/database.ts';
import type { Tables } from '../database/tables.ts';
import type { RecordChange, RevisionPort } from '../revisions/revision-port.ts';
import { Problem } from '../http/problem.ts';
import { ConfigurationHistory } from '../snapshots/configuration-history.ts';
import type { SessionHistory } from '../snapshots/configuration-history.ts';
import type { Actor } from './actor.ts';
import { AsideWork } from './aside-work.ts';
import type { PreparedCreates } from './prepared-creates.ts';

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
  /** Work that must not be done in here. */
  readonly aside: AsideWork;
  /** What the tenant's configuration is, and what its snapshots need of earlier states. */
  readonly history: SessionHistory;
  /** Notes a changed record and what the audit log shall say of it. */
  note(change: RecordChange, audit: NotedAct): void;
  /** Notes what moves along with a record that was noted, for who follows the change log. */
  touch(change: RecordChange): void;
  /** Notes what was worked out before, and writes its acts into the audit log at once: of a large bundle they take much memory. */
  adopt(prepared: Pick<PreparedCreates, 'changes' | 'acts' | 'totals'>): Promise<void>;
  /** Notes for the audit log what was done that changed no record, so that the revision stays. */
  noteAct(audit: NotedAct): void;
}

/** What was done, in the words of the audit log. */
export type NotedAct = Pick<AuditEntry, 'action' | 'entityType' | 'entityId' | 'before' | 'after' | 'metadata'>;

/** Attempts of one write, each after work that the one before it lacked; see `AsideWork`. */
const attemptsMax = 5;

/**
 * Runs `work` as one transaction that holds its changes, their audit records, the tenant's next revision, those of its
 * gateways, which they follow, and the change-log rows. Without a noted change the revision stays. An `Idempotency-Key`
 * is taken with the changes, or
 * not at all. Source: design, admin-api.
 * @returns what `work` gave, and the revision that the tenant then has
 */
export async function inWriteSession<Result>(
  parts: WriteSessionParts,
  tenantId: string,
  actor: Actor,
  work: (session: WriteSession) => Promise<Result>,
): Promise<{ readonly result: Result; readonly revision: number }> {
  const aside = new AsideWork();
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    const done = await attempted(parts, tenantId, actor, work, aside);
    if (done) {
      if (done.isChanged) actor.idempotency?.committed(tenantId);
      return { result: done.result, revision: done.revision };
    }
    await aside.settle();
  }
  throw new Problem('unavailable', 'What this write depends on changes faster than it can be checked', {
    headers: { 'retry-after': '5' },
  });
}

interface DoneWrite<Result> {
  readonly result: Result;
  readonly revision: number;
  readonly isChanged: boolean;
}

/** One attempt as one transaction; nothing, and nothing written, when it lacked a result of work aside. */
async function attempted<Result>(
  parts: WriteSessionParts,
  tenantId: string,
  actor: Actor,
  work: (session: WriteSession) => Promise<Result>,
  aside: AsideWork,
): Promise<DoneWrite<Result> | undefined> {
  try {
    return await parts.database.transaction(async (transaction) => {
      const changes: RecordChange[] = [];
      const audits: AuditEntry[] = [];
      let isAdopting = false;
      aside.begin();
      const locked = await parts.revisions.lockConfiguration(transaction, tenantId);
      const baseRevision = locked.revision;
      const history = new ConfigurationHistory(transaction, locked);
      await actor.idempotency?.check(transaction, tenantId);
      const result = await work({
        transaction,
        tenantId,
        actor,
        baseRevision,
        aside,
        history,
        note(change, audit) {
          changes.push(change);
          // Tenants are records of the system; what is done to one stands in its own log, where its administrators read it.
          audits.push(actEntry(actor, change.family === 'tenants' ? change.id : tenantId, audit));
        },
        touch(change) {
          changes.push(change);
        },
        async adopt(prepared) {
          isAdopting = true;
          for (const change of prepared.changes) changes.push(change);
          history.added(prepared.totals);
          await parts.audit.appendWritten(transaction, prepared.acts);
        },
        noteAct(audit) {
          audits.push(actEntry(actor, tenantId, audit));
        },
      });
      if (aside.isWanted) throw new GivenUp();
      if (audits.length === 0 && !isAdopting) return { result, revision: baseRevision, isChanged: false };
      await parts.audit.append(transaction, audits);
      await actor.idempotency?.claim(transaction, tenantId);
      if (changes.length === 0) return { result, revision: baseRevision, isChanged: true };
      const configuration = await history.finish();
      const revision = await parts.revisions.advance(transaction, tenantId, baseRevision, changes, configuration);
      return { result, revision, isChanged: true };
    });
  } catch (error) {
    // Also a refusal is said only when everything is known: it names all mistakes at once.
    if (aside.isWanted) return undefined;
    throw error;
  }
}

/** Ends a transaction so that nothing of it remains. */
class GivenUp extends Error {
  override readonly name = 'GivenUp';
}

/** An act of an actor's, as the audit log is told of it. */
export function actEntry(actor: Actor, tenantId: string, audit: NotedAct): AuditEntry {
  return {
    ...audit,
    actorId: actor.id,
    actorUsername: actor.username,
    requestId: actor.requestId,
    sourceIp: actor.sourceIp,
    tenantId,
    ...(actor.metadata && { metadata: { ...audit.metadata, ...actor.metadata } }),
  };
}
