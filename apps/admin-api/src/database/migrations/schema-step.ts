import type { CreateTableBuilder, Kysely } from 'kysely';
import type { DialectTraits } from '../dialect-traits.ts';

/** One forward step of the schema. Once released it never changes: a correction is another step. */
export interface SchemaStep {
  /** Sorts after every earlier step: `0001-resources`. */
  readonly name: string;
  up(database: Kysely<never>, traits: DialectTraits): Promise<void>;
}

/** A table in few words. */
export interface TableSketch {
  readonly name: string;
  /** Column to type; a question mark allows null. */
  readonly columns: Readonly<Record<string, 'text' | 'text?' | 'integer' | 'integer?'>>;
  readonly primaryKey: readonly string[];
  /** Rows that are little more than their key are stored in the key's own tree where the database can. */
  readonly keyOnly?: boolean;
}

/** Starts `create table` for a sketch; foreign keys and checks are added to what comes back. */
export function createTable(
  database: Kysely<never>,
  traits: DialectTraits,
  sketch: TableSketch,
): CreateTableBuilder<string, string> {
  let table: CreateTableBuilder<string, string> = database.schema.createTable(sketch.name);
  for (const [column, type] of Object.entries(sketch.columns)) {
    const dataType = type.startsWith('text') ? traits.textType : traits.integerType;
    table = table.addColumn(column, dataType, (definition) => (type.endsWith('?') ? definition : definition.notNull()));
  }
  return table
    .addPrimaryKeyConstraint(`${sketch.name}_pk`, [...sketch.primaryKey])
    .modifyEnd(sketch.keyOnly === true ? traits.keyTableSuffix : traits.tableSuffix);
}

/** Creates an index. A column may end in ` desc`. */
export async function createIndex(
  database: Kysely<never>,
  name: string,
  table: string,
  columns: readonly string[],
): Promise<void> {
  let index = database.schema.createIndex(name).on(table);
  for (const column of columns) {
    const [columnName, direction] = column.split(' ');
    index = index.column(direction === 'desc' ? `${columnName} desc` : column);
  }
  await index.execute();
}
