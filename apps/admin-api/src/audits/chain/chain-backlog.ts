import { sql } from 'kysely';
import type { Executor } from '../../database/database.ts';

/** Records are counted up to here; more is "at least". */
export const backlogCountedMax = 100_000;

/** What waits for its place in the chains. */
export interface ChainBacklog {
  /** At most {@link backlogCountedMax}. */
  readonly count: number;
  /** When the oldest was made, milliseconds since 1970; nothing when none waits. */
  readonly oldestMs: number | undefined;
}

/** Whether a record waits, so that readers of the log take no turn among the writers where none does. */
export async function isSomethingWaiting(executor: Executor): Promise<boolean> {
  const waiting = executor.selectFrom('audit_records').select('id').where('global_sequence', 'is', null);
  return (await waiting.limit(1).executeTakeFirst()) !== undefined;
}

/** Reads it from the index of waiting records, which is empty on a quiet day. */
export async function readBacklog(executor: Executor): Promise<ChainBacklog> {
  const waiting = executor.selectFrom('audit_records').where('global_sequence', 'is', null);
  const oldest = await waiting.select('occurred_at').orderBy('id').limit(1).executeTakeFirst();
  if (!oldest) return { count: 0, oldestMs: undefined };
  const some = waiting.select('id').limit(sql.lit(backlogCountedMax));
  const { count } = await executor
    .selectFrom(some.as('some'))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return { count, oldestMs: oldest.occurred_at };
}
