import type { OperationInput } from '../http/operation.ts';
import { checkAccess } from '../http/access.ts';
import { actorOf } from '../resources/actor.ts';
import type { Actor } from '../resources/actor.ts';
import { isOn } from './config-request.ts';

/** What a request to apply a bundle asks for. */
export interface ApplyRequest {
  readonly dryRun: boolean;
  /** Whether live records that differ are changed; otherwise they are skipped and said. */
  readonly overwrite: boolean;
  /** Whether all or nothing is applied. */
  readonly atomic: boolean;
  /** What the snapshot before the first change says; nothing when none is wanted. */
  readonly snapshot: SnapshotWish | undefined;
  readonly actor: Actor;
}

/** See `SnapshotRequest`. */
export interface SnapshotWish {
  readonly reason: 'pre_sync' | 'pre_import';
  readonly note: string | null;
  readonly createdBy: string;
}

/**
 * Reads the options of an import or sync; their defaults are in the query already.
 * @throws Problem `forbidden` for a dry run of a caller that may not read: it writes nothing, and shows what is there
 */
export function applyRequest(input: OperationInput, reason: SnapshotWish['reason']): ApplyRequest {
  const dryRun = isOn(input, 'dry_run');
  if (dryRun) checkAccess(input.principal, { access: 'read', method: 'POST' });
  const actor = actorOf(input.principal, input.request);
  const createdBy = textOf(input.query['created_by']);
  const snapshot = {
    reason,
    note: textOf(input.query['snapshot_note']) ?? null,
    createdBy: createdBy ?? actor.username,
  };
  return {
    dryRun,
    overwrite: isOn(input, 'overwrite'),
    atomic: input.query['atomic'] !== 'false',
    snapshot: isOn(input, 'snapshot') ? snapshot : undefined,
    // What a caller says of itself never stands in the place of who it is.
    actor: createdBy === undefined ? actor : { ...actor, metadata: { ...actor.metadata, created_by: createdBy } },
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
