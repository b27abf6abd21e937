import type { HeaderEdit } from '@portcullis/plugin-runtime';
import { pairsAsMap, type HeaderPairs } from './header-pairs.ts';

/** Header names and what becomes of them. */
export type HeaderValues = Readonly<Record<string, string>>;

/** Header operations of a config. Several fields for one operation are put together by {@link mergedHeaders}. */
export interface HeaderOperations {
  readonly remove?: readonly string[] | undefined;
  /** To what name. */
  readonly rename?: HeaderValues | undefined;
  /** Only where the header is there. */
  readonly replace?: HeaderValues | undefined;
  readonly set?: HeaderValues | undefined;
  /** Only where the header is missing. */
  readonly add?: HeaderValues | undefined;
}

/** The operations as edits in their fixed order: remove, rename, replace, set, add. A constant for the instance's life. */
export function headerEdits(operations: HeaderOperations): readonly HeaderEdit[] {
  const { remove = [], rename = {}, replace = {}, set = {}, add = {} } = operations;
  const edits = [
    ...remove.map((name): HeaderEdit => ({ op: 'remove', name })),
    ...Object.entries(rename).map(([name, value]): HeaderEdit => ({ op: 'rename', name, value })),
    ...Object.entries(replace).map(([name, value]): HeaderEdit => ({ op: 'set_if_present', name, value })),
    ...Object.entries(set).map(([name, value]): HeaderEdit => ({ op: 'set', name, value })),
    ...Object.entries(add).map(([name, value]): HeaderEdit => ({ op: 'set_if_absent', name, value })),
  ];
  // Frozen through and through: the runtime then checks them once.
  return Object.freeze(edits.map((edit) => Object.freeze(edit)));
}

/** Fields of a config that say the same thing, as one: where they name a header twice, in whatever case, the last one counts. */
export function mergedHeaders(...fields: readonly (HeaderPairs | undefined)[]): HeaderValues {
  const entries = new Map<string, readonly [string, string]>();
  for (const values of fields) {
    for (const [name, value] of Object.entries(pairsAsMap(values))) entries.set(name.toLowerCase(), [name, value]);
  }
  return Object.fromEntries(entries.values());
}
