import { AsideWork } from '../resources/aside-work.ts';
import type { Actor } from '../resources/actor.ts';
import { createDraftedStore } from '../resources/drafted-store.ts';
import { prepareCreates } from '../resources/prepared-creates.ts';
import type { PreparedCreates } from '../resources/prepared-creates.ts';
import type { ConfigParts } from './config-request.ts';
import { batchesOf, newRecordOf } from './planned-writes.ts';
import type { PlannedWrite, PlanWriter } from './planned-writes.ts';

/** Writes that go together, and what was worked out of them before the session; nothing where the session has to do that. */
export interface PreparedBatch {
  readonly writes: readonly PlannedWrite[];
  readonly creates: PreparedCreates | undefined;
}

/** For whom, and for which of the tenant's revisions, writes are prepared. */
export interface PreparingFor {
  readonly tenantId: string;
  readonly actor: Actor;
  readonly baseRevision: number;
}

/**
 * Prepares the writes of a plan, so that the session that carries them out is short. On SQLite everybody who writes waits for
 * it. What is prepared is good for the revision that was planned for, and made anew with another plan.
 */
export async function prepareBatches(
  parts: ConfigParts,
  writer: PlanWriter,
  planned: readonly PlannedWrite[],
  wanted: PreparingFor,
): Promise<readonly PreparedBatch[]> {
  const drafted = createDraftedStore(parts.store, wanted.tenantId);
  const session = { ...wanted, transaction: parts.database.read, aside: new AsideWork() };
  const batches: PreparedBatch[] = [];
  for (const writes of batchesOf(planned)) {
    const [first] = writes;
    const isNew = first?.action === 'create';
    session.aside.begin();
    const creates = isNew
      ? await prepareCreates(
          parts,
          session,
          drafted,
          first.family,
          writes.map((write) => newRecordOf(writer, write)),
        )
      : undefined;
    if (creates) for (const write of writes) write.desired = undefined;
    batches.push({ writes, creates });
  }
  return batches;
}
