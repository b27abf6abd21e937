import { planChanges } from '@portcullis/bundle-diff';
import type { ResourceChange } from '@portcullis/bundle-diff';
import { bundleFamilies } from '@portcullis/resources';
import type { Family } from '@portcullis/resources';
import type { NewRecord, RecordWriter, RefusedRecord } from '../resources/record-writer.ts';
import type { Values } from '../resources/values.ts';
import type { WriteSession } from '../resources/write-session.ts';
import type { ResourceStore } from '../store/resource-store.ts';
import { sentFields } from './anticipations.ts';
import type { Anticipations } from './anticipations.ts';
import { bundleDescriptor } from './bundle-descriptor.ts';
import { desiredKey } from './bundle-plan.ts';
import type { BundlePlan } from './bundle-plan.ts';

/** Which record a line of a result is about. */
export interface RecordLine {
  readonly resource_type: string;
  readonly id: string;
  readonly name: string | null;
}

/** One record of a plan with what is needed to write it. */
export interface PlannedWrite {
  readonly family: Family;
  readonly action: 'create' | 'update';
  readonly line: RecordLine;
  /** What is to be written; taken away once it is prepared, so that a large bundle is not held twice. */
  desired: Values | undefined;
  /** Whether it may give up a unique value, which another record of the plan may be waiting for. */
  readonly isRenamed: boolean;
}

/** What writing a plan takes beside its session. */
export interface PlanWriter {
  readonly store: ResourceStore;
  readonly writer: RecordWriter;
  /** What was done before the session opened. */
  readonly anticipations: Anticipations;
}

/** Records that are written together: few statements each, and the answers of the store stay small. */
const recordsPerBatch = 500;

/** Only the order of the collections is asked of it. */
const bundleOrder = bundleDescriptor({ onSecret: () => undefined, mask: () => undefined, comparesSecrets: false });

/**
 * The writes of a plan in its order: what is referred to comes before what refers to it. They take over what the plan wants
 * written.
 */
export function plannedWrites(plan: BundlePlan): PlannedWrite[] {
  const families = new Map(bundleFamilies.map((family) => [family.bundle.key, family]));
  return changesInOrder(plan).map(({ resource_type: type, id, name, action, fields }) => {
    const family = families.get(type);
    const key = desiredKey(type, id);
    const desired = plan.desired.get(key);
    plan.desired.delete(key);
    if (!family || !desired) throw new RangeError(`a plan holds an unknown record of ${type}`);
    const isRenamed = action === 'update' && touchesKey(family, fields);
    return { family, action, line: { resource_type: type, id, name }, desired, isRenamed };
  });
}

/** The live records that a plan changes, in the order of {@link plannedWrites}, whether or not it holds what to write. */
export function plannedUpdates(plan: BundlePlan): RecordLine[] {
  const updates = changesInOrder(plan).filter(({ action }) => action === 'update');
  return updates.map(({ resource_type, id, name }) => ({ resource_type, id, name }));
}

function changesInOrder({ diff }: BundlePlan): readonly ResourceChange[] {
  return planChanges(diff.changes, bundleOrder).flatMap(({ changes }) => changes);
}

/** Whether changes of some fields change a unique value of the record. */
function touchesKey({ keys }: Family, fields: ResourceChange['fields']): boolean {
  const named = new Set(
    keys.flatMap(({ fields: own, from, scope }) => [
      ...own,
      ...(from === undefined ? [] : [from]),
      ...(typeof scope === 'object' ? [scope.field] : []),
    ]),
  );
  return fields.some(({ path }) => named.has(path.split('/')[1] ?? ''));
}

/**
 * Family after family; within one, what is there already goes first, so that names it gives up are free for new records. All
 * that give up names go together, however many: the store frees the names of a batch before it takes any, so records may
 * swap theirs.
 */
export function* batchesOf(planned: readonly PlannedWrite[]): Generator<readonly PlannedWrite[], void> {
  for (const writes of Map.groupBy(planned, ({ family }) => family).values()) {
    const renamed = writes.filter(({ isRenamed }) => isRenamed);
    if (renamed.length > 0) yield renamed;
    for (const action of ['update', 'create'] as const) {
      const list = writes.filter((write) => write.action === action && !write.isRenamed);
      for (let from = 0; from < list.length; from += recordsPerBatch) yield list.slice(from, from + recordsPerBatch);
    }
  }
}

/** What the engine is given of a planned write. */
export function newRecordOf(
  { anticipations }: Pick<PlanWriter, 'anticipations'>,
  { family, line, desired }: PlannedWrite,
): NewRecord {
  if (!desired) throw new RangeError(`what is to be written of ${family.name} ${line.id} was taken away`);
  const gatewayId = family.scope === 'gateway' ? String(desired['gateway_id']) : null;
  const sent = sentFields(family, desired);
  return { id: line.id, gatewayId, sent, anticipated: anticipations.of(family, sent) };
}

/**
 * Writes records of one family and action together.
 * @returns nothing, or the first that is refused and why; what the session wrote for the batch is then to be undone
 */
export async function writeBatch(
  session: WriteSession,
  { store, writer, anticipations }: PlanWriter,
  batch: readonly PlannedWrite[],
): Promise<RefusedRecord | undefined> {
  const [first] = batch;
  if (!first) return undefined;
  const { family } = first;
  const items = batch.map((write) => newRecordOf({ anticipations }, write));
  if (first.action === 'create') return writer.createMany(session, family, items);
  const ids = items.map(({ id }) => id);
  const found = await store.getMany(session.transaction, session.tenantId, family.name, ids);
  const stored = new Map(found.map((record) => [record.id, record]));
  const replacements = items.map(({ id, sent, anticipated }) => {
    const record = stored.get(id);
    // The session holds the tenant's lock at the revision that was planned for.
    if (!record) throw new RangeError(`a plan updates a record of ${family.name} that is not there`);
    return { stored: record, sent, anticipated };
  });
  return writer.replaceMany(session, family, replacements);
}
