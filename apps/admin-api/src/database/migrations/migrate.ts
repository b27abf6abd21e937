import { type Kysely, sql } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import { DatabaseConfigurationError, DatabaseUnavailableError } from '../database-errors.ts';
import type { DatabaseLog } from '../database-log.ts';
import type { DialectTraits } from '../dialect-traits.ts';
import type { Tables } from '../tables.ts';
import { resources } from './0001-resources.ts';
import { revisionsAndAudits } from './0002-revisions-and-audits.ts';
import { sessionsAndKeys } from './0003-sessions-and-keys.ts';
import { observations } from './0004-observations.ts';
import { observedDetails } from './0005-observed-details.ts';
import { targetReports } from './0006-target-reports.ts';
import { configurationHistory } from './0007-configuration-history.ts';
import { auditChain } from './0008-audit-chain.ts';
import { auditKeys } from './0009-audit-keys.ts';
import { objectives } from './0010-objectives.ts';
import { observedArrivals } from './0011-observed-arrivals.ts';
import { integrationSyncs } from './0012-integrations.ts';
import { auditKeysSealedAgain } from './0013-audit-keys-sealed-again.ts';
import { apiDescriptions } from './0014-api-descriptions.ts';
import type { SchemaStep } from './schema-step.ts';

/** All steps, oldest first. They are imported and not read from a folder, so that they are part of the bundle. */
const STEPS: readonly SchemaStep[] = [
  resources,
  revisionsAndAudits,
  sessionsAndKeys,
  observations,
  observedDetails,
  targetReports,
  configurationHistory,
  auditChain,
  auditKeys,
  objectives,
  observedArrivals,
  integrationSyncs,
  auditKeysSealedAgain,
  apiDescriptions,
];

/** Where the database notes which steps it has had. */
export const MIGRATION_TABLE = 'schema_migrations';
/** The last step this build knows. */
export const NEWEST_MIGRATION: string = STEPS.at(-1)?.name ?? '';

/**
 * Runs the steps that the database has not had, in one transaction under a lock: replicas that start together wait for
 * each other, and a failure leaves the schema as it was.
 * @throws the database's error; a DatabaseConfigurationError when the database is newer than this build
 */
export async function migrate(database: Kysely<Tables>, traits: DialectTraits, log: DatabaseLog): Promise<void> {
  const migrator = new Migrator({
    db: database,
    provider: { getMigrations: async () => migrationsFor(traits) },
    migrationTableName: MIGRATION_TABLE,
    migrationLockTableName: `${MIGRATION_TABLE}_lock`,
  });
  const { error, results } = await migrator.migrateToLatest();
  if (error !== undefined) throw (await isFromNewerBuild(database)) ? newerBuild(error) : error;
  const names = results?.map((result) => result.migrationName) ?? [];
  if (names.length > 0) log.info({ migrations: names }, 'brought the database schema up to date');
}

/** Makes sure that the tables are those of this build, and changes nothing. @throws DatabaseConfigurationError */
export async function expectNewestSchema(database: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(MIGRATION_TABLE)}`
    .execute(database)
    .catch((error: unknown) => {
      if (error instanceof DatabaseUnavailableError) throw error;
      return { rows: [] };
    });
  if (rows.length === 0) throw new DatabaseConfigurationError('the database holds no tables of Portcullis');
  const done = new Set(rows.map(({ name }) => name));
  if (done.size === STEPS.length && STEPS.every(({ name }) => done.has(name))) return;
  throw new DatabaseConfigurationError('the tables of the database are those of another release than this one');
}

/** Whether the database has had steps that this build does not know. */
async function isFromNewerBuild(database: Kysely<Tables>): Promise<boolean> {
  try {
    const rows = await sql<{ name: string }>`select name from ${sql.table(MIGRATION_TABLE)}`.execute(database);
    const known = new Set(STEPS.map((step) => step.name));
    return rows.rows.some((row) => !known.has(row.name));
  } catch {
    return false;
  }
}

function newerBuild(cause: unknown): DatabaseConfigurationError {
  return new DatabaseConfigurationError('the database was brought up to date by a newer release than this one', {
    cause,
  });
}

function migrationsFor(traits: DialectTraits): Record<string, Migration> {
  return Object.fromEntries(
    STEPS.map((step) => [step.name, { up: (database: Kysely<never>) => step.up(database, traits) }]),
  );
}
