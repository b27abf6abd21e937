import type { Compilable, CompiledQuery, Transaction } from 'kysely';
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

/** {@link executeLater} for statements that are compiled already, in their order. */
export async function executeAllLater(
  transaction: Transaction<Tables>,
  statements: Iterable<CompiledQuery>,
): Promise<void> {
  for (const statement of statements) {
    const deferred: DeferrableStatement = { ...statement, isDeferred: true };
    await transaction.executeQuery(deferred);
  }
}

/** Whether a driver may hold a statement back. */
export function isDeferred(statement: DeferrableStatement): boolean {
  return statement.isDeferred === true;
}
