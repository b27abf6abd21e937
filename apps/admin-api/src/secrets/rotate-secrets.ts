import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '../config.ts';
import type { Database } from '../database/database.ts';
import { DatabaseConfigurationError } from '../database/database-errors.ts';
import { openDatabase } from '../database/open-database.ts';
import type { Log } from '../logging.ts';
import { resealTenantKeys } from './reseal-tenant-keys.ts';
import { rotateDataKeys } from './rotate-data-keys.ts';

/** What the command says, and whether nothing is left to do. */
export interface Rotation {
  readonly sentences: readonly string[];
  readonly isDone: boolean;
}

/**
 * Seals everything again: tenants' data keys under the first key of the ring, and all that they seal under new data keys. Safe beside any number
 * of replicas of this release, and beside a service on the same SQLite file. It neither makes a database nor changes its tables.
 * @param wait for the times after which replicas know of a new data key; most of a minute in all
 * @throws DatabaseConfigurationError where there is nothing to seal again, or tables of another release; another error of the database
 */
export async function rotateSecrets(
  { databaseUrl, keyRing }: Pick<Config, 'databaseUrl' | 'keyRing'>,
  log: Log,
  wait: (ms: number) => Promise<unknown> = delay,
): Promise<Rotation> {
  const database = await openDatabase({ url: databaseUrl, log, isExisting: true });
  try {
    await expectDataKeys(database);
    const parts = { database, keyRing, randomBytes, wait };
    await resealTenantKeys(parts);
    const { tenants, places, troubles } = await rotateDataKeys(parts);
    const first = keyRing.sealingKeyId;
    // Those of tenants that began meanwhile, at a replica with another first key.
    const { left } = await resealTenantKeys(parts);
    const isDone = left === 0 && troubles.length === 0;
    const done = `${tenants} new data keys, sealed under ${first}; ${places} places were sealed again under them.`;
    const end = isDone
      ? `Nothing is left under other keys than ${first}. Services that still run with another first key go on sealing with it: restart those, run this again, and then drop the others.`
      : `Not everything is sealed under ${first} (${left} data keys are under others): drop no key, and run this again when the above is put right.`;
    return { sentences: [done, ...troubles, end], isDone };
  } finally {
    await database.close();
  }
}

async function expectDataKeys({ read }: Database): Promise<void> {
  const some = await read.selectFrom('tenant_keys').select('tenant_id').limit(1).executeTakeFirst();
  if (some === undefined)
    throw new DatabaseConfigurationError('the database holds no data key, so it is not that of a service');
}
