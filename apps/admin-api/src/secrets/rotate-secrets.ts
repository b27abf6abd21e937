import { randomBytes } from 'node:crypto';
import type { Config } from '../config.ts';
import { openDatabase } from '../database/open-database.ts';
import type { Log } from '../logging.ts';
import { keysUnderOthers, resealTenantKeys } from './reseal-tenant-keys.ts';

/** What the command says, and whether nothing is left to do. */
export interface Rotation {
  readonly sentences: readonly string[];
  readonly isDone: boolean;
}

/**
 * Seals under the first key of the ring what other keys of it sealed, at once: what the running service does within a minute. Safe
 * beside any number of replicas, and beside a service on the same SQLite file: each data key is replaced only while it is what was read,
 * and opens to the same bytes before and after. @throws an error of the database
 */
export async function rotateSecrets({ databaseUrl, keyRing }: Config, log: Log): Promise<Rotation> {
  const database = await openDatabase({ url: databaseUrl, log });
  try {
    const parts = { database, keyRing, randomBytes };
    let resealed = 0;
    for (;;) {
      const outcome = await resealTenantKeys(parts);
      resealed += outcome.resealed;
      if (outcome.resealed === 0 || outcome.left === 0) break;
    }
    const left = await keysUnderOthers(parts);
    const sealed = `${resealed} data ${resealed === 1 ? 'key was' : 'keys were'} sealed again under ${keyRing.sealingKeyId}.`;
    if (left.size === 0)
      return { sentences: [sealed, 'Nothing is left under other keys: they can be dropped.'], isDone: true };
    const troubles = [...left].map(
      ([id, count]) => `${count} left under ${id}: ${whyLeft(keyRing.get(id) !== undefined)}.`,
    );
    return { sentences: [sealed, ...troubles], isDone: false };
  } finally {
    await database.close();
  }
}

function whyLeft(isNamed: boolean): string {
  return isNamed
    ? 'the key of that name in PORTCULLIS_SECRET_KEYS is another one than sealed them'
    : 'PORTCULLIS_SECRET_KEYS has no key of that name';
}
