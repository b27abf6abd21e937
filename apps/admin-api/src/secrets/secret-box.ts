import { randomBytes as systemRandomBytes } from 'node:crypto';
import type { Transaction } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Database, Executor } from '../database/database.ts';
import type { Tables } from '../database/tables.ts';
import type { KeyRing } from './key-ring.ts';
import { SecretError } from './secret-error.ts';
import { TenantKeys } from './tenant-keys.ts';
import { createTenantSecrets, type SecretContext, type TenantSecrets } from './tenant-secrets.ts';

/** Most tenants whose data key is kept open in memory. */
const TENANTS_CACHED_MAX = 1_000;

/**
 * How long a tenant's data keys are used before they are read again, milliseconds. A rotation waits for a multiple of it, so that every replica knows
 * a new key before one seals with it, and seals with the new one before the old one goes.
 */
export const dataKeysKeptMs = 5_000;

/** The tenant whose key seals what belongs to no tenant, such as the keys that sign tokens. */
export const SYSTEM_TENANT = '';

/** What `createSecretBox` needs. */
export interface SecretBoxOptions {
  readonly keyRing: KeyRing;
  readonly database: Pick<Database, 'read' | 'transaction'>;
  readonly clock: { nowMs(): number };
  /** Default: the system's. */
  readonly randomBytes?: (size: number) => Buffer;
}

/**
 * Seals, opens and masks the secrets of tenants. Every method takes the transaction that is open, if one is: a tenant's
 * first use makes its data key, which must then be part of that transaction. Without one it is made in its own.
 */
export interface SecretBox {
  /** The tenant's secrets, for several values at once without waiting for each. */
  forTenant(tenantId: string, transaction?: Transaction<Tables>): Promise<TenantSecrets>;
  /** See `TenantSecrets.seal`. */
  seal(tenantId: string, context: SecretContext, plaintext: string, transaction?: Transaction<Tables>): Promise<string>;
  /** See `TenantSecrets.open`. @throws SecretError, also `tenant_key_lost` for a tenant without a data key */
  open(tenantId: string, context: SecretContext, sealed: string, transaction?: Transaction<Tables>): Promise<string>;
}

interface KeptSecrets {
  readonly secrets: TenantSecrets;
  /** When its keys began to be read. */
  readonly atMs: number;
}

/** The box over a key ring and the table of data keys. Sources: security, Secrets at rest; decisions, 23. */
export function createSecretBox(options: SecretBoxOptions): SecretBox {
  const { keyRing, database, clock, randomBytes = systemRandomBytes } = options;
  const keys = new TenantKeys({ keyRing, clock, randomBytes });
  const committed = new LRUCache<string, KeptSecrets>({ max: TENANTS_CACHED_MAX });
  // A key made in a transaction is no one else's until that commits: kept by transaction, and gone with it.
  const pending = new WeakMap<Transaction<Tables>, Map<string, TenantSecrets>>();

  const remember = (tenantId: string, dataKey: Buffer, atMs: number): TenantSecrets => {
    const secrets = createTenantSecrets(tenantId, dataKey, randomBytes);
    committed.set(tenantId, { secrets, atMs });
    return secrets;
  };
  const existing = async (tenantId: string, executor: Executor): Promise<TenantSecrets | undefined> => {
    const known = committed.get(tenantId);
    const atMs = clock.nowMs();
    // A clock that was set back makes them too old as well.
    if (known !== undefined && atMs >= known.atMs && atMs < known.atMs + dataKeysKeptMs) return known.secrets;
    const dataKey = await keys.find(database.read, tenantId);
    if (dataKey !== undefined) return remember(tenantId, dataKey, atMs);
    if (!executor.isTransaction) return undefined;
    return pending.get(executor as Transaction<Tables>)?.get(tenantId);
  };
  const forTenant = async (tenantId: string, transaction?: Transaction<Tables>): Promise<TenantSecrets> => {
    const known = await existing(tenantId, transaction ?? database.read);
    if (known !== undefined) return known;
    if (transaction === undefined) {
      const atMs = clock.nowMs();
      const dataKey = await database.transaction((own) => keys.findOrCreate(own, tenantId));
      return remember(tenantId, dataKey, atMs);
    }
    const secrets = createTenantSecrets(tenantId, await keys.findOrCreate(transaction, tenantId), randomBytes);
    pending.set(transaction, (pending.get(transaction) ?? new Map()).set(tenantId, secrets));
    return secrets;
  };
  return {
    forTenant,
    seal: async (tenantId, context, plaintext, transaction) =>
      (await forTenant(tenantId, transaction)).seal(context, plaintext),
    async open(tenantId, context, sealed, transaction) {
      const secrets = await existing(tenantId, transaction ?? database.read);
      if (secrets === undefined)
        throw new SecretError('tenant_key_lost', 'the tenant has sealed values but no data key');
      return secrets.open(context, sealed);
    },
  };
}
