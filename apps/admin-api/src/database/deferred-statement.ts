import type { Compilable, CompiledQuery, Transaction } from 'kysely';
import type { BulkRow, BulkTable } from './bulk-insert.ts';
import { traitsOf } from './dialect-traits.ts';
import type { Tables } from './tables.ts';

/** Statements that may wait for another to go with; one more is sent at once, so that few rows are held twice. */
export const DEFERRED_STATEMENTS_MAX = 16;

interface DeferrableStatement extends CompiledQuery {
  readonly isDeferred?: true;
}

/**
 * Runs a statement whose outcome nobody needs by itself: it may go to the database only with the transaction's next
 * statement or its commit, in its place before that, which saves a message to it. What it throws comes from there. Use it
 * for statements that cannot conflict; where an answer depends on the outcome, run the statement as any other.
 */
export async function executeLater(transaction: Transaction<Tables>, query: Compilable): Promise<void> {
  const statement: DeferrableStatement = { ...query.compile(), isDeferred: true };
  await transaction.executeQuery(statement);
}

/** Rows that are made into statements at once, which takes a millisecond or so: the event loop waits for it. */
const ROWS_PER_TURN = 500;

/** Inserts many rows as {@link executeLater} would: nobody waits for their statements one by one. */
export async function insertLater(
  transaction: Transaction<Tables>,
  into: BulkTable,
  rows: readonly BulkRow[],
): Promise<void> {
  const { insertRows } = traitsOf(transaction);
  for (let start = 0; start < rows.length; start += ROWS_PER_TURN) {
    for (const statement of insertRows(into, rows.slice(start, start + ROWS_PER_TURN))) {
      const deferred: DeferrableStatement = { ...statement, isDeferred: true };
      await transaction.executeQuery(deferred);
    }
  }
}

/** Whether a driver may hold a statement back. */
export function isDeferred(statement: DeferrableStatement): boolean {
  return statement.isDeferred === true;
}
