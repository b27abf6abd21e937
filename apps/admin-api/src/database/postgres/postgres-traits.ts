import { CompiledQuery, sql } from 'kysely';
import { insertHead } from '../bulk-insert.ts';
import type { DialectTraits } from '../dialect-traits.ts';

const NO_SUFFIX = sql.raw('');

/** Rows of one insertion, which is an array for each column. */
const rowsPerInsert = 500;

/** PostgreSQL: collation "C" sorts as SQLite does, and keeps list orders apart from the server's locale. */
export const postgresTraits: DialectTraits = {
  textType: sql`text collate "C"`,
  integerType: sql`bigint`,
  tableSuffix: NO_SUFFIX,
  keyTableSuffix: NO_SUFFIX,
  triggers: 'functions',
  nullsFirst: sql`nulls first`,
  labelEquals: (key, value) =>
    sql`resources.body::jsonb -> 'labels' @> jsonb_build_object(${key}::text, ${value}::text)`,
  bodyFieldEquals: (field, value) => sql`resources.body::jsonb @> jsonb_build_object(${field}::text, ${value}::text)`,
  withFields: (column, fields) => sql`(${column}::jsonb || ${JSON.stringify(fields)}::jsonb)::text`,
  entriesOf: (entries) => sql`json_each_text(${entries}::json)`,
  rowsOf(alias, columns, rows) {
    const types = { text: sql`text[]`, integer: sql`bigint[]` };
    const arrays = Object.values(columns).map((type, at) => sql`${rows.map((row) => row[at])}::${types[type]}`);
    const names = Object.keys(columns).map((name) => sql.ref(name));
    return sql`unnest(${sql.join(arrays)}) as ${sql.ref(alias)}(${sql.join(names)})`;
  },
  asJson: (text) => sql`coalesce(to_json(${text})::text, 'null')`,
  joined: (texts, order) => sql`string_agg(${texts}, ',' order by ${order})`,
  withZeros: (number) => sql`lpad(${number}::text, 20, '0')`,
  insertRows(into, rows) {
    const types = Object.values(into.columns).map((type, at) => `$${at + 1}::${type === 'text' ? 'text' : 'bigint'}[]`);
    const text = `${insertHead(into)} select * from unnest(${types.join(', ')}) ${into.ending ?? ''}`;
    const statements: CompiledQuery[] = [];
    for (let start = 0; start < rows.length; start += rowsPerInsert) {
      const chunk = rows.slice(start, start + rowsPerInsert);
      statements.push(
        CompiledQuery.raw(
          text,
          types.map((_, at) => chunk.map((row) => row[at])),
        ),
      );
    }
    return statements;
  },
  exclusively: (lock) => sql`pg_advisory_xact_lock(${lock}::bigint)`,
  lockRows: (query, purpose) => (purpose === 'change' ? query.forUpdate() : query.forKeyShare()),
};
