import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import type { KeyRing } from '../secrets/key-ring.ts';
import { TenantKeys } from '../secrets/tenant-keys.ts';
import type { ReadinessCheck } from './health-operations.ts';

/**
 * Whether the key ring opens the tenants' data keys: one for each key that sealed some. It does not when another replica
 * seals with a key that this one was not given, or with another key of the same name, or when a key was dropped too early:
 * writes and reads of some tenants would then fail here.
 */
export function keyRingCheck(database: Database, keyRing: KeyRing, clock: { nowMs(): number }): ReadinessCheck {
  const keys = new TenantKeys({ keyRing, clock, randomBytes });
  return {
    name: 'secret_keys',
    async isReady() {
      const samples = await database.read
        .selectFrom('tenant_keys')
        .select(({ fn }) => fn.min('tenant_id').as('tenant_id'))
        .groupBy(sealingKey)
        .execute();
      for (const { tenant_id: tenantId } of samples) await keys.find(database.read, tenantId);
      return true;
    },
  };
}

/** The envelope up to the check of the key that sealed it: `pc1.<key id>.<8 digits>`. Source: secrets/envelope.ts */
const sealingKey = sql<string>`substr(sealed_key, 1, length(key_id) + 13)`;
