import { planChanges } from '@portcullis/bundle-diff';
import { bundleFamilies } from '@portcullis/resources';
import type { Family } from '@portcullis/resources';
import { Problem } from '../http/problem.ts';
import type { RecordWriter } from '../resources/record-writer.ts';
import type { Values } from '../resources/values.ts';
import type { WriteSession } from '../resources/write-session.ts';
import type { StoredRecord } from '../store/resource-store.ts';
import { sentFields } from './anticipations.ts';
import type { Anticipations } from './anticipations.ts';
import { bundleDescriptor } from './bundle-descriptor.ts';
import { desiredKey } from './bundle-plan.ts';
import type { BundlePlan } from './bundle-plan.ts';
import { storedKey } from './live-state.ts';
import type { LiveState } from './live-state.ts';

/** What became of one record. */
export interface AppliedChange {
  readonly action: 'created' | 'updated' | 'skipped';
  readonly resource_type: string;
  readonly id: string;
  readonly name: string | null;
}

/** How a plan is carried out. */
export interface ApplyOptions {
  /** Whether live records that differ are changed; otherwise they are skipped and said. */
  readonly overwrite: boolean;
  /** What was done before the session opened. */
  readonly anticipations: Anticipations;
}

/** Only the order of the collections is asked of it. */
const bundleOrder = bundleDescriptor({ onSecret: () => undefined, mask: () => undefined });

/** New records that are written together: few statements each, and the answers of the store stay small. */
const createsPerBatch = 500;

/**
 * Carries a plan out inside one write session. Either all of it is done, or the session's transaction leaves nothing.
 * @throws Problem that names the record by its place in the bundle's collections
 */
export async function applyPlan(
  session: WriteSession,
  writer: RecordWriter,
  plan: BundlePlan,
  live: LiveState,
  { overwrite, anticipations }: ApplyOptions,
): Promise<AppliedChange[]> {
  const applied: AppliedChange[] = [];
  for (const batch of batchesOf(plan, live)) {
    const outcome = await applyBatch(session, writer, batch, { overwrite, anticipations });
    applied.push(...batch.map(({ line }) => ({ action: outcome, ...line })));
  }
  return applied;
}

/** One record of a plan with what is needed to write it. */
interface PlannedWrite {
  readonly family: Family;
  readonly line: Omit<AppliedChange, 'action'>;
  readonly desired: Values;
  readonly stored: StoredRecord | undefined;
}

/** In the plan's order: every update by itself, and new records of one family that follow each other together. */
function* batchesOf(plan: BundlePlan, live: LiveState): Generator<readonly PlannedWrite[], void> {
  const families = new Map(bundleFamilies.map((family) => [family.bundle.key, family]));
  let batch: PlannedWrite[] = [];
  for (const change of planChanges(plan.diff.changes, bundleOrder).flatMap((level) => level.changes)) {
    const { resource_type: type, id, name } = change;
    const family = families.get(type);
    const desired = plan.desired.get(desiredKey(type, id));
    if (!family || !desired) throw new RangeError(`a plan holds an unknown record of ${type}`);
    const stored = live.stored.get(storedKey(family.name, id));
    const write = { family, line: { resource_type: type, id, name }, desired, stored };
    const joins = !stored && !batch[0]?.stored && batch[0]?.family === family && batch.length < createsPerBatch;
    if (batch.length > 0 && !joins) {
      yield batch;
      batch = [];
    }
    batch.push(write);
  }
  if (batch.length > 0) yield batch;
}

async function applyBatch(
  session: WriteSession,
  writer: RecordWriter,
  batch: readonly PlannedWrite[],
  { overwrite, anticipations }: ApplyOptions,
): Promise<AppliedChange['action']> {
  const [first] = batch;
  if (first?.stored && !overwrite) return 'skipped';
  if (first?.stored) {
    const values = sentFields(first.family, first.desired);
    try {
      await writer.replace(session, first.family, first.stored, values, anticipations.of(first.family, values));
    } catch (error) {
      throw error instanceof Problem ? placed(error, first) : error;
    }
    return 'updated';
  }
  if (first) {
    const items = batch.map(({ family, line, desired }) => {
      const gatewayId = family.scope === 'gateway' ? String(desired['gateway_id']) : null;
      const sent = sentFields(family, desired);
      return { id: line.id, gatewayId, sent, anticipated: anticipations.of(family, sent) };
    });
    const refusal = await writer.createMany(session, first.family, items);
    if (refusal) throw placed(refusal.problem, batch[refusal.index] ?? first);
  }
  return 'created';
}

/** The same refusal, saying which record of the bundle it is about. */
function placed(problem: Problem, { line }: PlannedWrite): Problem {
  const detail = `${line.resource_type} ${line.name ?? line.id}: ${problem.detail}`;
  return new Problem(problem.code, detail, { errors: problem.errors });
}
