import * as v from 'valibot';
import type { Family } from '../family.ts';
import * as field from '../fields.ts';

/** Largest number of direct children that a tenant can be allowed. */
export const tenantQuotaMax = 1_000_000;

/** Whether a tenant's callers are let in. Source: spec, Tenant states. */
const tenantStatuses = ['active', 'inactive'] as const;

/**
 * Tenants. Administrators may change the name and notes of their own and, where a super administrator allows it, make
 * children; which they may see is the service's rule. Source: spec, Tenancy objects; decisions, 3 and 7; wire contract,
 * Users, tokens, tenants.
 */
export const tenants: Family = {
  name: 'tenants',
  singular: 'tenant',
  summary: 'Tenants: customer organizations, the boundary of all data',
  scope: 'system',
  access: { read: 'read', write: 'administer', delete: 'super_admin' },
  fields: {
    name: field.name,
    // `/tenants/current` is an operation of its own.
    slug: v.pipe(
      field.tenantId,
      v.notValue('current', 'is reserved'),
      v.metadata({ 'x-immutable': true }),
      v.description('Stable ID of the tenant, never reused'),
    ),
    // No reference in the store's sense: the record of a parent may be deleted, which leaves its children as they are.
    parent_id: v.optional(
      v.pipe(
        v.nullable(field.tenantId),
        v.metadata({ 'x-immutable': true }),
        v.description(
          "The tenant above; null for none. An administrator's own tenant where it is not given, which is the only one that " +
            'a regular administrator may name. It keeps its value when that tenant is deleted.',
        ),
      ),
    ),
    parent_slug: v.optional(
      v.pipe(
        v.nullable(field.tenantId),
        v.metadata({ 'x-immutable': true }),
        v.description('The tenant above by its slug, which is its ID: the same as parent_id'),
      ),
    ),
    status: v.optional(
      v.pipe(
        v.picklist(tenantStatuses),
        v.metadata({ 'x-immutable': true }),
        v.description('Whether its users and tokens are let in; changed by deactivate and activate'),
      ),
      'active',
    ),
    can_create_tenant: v.optional(
      v.pipe(
        v.boolean(),
        v.description('Whether its administrators may make and see direct children; set by super administrators'),
      ),
      false,
    ),
    tenant_quota: field.integer(
      0,
      tenantQuotaMax,
      0,
      'How many direct children its administrators may have, counting those that anyone made; set by super administrators',
    ),
    description: field.description,
    labels: field.labels,
    metadata: field.metadata,
  },
  readOnlyFields: {},
  references: [],
  keys: [{ name: 'slug', fields: ['slug'], scope: 'everywhere' }],
  filters: ['parent_slug'],
  methods: ['POST', 'PATCH', 'DELETE'],
  deliveredToGateways: false,
};
