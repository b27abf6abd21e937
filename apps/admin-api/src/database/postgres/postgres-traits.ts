import { sql } from 'kysely';
import type { DialectTraits } from '../dialect-traits.ts';

const NO_SUFFIX = sql.raw('');

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
  exclusively: (lock) => sql`pg_advisory_xact_lock(${lock}::bigint)`,
  lockRows: (query, purpose) => (purpose === 'change' ? query.forUpdate() : query.forKeyShare()),
};
