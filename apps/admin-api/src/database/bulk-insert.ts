/** What many rows are inserted into. */
export interface BulkTable {
  readonly table: string;
  /** The columns, and the kind of value that each of them takes. */
  readonly columns: Readonly<Record<string, 'text' | 'integer'>>;
  /** The end of the statement, such as `on conflict do nothing`; SQL of our own, with nothing of a caller in it. */
  readonly ending?: string;
}

/** Values in the order of the columns. */
export type BulkRow = readonly (string | number | null)[];

/** The beginning of an insertion. Names are our own and need no quotes. */
export function insertHead({ table, columns }: BulkTable): string {
  return `insert into ${table} (${Object.keys(columns).join(', ')})`;
}
