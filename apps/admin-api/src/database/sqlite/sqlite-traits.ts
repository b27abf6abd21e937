import { sql } from 'kysely';
import type { DialectTraits } from '../dialect-traits.ts';

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
  exclusively: () => undefined,
  lockRows: (query) => query,
};
