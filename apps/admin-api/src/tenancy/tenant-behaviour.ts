import type { Executor } from '../database/database.ts';
import { type FieldProblem, Problem } from '../http/problem.ts';
import type { Principal } from '../identity/principal.ts';
import { identityFamilies } from '../identity/user-directory.ts';
import type { FamilyBehaviour, PrepareInput } from '../resources/family-behaviour.ts';
import type { Values } from '../resources/values.ts';
import type { ResourceStore, StoredRecord } from '../store/resource-store.ts';
import { isSlugRetired, retireSlug } from './retired-slugs.ts';

/** Fields that decide what a tenant may have; only super administrators set them. Source: decisions, 7. */
const grants = { can_create_tenant: false, tenant_quota: 0 } as const;

/**
 * A tenant's ID is its slug, and its parent is fixed. Administrators, and tokens that may write, see their own tenant and,
 * where it may have children, those; they change the name and notes of their own. A deleted tenant leaves what it owned,
 * children included, and its slug is never given again. Source: decisions, 3; spec, Tenancy objects; ADR 0010.
 */
export function createTenantBehaviour(store: ResourceStore, nowMs: () => number): FamilyBehaviour {
  return {
    identify: (values) => (typeof values['slug'] === 'string' ? values['slug'] : undefined),
    // A new tenant's parent may be given under either name, and null is not the same as nothing.
    derive: ({ parent_id: parentId, parent_slug: parentSlug, ...values }, before) => ({
      ...values,
      parent_id: before ? (parentId ?? null) : parentId === undefined ? parentSlug : parentId,
      parent_slug: parentSlug ?? null,
    }),
    async prepare(input) {
      const { id, values, stored, principal } = input;
      const regular = administeredTenant(principal);
      const contradictions = stored ? [] : contradictionsIn(id, values);
      if (contradictions.length > 0) return { ok: false, problems: contradictions };
      if (stored && regular && stored.id !== regular) throw foreignTenant();
      const fallback = stored ? null : (regular ?? null);
      const parentId = values['parent_id'] === undefined ? fallback : values['parent_id'];
      if (regular && !stored && parentId !== regular) throw foreignTenant();
      const problems = mayGrant(principal) ? [] : grantProblems(values, stored);
      if (!stored && !regular) problems.push(...(await parentProblems(store, input)));
      if (problems.length > 0) return { ok: false, problems };
      if (!stored && regular) await demandRoomForChild(store, input.executor, regular);
      if (!stored) await demandFreeSlug(store, input.executor, id);
      return { ok: true, body: { ...values, parent_id: parentId, parent_slug: parentId } };
    },
    async afterWrite({ transaction, before, after }) {
      if (before && !after) await retireSlug(transaction, before.id, nowMs());
    },
    async visibility(executor, principal) {
      if (principal.kind === 'anonymous') return { ids: [] };
      const own = principal.tenantId;
      if (own === undefined) return undefined;
      const seesChildren = administeredTenant(principal) === own && mayHaveChildren(await find(store, executor, own));
      return { ids: [own], ...(seesChildren && { orField: { field: 'parent_id', value: own } }) };
    },
  };
}

/**
 * The tenant of a caller who is bound to it and administers it: its administrators, and its tokens that may write. Nothing for
 * whoever stands above all tenants and for other callers.
 */
function administeredTenant(principal: Principal): string | undefined {
  if (principal.kind === 'user') return principal.role === 'admin' ? principal.tenantId : undefined;
  return principal.kind === 'api_token' && principal.scopes.includes('admin:write') ? principal.tenantId : undefined;
}

/** Super administrators in person; a token that one of them made may not. Source: decisions, 7. */
function mayGrant(principal: Principal): boolean {
  return principal.kind === 'user' && principal.role === 'super_admin';
}

function mayHaveChildren(tenant: StoredRecord | undefined): boolean {
  return tenant?.body['can_create_tenant'] === true;
}

function find(store: ResourceStore, executor: Executor, tenantId: string): Promise<StoredRecord | undefined> {
  return store.get(executor, '', identityFamilies.tenants, tenantId);
}

/** What one value of a new tenant says against another. */
function contradictionsIn(id: string, { slug, parent_id: parentId, parent_slug: parentSlug }: Values): FieldProblem[] {
  const problem = (field: string, message: string) => ({ pointer: `/${field}`, code: 'contradiction', message });
  return [
    ...(slug === id ? [] : [problem('id', 'must be the slug')]),
    ...(parentSlug === null || parentSlug === parentId ? [] : [problem('parent_slug', 'contradicts parent_id')]),
  ];
}

/** Whoever may not grant may repeat what is stored, not change it. */
function grantProblems(values: Values, stored: StoredRecord | undefined): FieldProblem[] {
  return Object.entries(grants).flatMap(([field, fallback]) =>
    values[field] === (stored?.body[field] ?? fallback)
      ? []
      : [{ pointer: `/${field}`, code: 'forbidden', message: 'only a super administrator can set this' }],
  );
}

async function parentProblems(store: ResourceStore, { executor, values }: PrepareInput): Promise<FieldProblem[]> {
  const { parent_id: parentId } = values;
  if (typeof parentId !== 'string' || (await find(store, executor, parentId))) return [];
  return [{ pointer: '/parent_id', code: 'reference_not_found', message: 'tenant not found' }];
}

/**
 * Children are counted while the write holds the lock of all tenants, so creations at once cannot exceed the quota together.
 * A quota that was never set is 0: without a number from a super administrator there is no room.
 * @throws Problem `forbidden` or `quota_exceeded`. Source: spec, Tenancy objects, Child tenant
 */
async function demandRoomForChild(store: ResourceStore, executor: Executor, parentId: string): Promise<void> {
  const parent = await find(store, executor, parentId);
  if (!mayHaveChildren(parent)) throw new Problem('forbidden', 'This tenant may not create tenants');
  const quota = Number(parent?.body['tenant_quota'] ?? grants.tenant_quota);
  const children = { tenantId: '', family: identityFamilies.tenants, fields: { parent_id: parentId } };
  const { total } = await store.list(executor, { ...children, skip: 0, limit: 1 });
  if (total >= quota) throw new Problem('quota_exceeded', `The tenant_quota of ${quota} is used up`);
}

function foreignTenant(): Problem {
  return new Problem('cross_tenant', 'Cannot access another tenant');
}

/**
 * The slug is the ID: a taken one is told of here, under the name that was sent.
 * @throws Problem `name_exists`
 */
async function demandFreeSlug(store: ResourceStore, executor: Executor, slug: string): Promise<void> {
  const isTaken = (await find(store, executor, slug)) !== undefined;
  if (!isTaken && !(await isSlugRetired(executor, slug))) return;
  const message = isTaken ? 'exists' : 'was the slug of a deleted tenant';
  throw new Problem('name_exists', `a tenant with this slug exist${isTaken ? 's' : 'ed'}`, {
    errors: [{ pointer: '/slug', code: 'exists', message }],
  });
}
