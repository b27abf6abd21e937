import type { CompiledQuery, RawBuilder, SelectQueryBuilder, SqlBool } from 'kysely';
import type { BulkRow, BulkTable } from './bulk-insert.ts';
import type { Executor } from './database.ts';

/** What SQLite and PostgreSQL spell differently. Code asks for the capability by name, never for the database. */
export interface DialectTraits {
  /** Text that sorts by its UTF-8 bytes. */
  readonly textType: RawBuilder<unknown>;
  /** 64-bit integers. */
  readonly integerType: RawBuilder<unknown>;
  /** Ends `create table` of tables with large rows. */
  readonly tableSuffix: RawBuilder<unknown>;
  /** Ends `create table` of tables whose rows are little more than their key. */
  readonly keyTableSuffix: RawBuilder<unknown>;
  /** Whether a trigger holds what it does, or calls a function that does it. */
  readonly triggers: 'inline' | 'functions';
  /** Says of an index's column that null comes first. Where it does so anyway the words are not allowed. */
  readonly nullsFirst: RawBuilder<unknown>;
  /** Whether the label `key` of `resources.body` is the string `value`. Any characters may be in the key. */
  labelEquals(key: string, value: string): RawBuilder<SqlBool>;
  /** Whether the field `field` of `resources.body` is the string `value`. */
  bodyFieldEquals(field: string, value: string): RawBuilder<SqlBool>;
  /**
   * The JSON object of the column `column` with other values for some of its keys, as text; the rest stays as it is.
   * @param fields at least one
   */
  withFields(column: RawBuilder<unknown>, fields: Readonly<Record<string, unknown>>): RawBuilder<string>;
  /**
   * A table with the columns `key` and `value`, a row for each entry: many rows in one statement with one bound value.
   * @param entries a JSON object, all of whose values are strings
   */
  entriesOf(entries: string): RawBuilder<{ readonly key: string; readonly value: string }>;
  /**
   * Rows to read from under an alias, such as `rowsOf('link', { id: 'text', sequence: 'integer' }, rows)`: many rows in one
   * statement that stays the same whatever their number. Values stand in the order of the columns.
   */
  rowsOf(
    alias: string,
    columns: Readonly<Record<string, 'text' | 'integer'>>,
    rows: readonly (readonly (string | number | null)[])[],
  ): RawBuilder<unknown>;
  /** A text, or nothing, as JSON. */
  asJson(text: RawBuilder<string | null>): RawBuilder<string>;
  /** All texts of a group in the order of its rows, with commas between them. */
  joined(texts: RawBuilder<string>, order: RawBuilder<unknown>): RawBuilder<string>;
  /** A number that is not negative with zeros before it, so that all have 20 digits and sort as texts. */
  withZeros(number: RawBuilder<number>): RawBuilder<string>;
  /**
   * Statements that insert many rows, in the way that costs this database least: their texts are few, whatever the number of
   * rows. Without building them anew they are what a prepared statement needs.
   */
  insertRows(into: BulkTable, rows: readonly BulkRow[]): CompiledQuery[];
  /**
   * An expression that waits until nobody else holds the lock of that number, and holds it until the transaction ends.
   * Nothing where there is a single writer.
   */
  exclusively(lock: number): RawBuilder<unknown> | undefined;
  /**
   * Locks the rows of a query until the transaction ends: `change` keeps out everyone else who locks, `keep` only those
   * who want to delete. Nothing to do where there is a single writer.
   */
  lockRows<DB, TB extends keyof DB, O>(
    query: SelectQueryBuilder<DB, TB, O>,
    purpose: 'change' | 'keep',
  ): SelectQueryBuilder<DB, TB, O>;
}

/** The traits of the database that an executor talks to. */
export function traitsOf(executor: Executor): DialectTraits {
  const adapter: object = executor.getExecutor().adapter;
  if (!('traits' in adapter)) throw new TypeError('this executor does not come from openDatabase');
  return adapter.traits as DialectTraits;
}
