import type { Database } from '../database/database.ts';
import type { TenantKeyRow } from '../database/tables.ts';
import type { Log } from '../logging.ts';
import type { KeyRing } from './key-ring.ts';
import { SecretError } from './secret-error.ts';
import { TenantKeys } from './tenant-keys.ts';

/** How often the service looks for data keys under an old key of the ring. */
export const resealEveryMs = 60_000;

/** Data keys in one transaction, so that no step holds the writer for long. */
const keysPerStep = 50;

/** Steps of one run; what is left then waits for the next. */
const stepsMax = 200;

/** What sealing again needs. */
export interface ResealParts {
  readonly database: Pick<Database, 'read' | 'transaction'>;
  readonly keyRing: KeyRing;
  readonly randomBytes: (size: number) => Buffer;
}

/** What a run did, and how many data keys are still under another key than the first of the ring. */
export interface ResealOutcome {
  readonly resealed: number;
  readonly left: number;
}

/**
 * Seals tenants' data keys under the first key of the ring where another key of it sealed them, so that the old one can be
 * dropped. The data keys themselves stay, and so does all that is sealed under them. Replicas may run it at once, and a run
 * that was cut short is finished by the next: each key is replaced only while it is what was read.
 */
export async function resealTenantKeys(parts: ResealParts, steps: number = stepsMax): Promise<ResealOutcome> {
  const keys = new TenantKeys({ ...parts, clock: { nowMs: () => 0 } });
  let resealed = 0;
  let after: string | undefined;
  for (let step = 0; step < steps; step += 1) {
    const rows = await rowsUnderOthers(parts, after);
    const fresh = rows.flatMap((row) => resealedRow(keys, row) ?? []);
    if (fresh.length > 0) resealed += await replaceRows(parts, fresh);
    if (rows.length < keysPerStep) break;
    after = rows.at(-1)?.tenant_id;
  }
  return { resealed, left: await countUnderOthers(parts) };
}

/** The task of the housekeeping: runs it, and tells the operator when the old keys of the ring are no longer needed. */
export function createResealTask(parts: ResealParts, log: Pick<Log, 'info' | 'warn'>): () => Promise<void> {
  let isSaid = false;
  return async () => {
    const { resealed, left } = await resealTenantKeys(parts);
    const fields = { key_id: parts.keyRing.sealingKeyId, resealed };
    if (left > 0) log.warn({ ...fields, left }, 'data keys are left under other keys than the first of the ring');
    else if (resealed > 0 || !isSaid) log.info(fields, 'all data keys are sealed under the first key of the ring');
    isSaid = left === 0;
  };
}

interface Replacement {
  readonly old: TenantKeyRow;
  readonly fresh: TenantKeyRow;
}

/** Nothing for a key that this ring does not open: one such key must not keep the others. */
function resealedRow(keys: TenantKeys, old: TenantKeyRow): Replacement | undefined {
  try {
    return { old, fresh: keys.reseal(old) };
  } catch (error) {
    if (error instanceof SecretError) return undefined;
    throw error;
  }
}

function rowsUnderOthers({ database, keyRing }: ResealParts, after: string | undefined): Promise<TenantKeyRow[]> {
  const rows = database.read.selectFrom('tenant_keys').selectAll().where('key_id', '!=', keyRing.sealingKeyId);
  const rest = after === undefined ? rows : rows.where('tenant_id', '>', after);
  return rest.orderBy('tenant_id').limit(keysPerStep).execute();
}

async function countUnderOthers({ database, keyRing }: ResealParts): Promise<number> {
  const { count } = await database.read
    .selectFrom('tenant_keys')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('key_id', '!=', keyRing.sealingKeyId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** @returns how many were still what was read */
function replaceRows({ database }: ResealParts, replacements: readonly Replacement[]): Promise<number> {
  return database.transaction(async (transaction) => {
    let replaced = 0;
    for (const { old, fresh } of replacements) {
      const { numUpdatedRows } = await transaction
        .updateTable('tenant_keys')
        .set({ key_id: fresh.key_id, sealed_key: fresh.sealed_key })
        .where('tenant_id', '=', old.tenant_id)
        .where('sealed_key', '=', old.sealed_key)
        .executeTakeFirst();
      replaced += Number(numUpdatedRows);
    }
    return replaced;
  });
}
