import { diffBundles, redactionMask } from '@portcullis/bundle-diff';
import type { BundleRecord, FieldChange } from '@portcullis/bundle-diff';
import { bundleBehaviours } from '../config/bundle-behaviours.ts';
import { bundleDescriptor } from '../config/bundle-descriptor.ts';
import { changesListedMax, unmanagedListedMax } from '../config/listed-max.ts';
import { integrationBehaviour } from '../integrations/integration-behaviour.ts';
import type { FamilyBehaviour } from '../resources/family-behaviour.ts';
import { inTurns } from '../resources/in-turns.ts';
import { toPointer } from '../resources/json-pointer.ts';
import { isEqualJson } from '../resources/values.ts';
import type { StoredRecord } from '../store/resource-store.ts';
import { familyOf, lineOf } from './collection-of.ts';
import type { RecordLine } from './collection-of.ts';
import type { RollbackPlan, SetBack } from './rollback-plan.ts';
import { snapshotFamilies } from './snapshot-families.ts';

/** One record that a rollback changes. Of one that goes no fields are shown. */
export interface RollbackChange extends RecordLine {
  readonly action: 'create' | 'update' | 'delete';
  readonly fields: readonly FieldChange[];
}

/** What a rollback changes: the form of `diff`, and in it what goes. */
export interface RollbackDiff {
  readonly tenant_id: string;
  readonly in_sync: boolean;
  readonly summary: Readonly<Record<'create' | 'update' | 'delete' | 'unchanged' | 'unmanaged' | 'total', number>>;
  readonly changes: readonly RollbackChange[];
  /** Records that came after the snapshot and stay. */
  readonly unmanaged: readonly RecordLine[];
  /** How many are left out of the two lists; absent where none is. */
  readonly not_listed?: { readonly changes: number; readonly unmanaged: number };
  readonly warnings: readonly [];
  readonly errors: readonly [];
}

const behaviours: ReadonlyMap<string, FamilyBehaviour> = new Map([
  ...bundleBehaviours,
  ['integrations', integrationBehaviour],
]);

/** Both sides are stored forms: their secrets are masks, equal where the secrets are. */
const descriptor = bundleDescriptor(
  { onSecret: () => undefined, mask: () => undefined, comparesSecrets: false },
  behaviours,
  snapshotFamilies,
);

/**
 * Shows a plan as `diff` would, the first of each list. No secret is in the result.
 * @param recordsThen how many records the snapshot has
 */
export async function rollbackDiff(tenantId: string, plan: RollbackPlan, recordsThen: number): Promise<RollbackDiff> {
  const { creates, updates, deletes, unmanaged } = plan;
  const changes: RollbackChange[] = [];
  for await (const change of inTurns(changesOf(plan))) {
    if (changes.length === changesListedMax) break;
    changes.push(change);
  }
  const counts = {
    create: creates.length,
    update: updates.length,
    delete: deletes.length,
    unchanged: recordsThen - creates.length - updates.length,
    unmanaged: unmanaged.length,
  };
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const listed = unmanaged.slice(0, unmanagedListedMax).map(lineOf);
  const notListed = {
    changes: counts.create + counts.update + counts.delete - changes.length,
    unmanaged: unmanaged.length - listed.length,
  };
  return {
    tenant_id: tenantId,
    in_sync: changes.length === 0,
    summary: { ...counts, total },
    changes,
    unmanaged: listed,
    ...((notListed.changes > 0 || notListed.unmanaged > 0) && { not_listed: notListed }),
    warnings: [],
    errors: [],
  };
}

/** For callers that may not read: which records change, not what was or is in them, and not what else there is. */
export function withoutContents(diff: RollbackDiff): RollbackDiff {
  const { summary, changes, not_listed: notListed } = diff;
  return {
    ...diff,
    changes: changes.map((change) => ({ ...change, fields: [] })),
    unmanaged: [],
    ...(summary.unmanaged > 0 && {
      not_listed: { changes: notListed?.changes ?? 0, unmanaged: summary.unmanaged },
    }),
  };
}

function* changesOf({ creates, updates, deletes }: RollbackPlan): Generator<RollbackChange, void> {
  for (const live of deletes) yield { action: 'delete', ...lineOf(live), fields: [] };
  for (const past of creates) yield { action: 'create', ...lineOf(past), fields: shownFields(past) };
  for (const pair of updates) {
    const { past, live } = pair;
    yield {
      action: 'update',
      ...lineOf(past),
      fields: [...shownFields(past, live), ...hashedSecretsOf(pair), ...documentsOf(pair)],
    };
  }
}

function shownFields(past: StoredRecord, live?: StoredRecord): readonly FieldChange[] {
  const { changes } = diffBundles(live ? stateOf(live) : {}, stateOf(past), descriptor);
  return changes[0]?.fields ?? [];
}

function stateOf(record: StoredRecord): Record<string, BundleRecord[]> {
  return { [familyOf(record).bundle.key]: [bundleRecordOf(record)] };
}

/** What the family declares of a record; hashes and what else only the server keeps are nothing to show. */
function bundleRecordOf(record: StoredRecord): BundleRecord {
  const { fields } = familyOf(record);
  const own = Object.entries(record.body).filter(([name]) => name in fields);
  return {
    ...Object.fromEntries(own),
    id: record.id,
    ...(record.gatewayId !== null && { gateway_id: record.gatewayId }),
  };
}

/** Documents are kept beside their record, which has what tells them apart. */
function documentsOf({ past, live }: SetBack): FieldChange[] {
  const { documents, readOnlyFields } = familyOf(past);
  const names = documents ? Object.keys(readOnlyFields) : [];
  return names.flatMap((name): FieldChange[] =>
    isEqualJson(past.body[name], live.body[name])
      ? []
      : [{ path: toPointer([name]), op: 'replace', old: live.body[name], new: past.body[name] }],
  );
}

/** Secrets of which only a hash is stored: that they differ is all that can be said. */
function hashedSecretsOf({ past, live }: SetBack): FieldChange[] {
  const hashed = behaviours.get(past.family)?.hashedSecrets ?? {};
  return Object.entries(hashed).flatMap(([path, field]): FieldChange[] =>
    past.body[field] === live.body[field]
      ? []
      : [{ path, op: 'replace', old: redactionMask, new: redactionMask, secret_changed: true }],
  );
}
