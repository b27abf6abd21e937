import Database from 'better-sqlite3';
import { parseDatabaseUrl } from '../database-url.ts';
import { DatabaseConfigurationError } from '../database-errors.ts';

/** Gives a claim back. */
export type ReleaseClaim = () => void;

/**
 * Claims a SQLite database for this process: a second control plane on the same file would never hear of the first one's
 * changes. The claim is a lock of the operating system on a file beside the database, so it ends with the process however
 * that ends. Other databases are shared by replicas and need no claim.
 * @throws DatabaseConfigurationError when another process has the claim, or the file's folder cannot be written
 */
export function claimDatabase(url: string): ReleaseClaim {
  const address = parseDatabaseUrl(url);
  if (address.dialect !== 'sqlite') return () => undefined;
  const lock = openLock(`${address.path}.lock`);
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    throw new DatabaseConfigurationError('another process uses this SQLite file; replicas need PostgreSQL', {
      cause: error,
    });
  }
  return () => lock.close();
}

function openLock(path: string): Database.Database {
  try {
    return new Database(path, { timeout: 0 });
  } catch (error) {
    throw new DatabaseConfigurationError('cannot open the SQLite file: its folder is missing or cannot be written', {
      cause: error,
    });
  }
}
