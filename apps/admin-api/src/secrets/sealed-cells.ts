import type { Transaction } from 'kysely';
import { sealContext as auditKeyContext } from '../audits/checkpoints/audit-signer.ts';
import type { ResourceHistoryRow, ResourceRow, Tables } from '../database/tables.ts';
import type { Executor } from '../database/database.ts';
import { contextOf as answerContext } from '../idempotency/idempotency.ts';
import { sealContext as signingKeyContext } from '../identity/new-signing-key.ts';
import { SYSTEM_TENANT } from './secret-box.ts';
import type { SecretContext, TenantSecrets } from './tenant-secrets.ts';

/** Rows that are read at once and sealed again in one transaction: what a writer may have to wait for. */
const rowsPerPage = 20;

/** One place of the database that holds sealed values. */
export interface SealedCell {
  /** For people: table and row. */
  readonly name: string;
  /** The place's text with everything in it sealed under the key that seals now; the same text when it is already. @throws SecretError */
  resealed(secrets: TenantSecrets): string;
  readonly text: string;
  /** Puts another text there, unless somebody changed the place meanwhile. @returns whether it did */
  replace(transaction: Transaction<Tables>, text: string): Promise<boolean>;
}

/**
 * All that is sealed with a tenant's data keys, page by page. Records come before their history: what leaves the one while this runs is then met in
 * the other.
 */
export async function* sealedCells(read: Executor, tenantId: string): AsyncGenerator<readonly SealedCell[]> {
  yield* recordCells(read, tenantId);
  yield* historyCells(read, tenantId);
  yield* answerCells(read, tenantId);
  if (tenantId === SYSTEM_TENANT) yield* keyCells(read);
}

async function* recordCells(read: Executor, tenantId: string): AsyncGenerator<SealedCell[]> {
  let after = { family: '', id: '' };
  for (;;) {
    const { family, id } = after;
    const rows = await read
      .selectFrom('resources')
      .select(['tenant_id', 'family', 'id', 'secrets'])
      .where('tenant_id', '=', tenantId)
      .where('secrets', 'is not', null)
      .where(({ eb, and, or }) => or([eb('family', '>', family), and([eb('family', '=', family), eb('id', '>', id)])]))
      .orderBy('family')
      .orderBy('id')
      .limit(rowsPerPage)
      .execute();
    yield rows.map((row) => ({
      name: `${row.family}/${row.id}`,
      text: row.secrets ?? '{}',
      resealed: (secrets) => resealedPointers(secrets, row),
      replace: async (transaction, text) =>
        isOne(
          await transaction
            .updateTable('resources')
            .set({ secrets: text })
            .where('tenant_id', '=', tenantId)
            .where('family', '=', row.family)
            .where('id', '=', row.id)
            .where('secrets', '=', row.secrets)
            .executeTakeFirst(),
        ),
    }));
    const last = rows.at(-1);
    if (last === undefined || rows.length < rowsPerPage) return;
    after = last;
  }
}

async function* historyCells(read: Executor, tenantId: string): AsyncGenerator<SealedCell[]> {
  let after = { until_revision: -1, family: '', id: '' };
  for (;;) {
    const { until_revision: until, family, id } = after;
    const rows = await read
      .selectFrom('resource_history')
      .select(['tenant_id', 'until_revision', 'family', 'id', 'secrets'])
      .where('tenant_id', '=', tenantId)
      .where('secrets', 'is not', null)
      .where(({ eb, and, or }) => {
        const within = or([eb('family', '>', family), and([eb('family', '=', family), eb('id', '>', id)])]);
        return or([eb('until_revision', '>', until), and([eb('until_revision', '=', until), within])]);
      })
      .orderBy('until_revision')
      .orderBy('family')
      .orderBy('id')
      .limit(rowsPerPage)
      .execute();
    yield rows.map((row) => ({
      name: `${row.family}/${row.id} as a snapshot keeps it`,
      text: row.secrets ?? '{}',
      resealed: (secrets) => resealedPointers(secrets, row),
      replace: async (transaction, text) =>
        isOne(
          await transaction
            .updateTable('resource_history')
            .set({ secrets: text })
            .where('tenant_id', '=', tenantId)
            .where('until_revision', '=', row.until_revision)
            .where('family', '=', row.family)
            .where('id', '=', row.id)
            .where('secrets', '=', row.secrets)
            .executeTakeFirst(),
        ),
    }));
    const last = rows.at(-1);
    if (last === undefined || rows.length < rowsPerPage) return;
    after = last;
  }
}

async function* answerCells(read: Executor, tenantId: string): AsyncGenerator<SealedCell[]> {
  let after = '';
  for (;;) {
    const rows = await read
      .selectFrom('idempotency_keys')
      .select(['key', 'answer'])
      .where('tenant_id', '=', tenantId)
      // An empty one says that no answer was kept.
      .where('answer', '!=', '')
      .where('key', '>', after)
      .orderBy('key')
      .limit(rowsPerPage)
      .execute();
    yield rows.map(({ key, answer }) => ({
      name: 'an answer kept for repetitions',
      text: answer ?? '',
      resealed: (secrets) => resealedValue(secrets, answerContext(key), answer ?? ''),
      replace: async (transaction, text) =>
        isOne(
          await transaction
            .updateTable('idempotency_keys')
            .set({ answer: text })
            .where('tenant_id', '=', tenantId)
            .where('key', '=', key)
            .where('answer', '=', answer)
            .executeTakeFirst(),
        ),
    }));
    const last = rows.at(-1);
    if (last === undefined || rows.length < rowsPerPage) return;
    after = last.key;
  }
}

/** Keys that sign tokens and checkpoints: a handful. */
async function* keyCells(read: Executor): AsyncGenerator<SealedCell[]> {
  const signing = await read.selectFrom('signing_keys').select(['kid', 'private_jwk']).execute();
  yield signing.map(({ kid, private_jwk: jwk }) => ({
    name: `signing key ${kid}`,
    text: jwk,
    resealed: (secrets) => resealedValue(secrets, signingKeyContext(kid), jwk),
    replace: async (transaction, text) =>
      isOne(
        await transaction
          .updateTable('signing_keys')
          .set({ private_jwk: text })
          .where('kid', '=', kid)
          .where('private_jwk', '=', jwk)
          .executeTakeFirst(),
      ),
  }));
  const audit = await read
    .selectFrom('audit_keys')
    .select(['key_id', 'name', 'sealed_seed'])
    .where('sealed_seed', 'is not', null)
    .execute();
  yield audit.map(({ key_id: keyId, name, sealed_seed: seed }) => ({
    name: `audit key ${name}`,
    text: seed ?? '',
    resealed: (secrets) => resealedValue(secrets, auditKeyContext(name), seed ?? ''),
    replace: async (transaction, text) =>
      isOne(
        await transaction
          .updateTable('audit_keys')
          .set({ sealed_seed: text })
          .where('key_id', '=', keyId)
          .where('sealed_seed', '=', seed)
          .executeTakeFirst(),
      ),
  }));
}

function resealedPointers(
  secrets: TenantSecrets,
  { family, id, secrets: text }: Pick<ResourceRow | ResourceHistoryRow, 'family' | 'id' | 'secrets'>,
): string {
  const sealed = JSON.parse(text ?? '{}') as Record<string, string>;
  if (Object.values(sealed).every((value) => secrets.isSealedNow(value))) return text ?? '{}';
  const again = Object.entries(sealed).map(([pointer, value]) => [
    pointer,
    resealedValue(secrets, { family, id, pointer }, value),
  ]);
  return JSON.stringify(Object.fromEntries(again));
}

function resealedValue(secrets: TenantSecrets, context: SecretContext, sealed: string): string {
  return secrets.isSealedNow(sealed) ? sealed : secrets.seal(context, secrets.open(context, sealed));
}

function isOne({ numUpdatedRows }: { readonly numUpdatedRows: bigint }): boolean {
  return numUpdatedRows === 1n;
}
