import { sql, type Kysely } from 'kysely';
import { READY_TIMEOUT_MS } from './database-limits.ts';
import { MIGRATION_TABLE, NEWEST_MIGRATION } from './migrations/migrate.ts';
import type { Tables } from './tables.ts';

/** Whether a query answers in time and finds the newest migration of this build done. */
export async function isAnswering(read: Kysely<Tables>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), READY_TIMEOUT_MS);
  });
  try {
    return await Promise.race([newestMigrationIsDone(read), late]);
  } finally {
    clearTimeout(timer);
  }
}

async function newestMigrationIsDone(read: Kysely<Tables>): Promise<boolean> {
  try {
    const { rows } = await sql`select 1 from ${sql.table(MIGRATION_TABLE)} where name = ${NEWEST_MIGRATION}`.execute(
      read,
    );
    return rows.length === 1;
  } catch {
    return false;
  }
}
