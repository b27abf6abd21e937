import type { Executor } from '../database/database.ts';
import { Problem } from '../http/problem.ts';
import type { FamilyBehaviour } from '../resources/family-behaviour.ts';

/** How a slug that is gone is kept: under the family and key that it was unique in. */
const slugKey = { family: 'tenants', key_name: 'slug' } as const;

/**
 * A tenant's ID is its slug; callers see their own tenant only. A deleted tenant leaves what it owned, and its slug is never
 * given again. Source: decisions, 3; spec, Tenants, workspaces, RBAC.
 */
export function createTenantBehaviour(nowMs: () => number): FamilyBehaviour {
  return {
    identify: (values) => (typeof values['slug'] === 'string' ? values['slug'] : undefined),
    async prepare({ executor, id, values, stored }) {
      if (!stored && values['slug'] !== id) {
        return { ok: false, problems: [{ pointer: '/id', code: 'contradiction', message: 'must be the slug' }] };
      }
      if (!stored && (await isRetired(executor, id))) {
        const errors = [{ pointer: '/slug', code: 'exists', message: 'was the slug of a deleted tenant' }];
        throw new Problem('name_exists', 'a tenant with this slug existed', { errors });
      }
      return { ok: true, body: { ...values, status: stored?.body['status'] ?? 'active' } };
    },
    async afterWrite({ transaction, before, after }) {
      if (!before || after) return;
      const row = { ...slugKey, value: before.id, retired_at: nowMs() };
      await transaction.insertInto('retired_keys').values(row).execute();
    },
    async visibility(_executor, principal) {
      if (principal.kind === 'anonymous') return { ids: [] };
      return principal.tenantId === undefined ? undefined : { ids: [principal.tenantId] };
    },
  };
}

async function isRetired(executor: Executor, slug: string): Promise<boolean> {
  const row = await executor
    .selectFrom('retired_keys')
    .select('value')
    .where('family', '=', slugKey.family)
    .where('key_name', '=', slugKey.key_name)
    .where('value', '=', slug)
    .executeTakeFirst();
  return row !== undefined;
}
