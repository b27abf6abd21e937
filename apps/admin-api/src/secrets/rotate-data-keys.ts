import { traitsOf } from '../database/dialect-traits.ts';
import type { TenantKeyRow } from '../database/tables.ts';
import { readDataKeys, writeDataKeys, type DataKeys } from './data-keys.ts';
import { KEY_BYTES } from './key-ring.ts';
import type { ResealParts } from './reseal-tenant-keys.ts';
import { type SealedCell, sealedCells } from './sealed-cells.ts';
import { dataKeysKeptMs } from './secret-box.ts';
import { SecretError } from './secret-error.ts';
import { TenantKeys } from './tenant-keys.ts';
import { createTenantSecrets } from './tenant-secrets.ts';

/** After this every replica knows a key that was added, and nothing works any more with keys that were read before. */
const knownEverywhereMs = 3 * dataKeysKeptMs;
/** After this no replica seals with what sealed before, and what it sealed until then outside the tenant's lock is stored. */
const settledMs = 6 * dataKeysKeptMs;
/** Between two transactions, so that a service on the same SQLite file gets its turn. */
const pauseMs = 5;
/** Data keys in one transaction. */
const keysPerStep = 50;
/** Rows of the table of data keys that are read at once. */
const rowsPerRead = 1_000;
/** Passes over a tenant's values. Two in a row that find nothing end it; each waits for the writes that began before. */
const passesMax = 20;
const cleanPasses = 2;

/** What a rotation of data keys needs. */
export interface RotationParts extends ResealParts {
  readonly wait: (ms: number) => Promise<unknown>;
}

/** What a rotation did, and what kept it from the rest. */
export interface DataKeyRotation {
  /** Tenants with a new data key, and nothing left under an earlier one. */
  readonly tenants: number;
  /** Places (records, answers, keys) whose values were sealed again. */
  readonly places: number;
  readonly troubles: readonly string[];
}

/**
 * Gives every tenant a new data key and seals under it all that an earlier one sealed. A new key is first only known, then seals, and an earlier one
 * goes when nothing is sealed under it: replicas, which read data keys every `dataKeysKeptMs`, open everything at every moment. A place is
 * replaced only while it is what was read, so no write is lost. A run that was cut short leaves keys that all open, and the next one goes on from there.
 */
export async function rotateDataKeys(parts: RotationParts): Promise<DataKeyRotation> {
  const keys = new TenantKeys({ ...parts, clock: { nowMs: () => 0 } });
  const troubles: string[] = [];
  const known = openAll(keys, await allRows(parts), troubles);
  const change = (from: KeysByTenant, to: (old: DataKeys) => DataKeys) => changeKeys(parts, keys, from, to);

  const added = await change(known, (old) => ({
    ...old,
    sealing: [...old.sealing, parts.randomBytes(KEY_BYTES)],
  }));
  if (added.size > 0) await parts.wait(knownEverywhereMs);
  const turned = await change(added, (old) => ({
    ...old,
    sealing: [...old.sealing.slice(-1), ...old.sealing.slice(0, -1)],
  }));
  if (turned.size > 0) await parts.wait(settledMs);

  let places = 0;
  const done = new Map<string, Buffer>();
  for (const [tenantId, dataKeys] of turned) {
    const outcome = await resealTenant(parts, tenantId, dataKeys);
    places += outcome.resealed;
    if (outcome.trouble === undefined) done.set(tenantId, dataKeys);
    else troubles.push(`Tenant ${tenantId || '(none)'} keeps its earlier data keys: ${outcome.trouble}.`);
  }
  const ended = await change(done, (old) => ({ ...old, sealing: old.sealing.slice(0, 1) }));
  const others = known.size - turned.size + (done.size - ended.size);
  if (others > 0) troubles.push(`The data keys of ${others} tenants were changed by somebody else meanwhile.`);
  return { tenants: ended.size, places, troubles };
}

type KeysByTenant = ReadonlyMap<string, Buffer>;

async function allRows({ database }: RotationParts): Promise<TenantKeyRow[]> {
  const all: TenantKeyRow[] = [];
  for (;;) {
    const last = all.at(-1)?.tenant_id;
    const rows = database.read.selectFrom('tenant_keys').selectAll().orderBy('tenant_id').limit(rowsPerRead);
    const page = await (last === undefined ? rows : rows.where('tenant_id', '>', last)).execute();
    all.push(...page);
    if (page.length < rowsPerRead) return all;
  }
}

/** The keys that the ring opens; of the others it says how many there are, and why. */
function openAll(keys: TenantKeys, rows: readonly TenantKeyRow[], troubles: string[]): KeysByTenant {
  const opened = new Map<string, Buffer>();
  const closed = new Map<string, number>();
  for (const row of rows) {
    try {
      opened.set(row.tenant_id, keys.open(row));
    } catch (error) {
      if (!(error instanceof SecretError)) throw error;
      closed.set(error.message, (closed.get(error.message) ?? 0) + 1);
    }
  }
  troubles.push(...[...closed].map(([message, count]) => `Data keys that do not open: ${count}, because ${message}.`));
  return opened;
}

/** Changes the keys of all tenants whose keys are still those of `from`. @returns what they are now */
async function changeKeys(
  { database, wait }: RotationParts,
  keys: TenantKeys,
  from: KeysByTenant,
  to: (old: DataKeys) => DataKeys,
): Promise<KeysByTenant> {
  const changed = new Map<string, Buffer>();
  const tenants = [...from.keys()];
  for (let at = 0; at < tenants.length; at += keysPerStep) {
    const step = await database.transaction(async (transaction) => {
      const query = transaction
        .selectFrom('tenant_keys')
        .selectAll()
        .where('tenant_id', 'in', tenants.slice(at, at + keysPerStep))
        .orderBy('tenant_id');
      const fresh = new Map<string, Buffer>();
      for (const row of await traitsOf(transaction).lockRows(query, 'change').execute()) {
        const old = keys.open(row);
        if (from.get(row.tenant_id)?.equals(old) !== true) continue;
        const dataKeys = writeDataKeys(to(readDataKeys(old)));
        const { key_id, sealed_key } = keys.withKeys(row, dataKeys);
        await transaction
          .updateTable('tenant_keys')
          .set({ key_id, sealed_key })
          .where('tenant_id', '=', row.tenant_id)
          .execute();
        fresh.set(row.tenant_id, dataKeys);
      }
      return fresh;
    });
    for (const [tenantId, dataKeys] of step) changed.set(tenantId, dataKeys);
    await wait(pauseMs);
  }
  return changed;
}

interface TenantOutcome {
  readonly resealed: number;
  /** Why earlier keys have to stay. */
  readonly trouble?: string;
}

async function resealTenant(parts: RotationParts, tenantId: string, dataKeys: Buffer): Promise<TenantOutcome> {
  const secrets = createTenantSecrets(tenantId, dataKeys, parts.randomBytes);
  let resealed = 0;
  let clean = 0;
  for (let pass = 0; pass < passesMax && clean < cleanPasses; pass += 1) {
    await endOfWrites(parts, tenantId);
    let found = 0;
    for await (const cells of sealedCells(parts.database.read, tenantId)) {
      const fresh: { readonly cell: SealedCell; readonly text: string }[] = [];
      for (const cell of cells) {
        try {
          const text = cell.resealed(secrets);
          if (text !== cell.text) fresh.push({ cell, text });
        } catch (error) {
          if (!(error instanceof SecretError)) throw error;
          return { resealed, trouble: `${cell.name} does not open (${error.message})` };
        }
      }
      if (fresh.length === 0) continue;
      found += fresh.length;
      resealed += await parts.database.transaction(async (transaction) => {
        let count = 0;
        for (const { cell, text } of fresh) if (await cell.replace(transaction, text)) count += 1;
        return count;
      });
      await parts.wait(pauseMs);
    }
    clean = found === 0 ? clean + 1 : 0;
  }
  return clean < cleanPasses ? { resealed, trouble: 'values are still being sealed under them' } : { resealed };
}

/** Waits for the tenant's writes that are under way: they may still put back what they read. */
async function endOfWrites({ database }: RotationParts, tenantId: string): Promise<void> {
  await database.transaction(async (transaction) => {
    const query = transaction.selectFrom('tenant_revisions').select('revision').where('tenant_id', '=', tenantId);
    await traitsOf(transaction).lockRows(query, 'change').execute();
  });
}
