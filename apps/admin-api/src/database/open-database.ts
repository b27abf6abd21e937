import type { Database } from './database.ts';
import type { DatabaseLog } from './database-log.ts';
import { parseDatabaseUrl } from './database-url.ts';
import { openPostgres, standardAnswerLimits } from './postgres/open-postgres.ts';
import { openSqlite } from './sqlite/open-sqlite.ts';

/** Options of `openDatabase`. */
export interface DatabaseOptions {
  /** `sqlite:PATH` or `postgres://…`. */
  readonly url: string;
  readonly log: DatabaseLog;
  /** Whether nothing is made or changed on opening: for commands that run beside a service. Default: false. */
  readonly isExisting?: boolean;
}

/**
 * Opens the database and brings its tables up to date, or, with `isExisting`, makes sure that they are those of this release. Close it when done: its threads and connections keep the process.
 * @throws DatabaseConfigurationError for an address that cannot be used or tables of another release, DatabaseUnavailableError when nothing answers there
 */
export function openDatabase(options: DatabaseOptions): Promise<Database> {
  const address = parseDatabaseUrl(options.url);
  const { log, isExisting = false } = options;
  return address.dialect === 'sqlite'
    ? openSqlite(address.path, log, isExisting)
    : openPostgres(address.url, log, standardAnswerLimits, isExisting);
}
