import { ConstraintViolationError, DatabaseStatementError, DatabaseUnavailableError } from '../database-errors.ts';
import type { ConstraintKind } from '../database-errors.ts';
import type { SqliteFailure } from './worker-protocol.ts';

const CONSTRAINTS: ReadonlyMap<string, ConstraintKind> = new Map([
  ['SQLITE_CONSTRAINT_UNIQUE', 'unique'],
  ['SQLITE_CONSTRAINT_PRIMARYKEY', 'unique'],
  ['SQLITE_CONSTRAINT_FOREIGNKEY', 'foreign_key'],
  ['SQLITE_CONSTRAINT_CHECK', 'check'],
  ['SQLITE_CONSTRAINT_DATATYPE', 'check'],
  ['SQLITE_CONSTRAINT_NOTNULL', 'not_null'],
]);

/** Result codes that say something about the disk or the load, not about the statement. */
const UNAVAILABLE =
  /^(SQLITE_(BUSY|LOCKED|FULL|IOERR|CANTOPEN|CORRUPT|NOTADB|NOMEM|READONLY|PROTOCOL)|TRANSACTION_LOST)/;

/** The error that callers see for a failure in a worker thread. */
export function sqliteError(failure: SqliteFailure): Error {
  const { databaseCode, message } = failure;
  const kind = CONSTRAINTS.get(databaseCode);
  if (kind !== undefined) return new ConstraintViolationError(kind, message);
  if (UNAVAILABLE.test(databaseCode)) return new DatabaseUnavailableError(`${databaseCode}: ${message}`);
  return new DatabaseStatementError(databaseCode, message);
}
