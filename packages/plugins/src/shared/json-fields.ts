import type { JsonPath } from './json-text/json-path.ts';
import type { JsonOperation } from './json-text/operations.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Edits of the top-level fields of a JSON object, by their names. */
export interface JsonFieldEdits {
  readonly remove?: readonly string[] | undefined;
  /** Only where the field exists. */
  readonly replace?: Fields | undefined;
  /** Whatever was there. */
  readonly set?: Fields | undefined;
  /** Only where the field is missing. */
  readonly add?: Fields | undefined;
}

/** The edits as operations on JSON texts in their fixed order: remove, replace, set, add. For texts of the form `object`. */
export function fieldOperations({ remove = [], replace = {}, set = {}, add = {} }: JsonFieldEdits): JsonOperation[] {
  return [
    ...remove.map((name): JsonOperation => ({ op: 'remove', path: topLevel(name) })),
    ...Object.entries(replace).map(([name, value]): JsonOperation => ({
      op: 'replace',
      path: topLevel(name),
      text: JSON.stringify(value),
    })),
    ...puts('set', set),
    ...puts('add', add),
  ];
}

function puts(op: 'set' | 'add', fields: Fields): JsonOperation[] {
  return Object.entries(fields).map(([name, value]): JsonOperation => {
    const path = topLevel(name);
    const place = { path, parents: { segments: [] }, last: { kind: 'name', name }, makesParents: true } as const;
    return { op, place, text: JSON.stringify(value) };
  });
}

/** A name is no path: it may hold dots and brackets. */
function topLevel(name: string): JsonPath {
  return { segments: [{ isDescendant: false, selectors: [{ kind: 'name', name }] }] };
}
