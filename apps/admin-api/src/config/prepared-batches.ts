import { traitsOf } from '../database/dialect-traits.ts';
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

/** Batches in their order, all of them made already or each when it is asked for. They can be gone through again. */
export type PreparedBatches = Iterable<PreparedBatch> | AsyncIterable<PreparedBatch>;

/**
 * Prepares the writes of a plan, so that the session that carries them out only has to send them. Where everybody who writes waits
 * for that session all of it is done now. Elsewhere nobody but writers of the same tenant waits, so each batch is prepared
 * while the database stores the one before: a large bundle takes less time, and is never held as a whole. What is
 * prepared is good for the revision that was planned for, and made anew with another plan.
 */
export async function prepareBatches(
  parts: ConfigParts,
  writer: PlanWriter,
  planned: readonly PlannedWrite[],
  wanted: PreparingFor,
): Promise<PreparedBatches> {
  const prepare = () => preparedBatches(parts, writer, planned, wanted);
  // Each time anew: a transaction that others got in the way of is run again from its beginning.
  if (!traitsOf(parts.database.read).hasOneWriter) return { [Symbol.asyncIterator]: prepare };
  const made: PreparedBatch[] = [];
  for await (const batch of prepare()) {
    if (batch.creates) for (const write of batch.writes) write.desired = undefined;
    made.push(batch);
  }
  return made;
}

async function* preparedBatches(
  parts: ConfigParts,
  writer: PlanWriter,
  planned: readonly PlannedWrite[],
  wanted: PreparingFor,
): AsyncGenerator<PreparedBatch, void> {
  const drafted = createDraftedStore(parts.store, wanted.tenantId);
  const session = { ...wanted, transaction: parts.database.read, aside: new AsideWork() };
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
    yield { writes, creates };
  }
}
