import { randomBytes } from 'node:crypto';
import type { Database } from '../database/database.ts';
import type { KeyRing } from '../secrets/key-ring.ts';
import { TenantKeys } from '../secrets/tenant-keys.ts';
import type { ReadinessCheck } from './health-operations.ts';

/**
 * Whether the key ring opens the newest data key of the database. It does not when another replica seals with a key that
 * this one was not given: what that one stores could not be read here.
 */
export function keyRingCheck(database: Database, keyRing: KeyRing, clock: { nowMs(): number }): ReadinessCheck {
  const keys = new TenantKeys({ keyRing, clock, randomBytes });
  return {
    name: 'secret_keys',
    async isReady() {
      const newest = await database.read
        .selectFrom('tenant_keys')
        .select('tenant_id')
        .orderBy('created_at', 'desc')
        .orderBy('tenant_id')
        .limit(1)
        .executeTakeFirst();
      if (newest) await keys.find(database.read, newest.tenant_id);
      return true;
    },
  };
}
