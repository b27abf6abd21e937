import * as v from 'valibot';
import type { Family } from '../family.ts';
import * as field from '../fields.ts';

/** Tenants. Source: spec, Tenancy objects; decisions, 3 and 7. */
export const tenants: Family = {
  name: 'tenants',
  singular: 'tenant',
  summary: 'Tenants: customer organizations, the boundary of all data',
  scope: 'system',
  access: { read: 'read', write: 'super_admin' },
  fields: {
    name: field.name,
    // `/tenants/current` is an operation of its own.
    slug: v.pipe(
      field.tenantId,
      v.notValue('current', 'is reserved'),
      v.metadata({ 'x-immutable': true }),
      v.description('Stable ID of the tenant, never reused'),
    ),
    metadata: field.metadata,
  },
  readOnlyFields: {
    status: v.pipe(v.picklist(['active', 'inactive']), v.description('Whether its users and tokens are let in')),
  },
  references: [],
  keys: [{ name: 'slug', fields: ['slug'], scope: 'everywhere' }],
  methods: ['POST', 'PATCH', 'DELETE'],
  deliveredToGateways: false,
};
