import type { FieldChange } from '../diff-bundles.ts';
import { harmlessText } from './harmless-text.ts';
import type { DiffSource, RenderedChange, RenderedDiff } from './rendered-answers.ts';
import { valueText, valueTexts } from './value-text.ts';

/** Changes of one collection, in the order of the diff. */
export interface ChangeGroup {
  readonly collection: string;
  readonly changes: readonly RenderedChange[];
}

/** Changes by collection, collections in the order in which they first appear. */
export function groupChanges(changes: readonly RenderedChange[]): readonly ChangeGroup[] {
  const groups = new Map<string, RenderedChange[]>();
  for (const change of changes) {
    const group = groups.get(change.resource_type);
    if (group) group.push(change);
    else groups.set(change.resource_type, [change]);
  }
  return [...groups].map(([collection, grouped]) => ({ collection: harmlessText(collection), changes: grouped }));
}

/** What the records of a group are called: their names, with the ID where a name is there twice or not at all. */
export function titlesOf({ changes }: ChangeGroup): readonly string[] {
  const seen = new Map<string | null, number>();
  for (const { name } of changes) seen.set(name, (seen.get(name) ?? 0) + 1);
  return changes.map(({ name, id }) => {
    if (name === null) return harmlessText(id);
    return harmlessText((seen.get(name) ?? 0) > 1 ? `${name} (${id})` : name);
  });
}

/** What happens to a field, in words: its old value, its new one, or both. */
export function fieldText(field: FieldChange): string {
  const path = harmlessText(field.path);
  if (field.secret_changed === true) return `${path}: (secret changed)`;
  if (field.op === 'add') return `${path}: ${valueText(field.new)}`;
  if (field.op === 'remove') return `${path}: ${valueText(field.old)}`;
  const [before, after] = valueTexts(field.old, field.new);
  return `${path}: ${before} -> ${after}`;
}

/** A line that says how many changes a difference leaves out of its list, where it does. */
export function notListedLines({ not_listed: notListed }: RenderedDiff): readonly string[] {
  const count = notListed?.changes ?? 0;
  return count === 0 ? [] : [`… and ${count} more ${count === 1 ? 'change' : 'changes'}, not listed`];
}

/** The sums of a difference, in one line. */
export function sumsText(summary: RenderedDiff['summary'], source: DiffSource = 'bundle'): string {
  const gone = summary.delete === undefined || summary.delete === 0 ? [] : [`${summary.delete} to delete`];
  return [
    `${summary.create} to create`,
    `${summary.update} to update`,
    ...gone,
    `${summary.unchanged} unchanged`,
    `${summary.unmanaged} not in the ${source}`,
  ].join(', ');
}
