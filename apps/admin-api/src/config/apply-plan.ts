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
const bundleOrder = bundleDescriptor({ onSecret: () => undefined, mask: () => undefined, comparesSecrets: false });

/** Records that are written together: few statements each, and the answers of the store stay small. */
const recordsPerBatch = 500;

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
  const actions = new Map<PlannedWrite, AppliedChange['action']>();
  const planned = plannedWrites(plan, live);
  for (const batch of batchesOf(planned)) {
    const action = await applyBatch(session, writer, batch, { overwrite, anticipations });
    for (const write of batch) actions.set(write, action);
  }
  return planned.map((write) => ({ action: actions.get(write) ?? 'skipped', ...write.line }));
}

/** One record of a plan with what is needed to write it. */
interface PlannedWrite {
  readonly family: Family;
  readonly line: Omit<AppliedChange, 'action'>;
  readonly desired: Values;
  readonly stored: StoredRecord | undefined;
}

/** The writes of a plan in its order: what is referred to comes before what refers to it. */
function plannedWrites(plan: BundlePlan, live: LiveState): PlannedWrite[] {
  const families = new Map(bundleFamilies.map((family) => [family.bundle.key, family]));
  return planChanges(plan.diff.changes, bundleOrder)
    .flatMap((level) => level.changes)
    .map(({ resource_type: type, id, name }) => {
      const family = families.get(type);
      const desired = plan.desired.get(desiredKey(type, id));
      if (!family || !desired) throw new RangeError(`a plan holds an unknown record of ${type}`);
      const stored = live.stored.get(storedKey(family.name, id));
      return { family, line: { resource_type: type, id, name }, desired, stored };
    });
}

/** Family after family; within one, what is there already goes first, so that names it gives up are free for new records. */
function* batchesOf(planned: readonly PlannedWrite[]): Generator<readonly PlannedWrite[], void> {
  for (const writes of Map.groupBy(planned, ({ family }) => family).values()) {
    const updates = writes.filter(({ stored }) => stored !== undefined);
    const creates = writes.filter(({ stored }) => stored === undefined);
    for (const list of [updates, creates]) {
      for (let from = 0; from < list.length; from += recordsPerBatch) yield list.slice(from, from + recordsPerBatch);
    }
  }
}

async function applyBatch(
  session: WriteSession,
  writer: RecordWriter,
  batch: readonly PlannedWrite[],
  { overwrite, anticipations }: ApplyOptions,
): Promise<AppliedChange['action']> {
  const [first] = batch;
  if (!first || (first.stored && !overwrite)) return 'skipped';
  const items = batch.map(({ family, line, desired, stored }) => {
    const gatewayId = family.scope === 'gateway' ? String(desired['gateway_id']) : null;
    const sent = sentFields(family, desired);
    return { id: line.id, gatewayId, sent, anticipated: anticipations.of(family, sent), stored };
  });
  const refusal = first.stored
    ? await writer.replaceMany(
        session,
        first.family,
        items.flatMap(({ stored, sent, anticipated }) => (stored ? [{ stored, sent, anticipated }] : [])),
      )
    : await writer.createMany(session, first.family, items);
  if (refusal) throw placed(refusal.problem, batch[refusal.index] ?? first);
  return first.stored ? 'updated' : 'created';
}

/** The same refusal, saying which record of the bundle it is about. */
function placed(problem: Problem, { line }: PlannedWrite): Problem {
  const detail = `${line.resource_type} ${line.name ?? line.id}: ${problem.detail}`;
  return new Problem(problem.code, detail, { errors: problem.errors });
}
