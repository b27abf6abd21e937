import type { Transaction } from 'kysely';
import type { Database } from '../../database/database.ts';
import type { Tables } from '../../database/tables.ts';
import { answerWaitMs, type Sequencer } from './sequencer.ts';

/**
 * The database whose transactions, once they are committed and if they wrote audit records, wait until these have their
 * places in the chains, at most {@link answerWaitMs}. So every answer to a write does, and nobody who writes has to think of
 * it. The wait holds no lock and no connection.
 * @param isAudited whether a transaction wrote audit records
 */
export function chainedDatabase(
  database: Database,
  isAudited: (transaction: Transaction<Tables>) => boolean,
  sequencer: Pick<Sequencer, 'settle'>,
): Database {
  return {
    ...database,
    async transaction(work) {
      // The work may be done again after a deadlock; the last one is the one that was committed.
      let last: Transaction<Tables> | undefined;
      const result = await database.transaction((transaction) => {
        last = transaction;
        return work(transaction);
      });
      if (last && isAudited(last)) await sequencer.settle(answerWaitMs);
      return result;
    },
  };
}
