import { Problem } from '../http/problem.ts';
import type { WriteSession } from '../resources/write-session.ts';
import { writeBatch } from './planned-writes.ts';
import type { PlanWriter, PlannedWrite, RecordLine } from './planned-writes.ts';
import type { PreparedBatch } from './prepared-batches.ts';

/** What became of one record. */
export interface AppliedChange extends RecordLine {
  readonly action: 'created' | 'updated' | 'skipped';
}

/** The action that a finished write is called by. */
export const doneAction = { create: 'created', update: 'updated' } as const;

/**
 * Carries writes out inside one session. Either all of them are done, or the session's transaction leaves nothing.
 * @param batches without the records that are not to be touched
 * @throws Problem that names the record by its place in the bundle's collections
 */
export async function applyPlan(
  session: WriteSession,
  parts: PlanWriter,
  batches: readonly PreparedBatch[],
): Promise<void> {
  for (const { writes, creates } of batches) {
    const refusal = creates
      ? await parts.writer.createPrepared(session, creates)
      : await writeBatch(session, parts, writes);
    if (refusal) throw placed(refusal.problem, writes[refusal.index]);
  }
}

/** The same refusal, saying which record of the bundle it is about. */
function placed(problem: Problem, write: PlannedWrite | undefined): Problem {
  if (!write) return problem;
  const { line } = write;
  const detail = `${line.resource_type} ${line.name ?? line.id}: ${problem.detail}`;
  return new Problem(problem.code, detail, { errors: problem.errors });
}
