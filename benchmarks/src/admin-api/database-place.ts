import type { DatabaseKind } from './options.ts';

/** A fresh database for one control plane, and a second way into it for what is compared. Disposing removes it. */
export interface DatabasePlace extends AsyncDisposable {
  readonly kind: DatabaseKind;
  /** `PORTCULLIS_DATABASE_URL` of the control plane. */
  readonly url: string;
  /** Characters of all rows that creating this record left: the record, its keys, references, change and audit rows. */
  rowCharacters(id: string): Promise<number>;
  /**
   * Inserts rows into a table of its own, one row a transaction, as durably as the control plane writes.
   * @param writers connections that insert at the same time; SQLite has one writer whatever is asked
   * @returns seconds that it took
   */
  insertRows(rows: number, characters: number, writers: number): Promise<number>;
}

/** Tables that a create writes to, and the column that holds the record's ID. */
export const tablesOfCreate: readonly (readonly [table: string, idColumn: string])[] = [
  ['resources', 'id'],
  ['resource_keys', 'id'],
  ['resource_references', 'id'],
  ['changes', 'id'],
  ['audit_records', 'entity_id'],
];

/** Characters of all values in some rows. */
export function charactersOf(rows: readonly Readonly<Record<string, unknown>>[]): number {
  const values = rows.flatMap((row) => Object.values(row)).filter((value) => value !== null);
  return values.reduce<number>(
    (sum, value) => sum + (typeof value === 'string' ? value : JSON.stringify(value)).length,
    0,
  );
}
