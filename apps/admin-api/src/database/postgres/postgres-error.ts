import pg from 'pg';
import {
  ConstraintViolationError,
  DatabaseStatementError,
  DatabaseUnavailableError,
  type ConstraintKind,
} from '../database-errors.ts';

const CONSTRAINTS: ReadonlyMap<string, ConstraintKind> = new Map([
  ['23505', 'unique'],
  ['23503', 'foreign_key'],
  ['23514', 'check'],
  ['23502', 'not_null'],
]);

/** Classes and codes that say something about the server or the connection, or about how busy it is, not about the statement. */
const UNAVAILABLE = /^(08...|53...|57P0.|57014|58...|55P03|25P03|25006|28...|3D000)$/;
/** serialization_failure and deadlock_detected: the transaction did nothing and may be run again. */
const REPEATABLE = new Set(['40001', '40P01']);

/** The error that callers see for one of the driver's. Errors of ours pass as they are. */
export function postgresError(error: unknown): Error {
  if (error instanceof DatabaseUnavailableError || error instanceof ConstraintViolationError) return error;
  if (error instanceof DatabaseStatementError) return error;
  if (!(error instanceof Error)) return new DatabaseUnavailableError(String(error));
  // Codes of other errors are no SQLSTATE, though one may look like it: `EPIPE`.
  const state = error instanceof pg.DatabaseError ? (error.code ?? '') : '';
  const kind = CONSTRAINTS.get(state);
  if (kind !== undefined) return new ConstraintViolationError(kind, error.message, { cause: error });
  if (state !== '' && !UNAVAILABLE.test(state)) {
    return new DatabaseStatementError(state, error.message, { cause: error });
  }
  // Without an SQLSTATE the server never answered: socket errors, time-outs, a connection that ended.
  return new DatabaseUnavailableError(error.message, { cause: error });
}

/** The error that callers see when no connection can be had: whatever its code is, no statement of ours was at fault. */
export function connectionError(error: unknown): DatabaseUnavailableError {
  if (error instanceof DatabaseUnavailableError) return error;
  return new DatabaseUnavailableError(error instanceof Error ? error.message : String(error), { cause: error });
}

/** Whether a transaction failed only because of others that ran beside it. */
export function isRepeatable(error: unknown): boolean {
  return error instanceof DatabaseStatementError && REPEATABLE.has(error.databaseCode);
}
