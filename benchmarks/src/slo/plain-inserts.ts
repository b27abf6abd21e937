import Sqlite from 'better-sqlite3';
import pg from 'pg';

/** A row of the raw table: what a record of a request has. */
export type PlainRow = readonly (string | number | null)[];

/** The least that storing rows costs: multi-row inserts into a table with a primary key, a transaction for each batch. */
export interface PlainInserts {
  insert(rows: readonly PlainRow[]): Promise<void>;
  close(): Promise<void>;
}

const texts = [
  'tenant_id',
  'record_id',
  'gateway_id',
  'request_id',
  'service_id',
  'route_id',
  'consumer_id',
  'method',
  'path',
];
const more = ['path_template', 'status_source', 'client_ip', 'plugins'];
const integers = [
  'occurred_at',
  'status',
  'latency_us',
  'upstream_latency_us',
  'gateway_latency_us',
  'request_bytes',
  'response_bytes',
];

/** In the order of a `PlainRow`. */
export const plainColumns: readonly string[] = [...texts, ...more, ...integers];

const rowsPerStatement = 1000;

/** Opens a table of its own beside the control plane's, as durable as that. */
export async function openPlainInserts(url: string): Promise<PlainInserts> {
  return url.startsWith('sqlite:') ? openSqlite(`${url.slice('sqlite:'.length)}.plain`) : await openPostgres(url);
}

function openSqlite(path: string): PlainInserts {
  const database = new Sqlite(path);
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  const columns = plainColumns.map((name) => `${name} ${integers.includes(name) ? 'integer' : 'text'}`).join(', ');
  database.exec(`create table plain (id integer primary key, ${columns}) strict`);
  const insert = database.prepare(
    `insert into plain (${plainColumns.join(', ')}) values (${plainColumns.map(() => '?').join(', ')})`,
  );
  const all = database.transaction((rows: readonly PlainRow[]) => {
    for (const row of rows) insert.run(...row);
  });
  return {
    insert: async (rows) => all(rows),
    close: async () => void database.close(),
  };
}

async function openPostgres(url: string): Promise<PlainInserts> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const columns = plainColumns.map((name) => `${name} ${integers.includes(name) ? 'bigint' : 'text'}`).join(', ');
  await client.query(`create schema plain; create table plain.rows (id bigserial primary key, ${columns})`);
  const textOf = (count: number): string => {
    const row = (index: number): string =>
      `(${plainColumns.map((_, column) => `$${index * plainColumns.length + column + 1}`).join()})`;
    return `insert into plain.rows (${plainColumns.join(', ')}) values ${Array.from({ length: count }, (_, index) => row(index)).join()}`;
  };
  const fullText = textOf(rowsPerStatement);
  return {
    insert: async (rows) => {
      await client.query('begin');
      for (let start = 0; start < rows.length; start += rowsPerStatement) {
        const some = rows.slice(start, start + rowsPerStatement);
        const isFull = some.length === rowsPerStatement;
        const text = isFull ? fullText : textOf(some.length);
        await client.query({ text, values: some.flat(), ...(isFull ? { name: 'plain' } : {}) });
      }
      await client.query('commit');
    },
    close: () => client.end(),
  };
}
