import { Problem } from '../http/problem.ts';
import type { RefusedRecord } from '../resources/record-writer.ts';
import { inSavepoint } from '../resources/savepoint.ts';
import type { WriteSession } from '../resources/write-session.ts';
import { batchesOf, writeBatch } from './planned-writes.ts';
import type { PlanWriter, PlannedWrite } from './planned-writes.ts';

/** What became of a record that could not be written. `id` and `name` as far as it says them. */
export interface FailedChange {
  readonly action: 'failed';
  readonly resource_type: string;
  readonly id: string | null;
  readonly name: string | null;
  /** `pointer` is a JSON Pointer into the record. */
  readonly error: { readonly code: string; readonly message: string; readonly pointer?: string };
}

/** Records of a batch that are taken out of it one by one; beyond that each of the rest is written by itself. */
const refusalsPerBatchMax = 8;

/**
 * Carries writes out inside one session and leaves out what is refused, and so what refers to it, instead of giving up.
 * Records are written whole or not at all.
 * @returns the writes that were left out, and why
 */
export async function applyInParts(
  session: WriteSession,
  parts: PlanWriter,
  planned: readonly PlannedWrite[],
): Promise<ReadonlyMap<PlannedWrite, FailedChange>> {
  const failures = new Map<PlannedWrite, FailedChange>();
  for (const batch of batchesOf(planned)) {
    for (const [write, problem] of await refusedOf(session, parts, batch))
      failures.set(write, failedLine(write, problem));
  }
  return failures;
}

/** Writes what can be written of a batch, and gives the rest with the reasons. */
async function refusedOf(
  session: WriteSession,
  parts: PlanWriter,
  batch: readonly PlannedWrite[],
): Promise<readonly (readonly [PlannedWrite, Problem])[]> {
  const refused: (readonly [PlannedWrite, Problem])[] = [];
  let left = batch;
  while (left.length > 0 && refused.length < refusalsPerBatchMax) {
    const refusal = await attempt(session, parts, left);
    const write = refusal && left[refusal.index];
    if (!refusal || !write) return refused;
    refused.push([write, refusal.problem]);
    left = left.filter((one) => one !== write);
  }
  for (const write of left) {
    const refusal = await attempt(session, parts, [write]);
    if (refusal) refused.push([write, refusal.problem]);
  }
  return refused;
}

async function attempt(
  session: WriteSession,
  parts: PlanWriter,
  writes: readonly PlannedWrite[],
): Promise<RefusedRecord | undefined> {
  return inSavepoint(session, async (inner) => {
    try {
      return await writeBatch(inner, parts, writes);
    } catch (error) {
      // What a write asks of others than the records themselves is refused without saying for which one.
      if (error instanceof Problem && error.status < 500 && writes.length === 1) return { index: 0, problem: error };
      throw error;
    }
  });
}

function failedLine({ line }: PlannedWrite, { code, detail, errors }: Problem): FailedChange {
  const [first] = errors;
  return {
    action: 'failed',
    ...line,
    error: first ? { code: first.code, message: first.message, pointer: first.pointer } : { code, message: detail },
  };
}
