import { CompiledQuery } from 'kysely';
import type { QueryExecutor } from 'kysely';
import type { Database, Executor } from '../database/database.ts';
import { DatabaseUnavailableError } from '../database/database-errors.ts';
import type { FaultKind, FaultPlan } from './fault-plan.test-support.ts';

/** What the database is sent in place of a call, so that it fails as it does in earnest. */
const failingStatements: Readonly<Record<Exclude<FaultKind, 'unanswered'>, string>> = {
  refused: 'select 1 from a_table_that_is_not_there',
  disconnected: 'select pg_terminate_backend(pg_backend_pid())',
  conflict: "do $$ begin raise exception 'others were here' using errcode = '40001'; end $$",
};

type Execute = QueryExecutor['executeQuery'];

/**
 * A database whose calls fail as a plan says: each beginning of a transaction, each statement, each commit. The errors are the
 * driver's own wherever there is a connection that can show them.
 */
export function faultyDatabase(database: Database, plan: FaultPlan): Database {
  watch(database.read, plan);
  return {
    ...database,
    read: database.read,
    async transaction(work) {
      begin(plan);
      const result = await database.transaction(async (transaction) => {
        const execute = watch(transaction, plan);
        const outcome = await work(transaction);
        const kind = plan.next('commit');
        if (kind === 'unanswered') return { outcome, isAnswered: false };
        if (kind !== undefined) await execute(CompiledQuery.raw(failingStatements[kind]));
        return { outcome, isAnswered: true };
      });
      if (!result.isAnswered) throw lostAnswer();
      return result.outcome;
    },
    async snapshot(work) {
      begin(plan);
      return database.snapshot((executor) => {
        watch(executor, plan);
        return work(executor);
      });
    },
  };
}

/** There is no connection yet that could fail. */
function begin(plan: FaultPlan): void {
  if (plan.next('begin') !== undefined) throw new DatabaseUnavailableError('no connection can be had');
}

/** Lets an executor's statements fail in their turn. @returns how it runs statements by itself */
function watch(executor: Executor, plan: FaultPlan): Execute {
  const watched = executor.getExecutor();
  const execute: Execute = watched.executeQuery.bind(watched);
  watched.executeQuery = async (query, options) => {
    const kind = plan.next(query.sql);
    if (kind === undefined) return execute(query, options);
    if (kind === 'unanswered') {
      await execute(query, options);
      throw lostAnswer();
    }
    await execute(CompiledQuery.raw(failingStatements[kind]));
    throw new Error(`the database did not show ${kind}`);
  };
  return execute;
}

function lostAnswer(): DatabaseUnavailableError {
  return new DatabaseUnavailableError('the answer did not come');
}
