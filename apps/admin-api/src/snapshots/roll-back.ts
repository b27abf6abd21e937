import type { Actor } from '../resources/actor.ts';
import type { WriteParts } from '../resources/write-parts.ts';
import { inWriteSession } from '../resources/write-session.ts';
import type { WriteSession, WriteSessionParts } from '../resources/write-session.ts';
import { applyRollback } from './apply-rollback.ts';
import { lineOf } from './collection-of.ts';
import { findSnapshot } from './find-snapshots.ts';
import { rollbackDiff } from './rollback-diff.ts';
import type { RollbackDiff } from './rollback-diff.ts';
import { planRollback } from './rollback-plan.ts';
import type { RollbackMode, RollbackPlan } from './rollback-plan.ts';
import type { SnapshotView } from './snapshot-view.ts';
import { takeSnapshot } from './take-snapshot.ts';

/** What rolling back works with. */
export interface RollbackParts extends WriteSessionParts, WriteParts {}

/** Which state a tenant's configuration is set back to, and how. */
export interface RollbackRequest {
  readonly tenantId: string;
  readonly snapshotId: string;
  readonly mode: RollbackMode;
  readonly dryRun: boolean;
  /** Of the snapshot that is taken before. */
  readonly note: string | null;
  readonly actor: Actor;
}

/** What a rollback did, or would do. */
export interface RolledBack {
  readonly plan: RollbackPlan;
  readonly diff: RollbackDiff;
  /** Records by collection that the snapshot has. */
  readonly counts: SnapshotView['counts'];
  /** The state before; nothing where nothing was changed. */
  readonly snapshot: SnapshotView | null;
  readonly revision: number;
}

/**
 * Sets a tenant's configuration back to a snapshot, in one transaction and touching only what differs. A dry run does all of
 * it too and then undoes it, so that it says what a rollback would say, refusals among it.
 * @throws Problem `not_found` for the snapshot; what keeps a record from coming back or going, and then nothing is changed
 */
export async function rollBack(parts: RollbackParts, request: RollbackRequest): Promise<RolledBack> {
  // A dry run carries nothing out, so the key of the request stays free for what does.
  const { idempotency: _, ...bare } = request.actor;
  const actor = request.dryRun ? bare : request.actor;
  try {
    const { result, revision } = await inWriteSession(parts, request.tenantId, actor, async (session) => {
      const done = await setBack(parts, session, request);
      if (request.dryRun && !session.aside.isWanted) throw new DryRunEnd(done, session.baseRevision);
      return done;
    });
    return { ...result, revision };
  } catch (error) {
    if (error instanceof DryRunEnd) return { ...error.done, snapshot: null, revision: error.revision };
    throw error;
  }
}

async function setBack(
  parts: RollbackParts,
  session: WriteSession,
  { tenantId, snapshotId, mode, note, actor }: RollbackRequest,
): Promise<Omit<RolledBack, 'revision'>> {
  const { transaction } = session;
  const { revision, counts: countsText } = await findSnapshot(transaction, tenantId, snapshotId);
  const counts = JSON.parse(countsText) as SnapshotView['counts'];
  const secrets = await parts.secrets.forTenant(tenantId, transaction);
  const plan = await planRollback(transaction, { tenantId, revision }, mode, secrets);
  const recordsThen = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const diff = await rollbackDiff(tenantId, plan, recordsThen);
  if (diff.in_sync) return { plan, diff, counts, snapshot: null };
  const snapshot = await takeSnapshot(parts, session, { reason: 'pre_rollback', note, createdBy: actor.username });
  await applyRollback(parts, session, plan);
  session.noteAct({
    action: 'rollback',
    entityType: 'config_snapshot',
    entityId: snapshotId,
    metadata: { mode, snapshot_before: snapshot.id, ...diff.summary },
  });
  return { plan, diff, counts, snapshot };
}

/** The answer's lines, one for each record that was changed. */
export function resultsOf({ creates, updates, deletes }: RollbackPlan) {
  return [
    ...deletes.map((live) => ({ action: 'deleted' as const, ...lineOf(live) })),
    ...creates.map((past) => ({ action: 'created' as const, ...lineOf(past) })),
    ...updates.map(({ past }) => ({ action: 'updated' as const, ...lineOf(past) })),
  ];
}

/** Ends a dry run so that nothing of it remains. */
class DryRunEnd extends Error {
  override readonly name = 'DryRunEnd';
  readonly done: Omit<RolledBack, 'revision'>;
  readonly revision: number;

  constructor(done: Omit<RolledBack, 'revision'>, revision: number) {
    super('a dry run leaves nothing');
    this.done = done;
    this.revision = revision;
  }
}
