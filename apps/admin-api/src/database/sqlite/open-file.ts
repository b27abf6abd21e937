import Database from 'better-sqlite3';
import type { SqliteWorkerSettings } from './worker-protocol.ts';

/** How long SQLite itself waits for another process that holds the file, milliseconds. */
const BUSY_TIMEOUT_MS = 10_000;
/** The log file is cut back to this size at a checkpoint, bytes. */
const WAL_BYTES_MAX = 64 * 1024 * 1024;
/** `PRAGMA synchronous` of FULL. */
const SYNCHRONOUS_FULL = 2;

/**
 * Opens the file with the settings that durability rests on, and checks that they took.
 * better-sqlite3 is compiled so that any open but the first would run with NORMAL, which loses acknowledged commits at a
 * power cut; hence the pragma on every open and the check. Source: reliability, finding 1.
 * @throws Error when a setting did not take; SQLite's own error when the file cannot be opened
 */
export function openFile(settings: SqliteWorkerSettings): Database.Database {
  const readonly = settings.access === 'read';
  const database = new Database(settings.path, { readonly, timeout: BUSY_TIMEOUT_MS });
  try {
    if (!readonly) database.pragma('journal_mode = WAL');
    database.pragma('synchronous = FULL');
    database.pragma('foreign_keys = ON');
    database.pragma('trusted_schema = OFF');
    database.pragma(`journal_size_limit = ${WAL_BYTES_MAX}`);
    expectPragma(database, 'journal_mode', 'wal');
    expectPragma(database, 'synchronous', SYNCHRONOUS_FULL);
    expectPragma(database, 'foreign_keys', 1);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function expectPragma(database: Database.Database, name: string, wanted: string | number): void {
  const actual: unknown = database.pragma(name, { simple: true });
  if (actual !== wanted) throw new Error(`SQLite runs with ${name}=${String(actual)} where ${wanted} is needed`);
}
