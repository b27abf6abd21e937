import type { FieldChange } from '../diff-bundles.ts';
import type { RenderedChange } from './rendered-answers.ts';

interface WithChanges {
  readonly changes: readonly RenderedChange[];
}

/**
 * A difference that was not applied, the same for the same two states: IDs that new records were given only to be shown, and
 * which are other ones the next time, read `new-1`, `new-2`, … wherever they stand.
 * @param givenIds IDs that the bundle itself gives
 */
export function withStableIds<Diff extends WithChanges>(diff: Diff, givenIds: ReadonlySet<string>): Diff {
  const stable = new Map<string, string>();
  for (const { action, id } of diff.changes) {
    if (action === 'create' && !givenIds.has(id)) stable.set(id, `new-${stable.size + 1}`);
  }
  if (stable.size === 0) return diff;
  const changes = diff.changes.map((change) => ({
    ...change,
    id: stable.get(change.id) ?? change.id,
    ...(change.fields ? { fields: change.fields.map((field) => withStableValue(field, stable)) } : {}),
  }));
  return { ...diff, changes };
}

/** References are texts or lists of texts; deeper no ID of a record stands. */
function withStableValue(field: FieldChange, stable: ReadonlyMap<string, string>): FieldChange {
  const made = (value: unknown): unknown => (typeof value === 'string' ? (stable.get(value) ?? value) : value);
  if (typeof field.new === 'string') return { ...field, new: made(field.new) };
  return Array.isArray(field.new) ? { ...field, new: field.new.map(made) } : field;
}
