import type {
  BundleDiff,
  BundleProblem,
  BundleRecord,
  BundleState,
  OnLookUp,
  ResolvedBundle,
} from '@portcullis/bundle-diff';
import { selectorContradictions } from '../plugins/selector-problems.ts';
import type { FindSelected, SelectedFamily, SelectedRecord } from '../plugins/selector-problems.ts';

/** Array of plugin instances in a bundle, and the result's name for them. */
const plugins = 'plugins';

/**
 * Plugin instances that a bundle writes and whose selectors contradict each other once it is applied: what the write would be
 * refused for is said before. Pure.
 */
export function plannedSelectorProblems(
  live: BundleState,
  resolved: ResolvedBundle,
  diff: BundleDiff,
  onLookUp?: OnLookUp,
): readonly BundleProblem[] {
  const { desired } = resolved;
  const written = new Set(diff.changes.filter((one) => one.resource_type === plugins).map(({ id }) => id));
  if (written.size === 0) return [];
  const find = finder(live, desired, onLookUp);
  return (desired[plugins] ?? [])
    .filter(({ id }) => written.has(String(id)))
    .flatMap((record) => {
      const index = resolved.indexOf.get(record) ?? 0;
      const about = { resource_type: plugins, index, id: String(record['id']), name: String(record['name']) };
      return selectorContradictions(record, find).map((problem): BundleProblem => ({
        ...about,
        ...problem,
        pointer: `/${plugins}/${index}${problem.pointer}`,
      }));
    });
}

/** Records as they will be: those of the bundle stand before the live ones. Each family is indexed when it is first asked for. */
function finder(live: BundleState, desired: BundleState, onLookUp: OnLookUp | undefined): FindSelected {
  const indexes = new Map<SelectedFamily, ReadonlyMap<unknown, BundleRecord>>();
  return (family, id) => {
    if (typeof id !== 'string') return undefined;
    const records = indexes.get(family) ?? byId([...(live[family] ?? []), ...(desired[family] ?? [])]);
    indexes.set(family, records);
    onLookUp?.({ kind: 'id', collection: family, id });
    const found = records.get(id);
    return found && selected(id, found);
  };
}

function byId(records: readonly BundleRecord[]): ReadonlyMap<unknown, BundleRecord> {
  return new Map(records.map((record) => [record['id'], record]));
}

function selected(id: string, body: BundleRecord): SelectedRecord {
  const text = (field: string): string | null => (typeof body[field] === 'string' ? body[field] : null);
  return { id, gatewayId: text('gateway_id'), name: text('name'), body };
}
