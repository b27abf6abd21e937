import * as v from 'valibot';
import { namedEntries, type ListOrMap, type NamedEntry } from './list-or-map.ts';
import { InvalidConfigError, pointerPart, type ConfigProblem } from './problems.ts';

/** A mistake that shows between entries of a list or map. */
export interface EntryProblem {
  /** Of the entry. */
  readonly key: number | string;
  /** Within the entry; absent where the mistake is the entry's. */
  readonly field?: string;
  /** Of the field's list. */
  readonly index?: number;
  readonly message: string;
}

/** Adds a rule between the entries of a list or map to its schema. */
export function entriesRule<Entry>(
  schema: v.GenericSchema<ListOrMap<Entry>>,
  rule: (given: ListOrMap<Entry>) => readonly EntryProblem[],
): v.GenericSchema<ListOrMap<Entry>> {
  return v.pipe(
    schema,
    v.rawCheck<ListOrMap<Entry>>(({ dataset, addIssue }) => {
      if (!dataset.typed) return;
      const { value: input } = dataset;
      for (const { key, field, index, message } of rule(input)) {
        const parts = [key, field, index].filter((part) => part !== undefined);
        const [first, ...rest] = parts.map((part) => placeAt(input, part));
        if (first !== undefined) addIssue({ message, path: [first, ...rest] });
      }
    }),
  );
}

/**
 * Reads each entry, and all of them before it fails.
 * @param problems what is wrong between them
 * @throws InvalidConfigError
 */
export function readEntries<Result>(
  given: unknown,
  problems: readonly EntryProblem[],
  what: string,
  read: (entry: NamedEntry<unknown>) => Result,
): readonly Result[] {
  const found: ConfigProblem[] = problems.map(({ key, field, index, message }) => ({
    pointer: [key, field, index].map((part) => (part === undefined ? '' : `/${pointerPart(String(part))}`)).join(''),
    message,
  }));
  const results: Result[] = [];
  for (const entry of entriesOf(given)) {
    try {
      results.push(read(entry));
    } catch (error) {
      if (!(error instanceof InvalidConfigError)) throw error;
      const place = `/${pointerPart(String(entry.key))}`;
      found.push(...error.problems.map(({ pointer, message }) => ({ pointer: place + pointer, message })));
    }
  }
  if (found.length > 0) throw new InvalidConfigError(what, found);
  return results;
}

/** The entries of what may be a list or map. */
export function entriesOf(given: unknown): readonly NamedEntry<unknown>[] {
  return typeof given === 'object' && given !== null ? namedEntries(given as ListOrMap<unknown>) : [];
}

/** The path of an issue names keys; what is there is not told. */
function placeAt(input: unknown, key: number | string): v.IssuePathItem {
  return { type: 'unknown', origin: 'value', input, key, value: undefined };
}
