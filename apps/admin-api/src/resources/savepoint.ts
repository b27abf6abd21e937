import { sql } from 'kysely';
import type { WriteSession } from './write-session.ts';

/** Savepoints are never inside one another, so one name is enough. */
const savepoint = 'part_of_session';

type Keeping = Parameters<WriteSession['history']['keep']>;
type Noting = Parameters<WriteSession['note']>;
type NotingAct = Parameters<WriteSession['noteAct']>;

/**
 * Runs a part of a session that may turn out to be refused. When `work` gives a refusal, nothing of the part remains: neither
 * what it wrote nor what it noted. What `work` throws ends the whole session.
 * @returns the refusal, if any
 */
export async function inSavepoint<Refusal>(
  session: WriteSession,
  work: (inner: WriteSession) => Promise<Refusal | undefined>,
): Promise<Refusal | undefined> {
  const { transaction, history } = session;
  const kept: Keeping[] = [];
  const noted: (() => void | Promise<void>)[] = [];
  const inner: WriteSession = {
    ...session,
    history: {
      get totals() {
        return history.totals;
      },
      snapshotTaken: () => history.snapshotTaken(),
      async keep(...record: Keeping) {
        kept.push(record);
      },
    },
    note: (...change: Noting) => void noted.push(() => session.note(...change)),
    async adopt(prepared) {
      noted.push(() => session.adopt(prepared));
    },
    noteAct: (...act: NotingAct) => void noted.push(() => session.noteAct(...act)),
  };
  await sql`savepoint ${sql.ref(savepoint)}`.execute(transaction);
  const refusal = await work(inner);
  if (refusal !== undefined) {
    await sql`rollback to savepoint ${sql.ref(savepoint)}`.execute(transaction);
    return refusal;
  }
  await sql`release savepoint ${sql.ref(savepoint)}`.execute(transaction);
  for (const record of kept) await history.keep(...record);
  for (const note of noted) await note();
  return undefined;
}
