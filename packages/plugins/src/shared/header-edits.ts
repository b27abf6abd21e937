import type { HeaderEdit } from '@portcullis/plugin-runtime';

/** Header operations of a config. Several names for one operation are put together by the caller. */
export interface HeaderOperations {
  readonly remove?: readonly string[] | undefined;
  readonly rename?: Readonly<Record<string, string>> | undefined;
  readonly set?: Readonly<Record<string, string>> | undefined;
  /** Only where the header is missing. */
  readonly add?: Readonly<Record<string, string>> | undefined;
}

/** The operations as edits in their fixed order: remove, rename, set, add. A constant for the instance's life. */
export function headerEdits({ remove = [], rename = {}, set = {}, add = {} }: HeaderOperations): readonly HeaderEdit[] {
  const edits = [
    ...remove.map((name): HeaderEdit => ({ op: 'remove', name })),
    ...Object.entries(rename).map(([name, value]): HeaderEdit => ({ op: 'rename', name, value })),
    ...Object.entries(set).map(([name, value]): HeaderEdit => ({ op: 'set', name, value })),
    ...Object.entries(add).map(([name, value]): HeaderEdit => ({ op: 'set_if_absent', name, value })),
  ];
  // Frozen through and through: the runtime then checks them once.
  return Object.freeze(edits.map((edit) => Object.freeze(edit)));
}
