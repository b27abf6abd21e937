import type { Transaction } from 'kysely';
import type { Executor } from '../database/database.ts';
import type { TenantKeyRow, Tables } from '../database/tables.ts';
import { envelopeKeyId, isSealedBy, openEnvelope, sealEnvelope } from './envelope.ts';
import { KEY_BYTES, type KeyRing } from './key-ring.ts';
import { SecretError } from './secret-error.ts';

/** What the keys of tenants need. */
export interface TenantKeysOptions {
  readonly keyRing: KeyRing;
  readonly clock: { nowMs(): number };
  readonly randomBytes: (size: number) => Buffer;
}

/** The table of tenants' data keys. Each key is random and sealed under the ring. */
export class TenantKeys {
  readonly #options: TenantKeysOptions;

  constructor(options: TenantKeysOptions) {
    this.#options = options;
  }

  /** A tenant's key; `undefined` when it has none yet. @throws SecretError when it was sealed under another ring */
  async find(executor: Executor, tenantId: string): Promise<Buffer | undefined> {
    const row = await executor
      .selectFrom('tenant_keys')
      .selectAll()
      .where('tenant_id', '=', tenantId)
      .executeTakeFirst();
    return row === undefined ? undefined : this.#unseal(row);
  }

  /** A tenant's key, made if there is none. Of two that make it at once the first wins, and both get that one. */
  async findOrCreate(transaction: Transaction<Tables>, tenantId: string): Promise<Buffer> {
    const known = await this.find(transaction, tenantId);
    if (known !== undefined) return known;
    const row = this.#create(tenantId);
    await transaction
      .insertInto('tenant_keys')
      .values(row)
      .onConflict((conflict) => conflict.column('tenant_id').doNothing())
      .execute();
    const kept = await this.find(transaction, tenantId);
    if (kept === undefined) throw new SecretError('tenant_key_lost', 'a data key disappeared right after it was made');
    return kept;
  }

  /** A row's data keys. @throws SecretError when the ring does not open them */
  open(row: TenantKeyRow): Buffer {
    return this.#unseal(row);
  }

  /** A row with other data keys, sealed under the ring's first key. */
  withKeys(row: TenantKeyRow, dataKeys: Buffer): TenantKeyRow {
    return { ...row, ...this.#seal(row.tenant_id, dataKeys) };
  }

  /** The same data key, sealed under the ring's first key. @throws SecretError when the ring does not open it */
  reseal(row: TenantKeyRow): TenantKeyRow {
    return { ...row, ...this.#seal(row.tenant_id, this.#unseal(row)) };
  }

  #create(tenantId: string): TenantKeyRow {
    const { clock, randomBytes } = this.#options;
    return { tenant_id: tenantId, ...this.#seal(tenantId, randomBytes(KEY_BYTES)), created_at: clock.nowMs() };
  }

  #seal(tenantId: string, dataKey: Buffer): Pick<TenantKeyRow, 'key_id' | 'sealed_key'> {
    const { keyRing, randomBytes } = this.#options;
    const id = keyRing.sealingKeyId;
    const key = keyRing.get(id);
    if (key === undefined) throw new TypeError('the key ring lacks its own sealing key');
    return { key_id: id, sealed_key: sealEnvelope({ id, key }, placeOf(tenantId), dataKey, randomBytes) };
  }

  #unseal(row: TenantKeyRow): Buffer {
    const id = envelopeKeyId(row.sealed_key);
    const key = this.#options.keyRing.get(id);
    if (key === undefined || !isSealedBy(key, row.sealed_key)) throw this.#noKey(row.sealed_key, key !== undefined);
    return openEnvelope({ id, key }, placeOf(row.tenant_id), row.sealed_key);
  }

  /** Says which key is missing, by name, and whether it is there under another one. */
  #noKey(sealed: string, hasName: boolean): SecretError {
    const id = envelopeKeyId(sealed);
    for (const [name, key] of this.#options.keyRing.entries()) {
      if (!isSealedBy(key, sealed)) continue;
      return new SecretError('wrong_key', `the key that the ring calls ${name} was called ${id} when it sealed`);
    }
    const message = hasName
      ? `the key named ${id} in the ring is not the one that sealed under that name`
      : `the key ring has no key named ${id}`;
    return new SecretError('wrong_key', message);
  }
}

function placeOf(tenantId: string): readonly string[] {
  return ['tenant_keys', tenantId];
}
