import type { Transaction } from 'kysely';
import type { Executor } from '../database/database.ts';
import type { Tables } from '../database/tables.ts';
import { identityFamilies } from '../identity/user-directory.ts';

/** How a slug that is gone is kept: under the family and key that it was unique in. */
const slugKey = { family: identityFamilies.tenants, key_name: 'slug' } as const;

/** Whether a slug was a deleted tenant's. Such slugs are never given again. Source: decisions, 3. */
export async function isSlugRetired(executor: Executor, slug: string): Promise<boolean> {
  const row = await executor
    .selectFrom('retired_keys')
    .select('value')
    .where('family', '=', slugKey.family)
    .where('key_name', '=', slugKey.key_name)
    .where('value', '=', slug)
    .executeTakeFirst();
  return row !== undefined;
}

/** Keeps the slug of a tenant that is deleted in this transaction. */
export async function retireSlug(transaction: Transaction<Tables>, slug: string, nowMs: number): Promise<void> {
  await transaction
    .insertInto('retired_keys')
    .values({ ...slugKey, value: slug, retired_at: nowMs })
    .execute();
}
