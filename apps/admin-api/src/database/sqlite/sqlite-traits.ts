import { CompiledQuery, sql } from 'kysely';
import { type BulkTable, insertHead } from '../bulk-insert.ts';
import type { DialectTraits } from '../dialect-traits.ts';

/** Rows of one insertion: their text is short enough to be kept as a prepared statement, also that of the last rows. */
const rowsPerInsert = 50;

/** A bound value each: reading them out of one JSON text takes SQLite twice as long. */
function insertText(into: BulkTable, rows: number): string {
  const row = `(${Object.keys(into.columns).fill('?').join(', ')})`;
  return `${insertHead(into)} values ${Array<string>(rows).fill(row).join(', ')} ${into.ending ?? ''}`;
}

/** SQLite: STRICT tables, binary collation by default, one writer and so no row locks. */
export const sqliteTraits: DialectTraits = {
  textType: sql`text`,
  integerType: sql`integer`,
  tableSuffix: sql`strict`,
  keyTableSuffix: sql`strict, without rowid`,
  triggers: 'inline',
  nullsFirst: sql.raw(''),
  labelEquals: (key, value) => sql`exists (
    select 1 from json_each(resources.body, '$.labels') as label
    where label.key = ${key} and label.type = 'text' and label.value = ${value}
  )`,
  bodyFieldEquals: (field, value) => sql`exists (
    select 1 from json_each(resources.body) as field
    where field.key = ${field} and field.type = 'text' and field.value = ${value}
  )`,
  // Not json_patch: that would merge objects and take null for a removal.
  withFields: (column, fields) =>
    sql`json_set(${column}, ${sql.join(
      Object.entries(fields).flatMap(([name, value]) => [
        sql`${`$.${JSON.stringify(name)}`}`,
        sql`json(${JSON.stringify(value)})`,
      ]),
    )})`,
  entriesOf: (entries) => sql`json_each(${entries})`,
  rowsOf(alias, columns, rows) {
    const values = Object.keys(columns).map((name, at) => sql`value ->> ${sql.lit(at)} as ${sql.ref(name)}`);
    return sql`(select ${sql.join(values)} from json_each(${JSON.stringify(rows)})) as ${sql.ref(alias)}`;
  },
  asJson: (text) => sql`json_quote(${text})`,
  // Rows of a page come in its order already, in which they are joined; to say so makes SQLite sort them again.
  joined: (texts) => sql`group_concat(${texts}, ',')`,
  withZeros: (number) => sql`printf('%020d', ${number})`,
  insertRows(into, rows) {
    const statements: CompiledQuery[] = [];
    for (let start = 0; start < rows.length; start += rowsPerInsert) {
      const chunk = rows.slice(start, start + rowsPerInsert);
      statements.push(CompiledQuery.raw(insertText(into, chunk.length), chunk.flat()));
    }
    return statements;
  },
  exclusively: () => undefined,
  lockRows: (query) => query,
};
