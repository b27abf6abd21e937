import type { Database } from './database.ts';
import type { DatabaseLog } from './database-log.ts';
import { parseDatabaseUrl } from './database-url.ts';
import { openPostgres } from './postgres/open-postgres.ts';
import { openSqlite } from './sqlite/open-sqlite.ts';

/** Options of `openDatabase`. */
export interface DatabaseOptions {
  /** `sqlite:PATH` or `postgres://…`. */
  readonly url: string;
  readonly log: DatabaseLog;
}

/**
 * Opens the database and brings its tables up to date. Close it when done: its threads and connections keep the process.
 * @throws DatabaseConfigurationError for an address that cannot be used, DatabaseUnavailableError when nothing answers there
 */
export function openDatabase(options: DatabaseOptions): Promise<Database> {
  const address = parseDatabaseUrl(options.url);
  return address.dialect === 'sqlite' ? openSqlite(address.path, options.log) : openPostgres(address.url, options.log);
}
