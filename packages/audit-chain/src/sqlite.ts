import {
  GLOBAL_CHAIN,
  type LogAppend,
  type LogPrune,
  type LogRecord,
  type LogStorage,
  type StoredHead,
} from './log/log-storage.ts';
import { GENESIS_HASH } from './hashing/framing.ts';
import { disclosuresText, TABLE_PREFIX, tablePrefix, toRecord } from './storage/disclosures-text.ts';
import { logTables, RECORD_COLUMNS } from './storage/log-tables.ts';

/** What is used of a `better-sqlite3` database. */
export interface SqliteDatabase {
  exec(sql: string): unknown;
  prepare(sql: string): SqliteStatement;
}

/** What is used of its statements. */
export interface SqliteStatement {
  run(...values: unknown[]): { readonly changes: number };
  all(...values: unknown[]): unknown[];
}

type Row = Readonly<Record<string, unknown>>;

/**
 * A log in a SQLite database. Makes its tables if they are not there. Each append and each pruning is one transaction of its
 * own: call it where none is open. How much a crash may lose is decided by the database's `synchronous`.
 */
export function createSqliteStorage(database: SqliteDatabase, prefix: string = TABLE_PREFIX): LogStorage {
  const t = tablePrefix(prefix);
  database.exec(logTables(t));
  const setHead = `INSERT INTO ${t}heads VALUES (?, ?, ?, ?) ON CONFLICT (chain) DO UPDATE SET sequence = excluded.sequence,
    hash = excluded.hash, subtrees = excluded.subtrees`;
  const genesis = `INSERT INTO ${t}heads VALUES ('${GLOBAL_CHAIN}', 0, '${GENESIS_HASH}', '[]') ON CONFLICT DO NOTHING`;
  const all = (sql: string, ...values: unknown[]): Row[] => database.prepare(sql).all(...values) as Row[];

  function writeHeads(heads: ReadonlyMap<string, StoredHead>): void {
    const statement = database.prepare(setHead);
    for (const [chain, head] of heads) statement.run(chain, head.sequence, head.hash, JSON.stringify(head.subtrees));
  }

  function store(append: LogAppend): boolean {
    database.prepare(genesis).run();
    const fence = `UPDATE ${t}heads SET sequence = ? WHERE chain = '${GLOBAL_CHAIN}' AND sequence = ?`;
    const next = append.heads.get(GLOBAL_CHAIN)?.sequence ?? append.expected;
    if (database.prepare(fence).run(next, append.expected).changes !== 1) return false;
    writeHeads(append.heads);
    const addRecord = database.prepare(
      `INSERT INTO ${t}records (${RECORD_COLUMNS.join(', ')}) VALUES (${RECORD_COLUMNS.map(() => '?').join(', ')})`,
    );
    for (const record of append.records) {
      const row: Row = { ...record, disclosures: disclosuresText(record.disclosures) };
      addRecord.run(...RECORD_COLUMNS.map((column) => row[column]));
    }
    const addNode = database.prepare(`INSERT INTO ${t}nodes VALUES (?, ?, ?)`);
    for (const { level, position, hash } of append.nodes) addNode.run(level, position, hash);
    return true;
  }

  function remove({ upTo, kept, heads }: LogPrune): boolean {
    database.prepare(`DELETE FROM ${t}records WHERE global_sequence <= ?`).run(upTo);
    database.prepare(`DELETE FROM ${t}nodes WHERE (position + 1) * (1 << level) <= ?`).run(upTo);
    const addNode = database.prepare(`INSERT INTO ${t}nodes VALUES (?, ?, ?)`);
    for (const { level, position, hash } of kept) addNode.run(level, position, hash);
    writeHeads(heads);
    return true;
  }

  function inTransaction(work: () => boolean): boolean {
    // Outside: where a transaction of somebody else is open this fails, and that one is not ours to undo.
    database.exec('BEGIN IMMEDIATE');
    try {
      const isDone = work();
      database.exec(isDone ? 'COMMIT' : 'ROLLBACK');
      return isDone;
    } catch (error) {
      database.exec('ROLLBACK');
      throw error;
    }
  }

  return {
    readHeads: async (chains) =>
      toHeads(all(`SELECT * FROM ${t}heads WHERE chain IN (SELECT value FROM json_each(?))`, JSON.stringify(chains))),
    readHeadsOf: async (start) =>
      toHeads(all(`SELECT * FROM ${t}heads WHERE substr(chain, 1, length(?)) = ?`, start, start)),
    append: async (append) => inTransaction(() => store(append)),
    readRecords: async (from, limit): Promise<readonly LogRecord[]> =>
      all(`SELECT * FROM ${t}records WHERE global_sequence >= ? ORDER BY global_sequence LIMIT ?`, from, limit).map(
        toRecord,
      ),
    readNode: async (level, position) =>
      all(`SELECT hash FROM ${t}nodes WHERE level = ? AND position = ?`, level, position).map((row) =>
        String(row['hash']),
      )[0],
    async replaceDisclosures(sequence, expected, next): Promise<boolean> {
      const sql = `UPDATE ${t}records SET disclosures = ? WHERE global_sequence = ? AND disclosures = ?`;
      return database.prepare(sql).run(disclosuresText(next), sequence, disclosuresText(expected)).changes === 1;
    },
    async saveCheckpoint(size, note): Promise<void> {
      database.prepare(`INSERT INTO ${t}checkpoints VALUES (?, ?) ON CONFLICT DO NOTHING`).run(size, note);
    },
    readCheckpoints: async (after, limit) =>
      all(`SELECT note FROM ${t}checkpoints WHERE size > ? ORDER BY size LIMIT ?`, after, limit).map(toNote),
    readLastCheckpoint: async () => all(`SELECT note FROM ${t}checkpoints ORDER BY size DESC LIMIT 1`).map(toNote)[0],
    async prune(prune): Promise<void> {
      inTransaction(() => remove(prune));
    },
  };
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
