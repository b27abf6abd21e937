import { GENESIS_HASH } from './hashing/framing.ts';
import {
  GLOBAL_CHAIN,
  type LogAppend,
  type LogPrune,
  type LogStorage,
  type StoredHead,
  type StoredNode,
} from './log/log-storage.ts';
import { disclosuresText, TABLE_PREFIX, tablePrefix, toRecord } from './storage/disclosures-text.ts';
import { logTables, RECORD_COLUMNS } from './storage/log-tables.ts';

type Row = Readonly<Record<string, unknown>>;

/** What is used of a client of `pg`. */
export interface PostgresClient {
  query(sql: string, values?: unknown[]): Promise<{ readonly rows: unknown[]; readonly rowCount: number | null }>;
}

/** What is used of a pool of `pg`. */
export interface PostgresPool extends PostgresClient {
  connect(): Promise<PostgresClient & { release(broken?: boolean): void }>;
}

/** A log in a PostgreSQL database. Makes its tables if they are not there; of several processes one does, the others wait. */
export async function createPostgresStorage(pool: PostgresPool, prefix: string = TABLE_PREFIX): Promise<LogStorage> {
  const t = tablePrefix(prefix);
  const genesis = `INSERT INTO ${t}heads VALUES ('${GLOBAL_CHAIN}', 0, '${GENESIS_HASH}', '[]') ON CONFLICT DO NOTHING`;
  await inTransaction(pool, async (client) => {
    // Two that make one table at once fail; whoever holds this lock makes it alone.
    await client.query(`SELECT pg_advisory_xact_lock(hashtext($1))`, [`${t}tables`]);
    await client.query(`${logTables(t)} ${genesis}`);
    return true;
  });
  const all = async (sql: string, values: unknown[]): Promise<Row[]> => (await pool.query(sql, values)).rows as Row[];

  return {
    readHeads: async (chains) => toHeads(await all(`SELECT * FROM ${t}heads WHERE chain = ANY($1)`, [chains])),
    readHeadsOf: async (start) => toHeads(await all(`SELECT * FROM ${t}heads WHERE starts_with(chain, $1)`, [start])),
    append: (append) => inTransaction(pool, (client) => store(client, t, append)),
    readRecords: async (from, limit) =>
      (
        await all(`SELECT * FROM ${t}records WHERE global_sequence >= $1 ORDER BY global_sequence LIMIT $2`, [
          from,
          limit,
        ])
      ).map(toRecord),
    readNode: async (level, position) =>
      (await all(`SELECT hash FROM ${t}nodes WHERE level = $1 AND position = $2`, [level, position])).map((row) =>
        String(row['hash']),
      )[0],
    async replaceDisclosures(sequence, expected, next): Promise<boolean> {
      const sql = `UPDATE ${t}records SET disclosures = $1 WHERE global_sequence = $2 AND disclosures = $3`;
      return (await pool.query(sql, [disclosuresText(next), sequence, disclosuresText(expected)])).rowCount === 1;
    },
    async saveCheckpoint(size, note): Promise<void> {
      await pool.query(`INSERT INTO ${t}checkpoints VALUES ($1, $2) ON CONFLICT DO NOTHING`, [size, note]);
    },
    readCheckpoints: async (after, limit) =>
      (await all(`SELECT note FROM ${t}checkpoints WHERE size > $1 ORDER BY size LIMIT $2`, [after, limit])).map(
        toNote,
      ),
    readLastCheckpoint: async () =>
      (await all(`SELECT note FROM ${t}checkpoints ORDER BY size DESC LIMIT 1`, [])).map(toNote)[0],
    async prune(prune): Promise<void> {
      await inTransaction(pool, (client) => remove(client, t, prune));
    },
  };
}

/** The update of the head comes first: of two writers one waits here, and then finds another sequence than it expects. */
async function store(client: PostgresClient, t: string, append: LogAppend): Promise<boolean> {
  const next = append.heads.get(GLOBAL_CHAIN)?.sequence ?? append.expected;
  const fence = `UPDATE ${t}heads SET sequence = $1 WHERE chain = '${GLOBAL_CHAIN}' AND sequence = $2`;
  if ((await client.query(fence, [next, append.expected])).rowCount !== 1) return false;
  await writeHeads(client, t, append.heads);
  const rows = append.records.map((record): Row => ({ ...record, disclosures: disclosuresText(record.disclosures) }));
  const types = RECORD_COLUMNS.map(
    (column, index) => `$${index + 1}::${column.endsWith('_sequence') ? 'bigint' : 'text'}[]`,
  );
  const columns = RECORD_COLUMNS.map((column) => rows.map((row) => row[column]));
  await client.query(
    `INSERT INTO ${t}records (${RECORD_COLUMNS.join(', ')}) SELECT * FROM unnest(${types.join(', ')})`,
    columns,
  );
  await writeNodes(client, t, append.nodes);
  return true;
}

async function remove(client: PostgresClient, t: string, { upTo, kept, heads }: LogPrune): Promise<boolean> {
  await client.query(`DELETE FROM ${t}records WHERE global_sequence <= $1`, [upTo]);
  await client.query(`DELETE FROM ${t}nodes WHERE (position + 1) * (1::bigint << level) <= $1`, [upTo]);
  await writeNodes(client, t, kept);
  await writeHeads(client, t, heads);
  return true;
}

async function writeNodes(client: PostgresClient, t: string, nodes: readonly StoredNode[]): Promise<void> {
  const columns = [nodes.map((node) => node.level), nodes.map((node) => node.position), nodes.map((node) => node.hash)];
  await client.query(`INSERT INTO ${t}nodes SELECT * FROM unnest($1::int[], $2::bigint[], $3::text[])`, columns);
}

async function writeHeads(client: PostgresClient, t: string, heads: ReadonlyMap<string, StoredHead>): Promise<void> {
  const list = [...heads];
  const columns = [
    list.map(([chain]) => chain),
    list.map(([, head]) => head.sequence),
    list.map(([, head]) => head.hash),
    list.map(([, head]) => JSON.stringify(head.subtrees)),
  ];
  await client.query(
    `INSERT INTO ${t}heads SELECT * FROM unnest($1::text[], $2::bigint[], $3::text[], $4::text[]) ON CONFLICT (chain) DO UPDATE
     SET sequence = excluded.sequence, hash = excluded.hash, subtrees = excluded.subtrees`,
    columns,
  );
}

async function inTransaction(pool: PostgresPool, work: (client: PostgresClient) => Promise<boolean>): Promise<boolean> {
  const client = await pool.connect();
  let isBroken = true;
  try {
    await client.query('BEGIN');
    const isDone = await work(client);
    await client.query(isDone ? 'COMMIT' : 'ROLLBACK');
    isBroken = false;
    return isDone;
  } finally {
    // A connection that failed within a transaction is not handed out again: the server undoes what it began.
    client.release(isBroken);
  }
}

function toHeads(rows: readonly Row[]): ReadonlyMap<string, StoredHead> {
  const entries = rows.map((row) => {
    const subtrees = JSON.parse(String(row['subtrees'])) as string[];
    return [String(row['chain']), { sequence: Number(row['sequence']), hash: String(row['hash']), subtrees }] as const;
  });
  return new Map(entries.filter(([, head]) => head.sequence > 0));
}

function toNote(row: Row): string {
  return String(row['note']);
}
