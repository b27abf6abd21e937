import type { Family } from '../family.ts';
import * as field from '../fields.ts';

/** RBAC organizations: governance containers inside a tenant. Source: spec, RBAC organization fields. */
export const organizations: Family = {
  name: 'organizations',
  singular: 'organization',
  summary: 'RBAC organizations: governance containers inside a tenant; no boundary of isolation',
  scope: 'tenant',
  access: { read: 'read', write: 'write' },
  collectionPaths: ['/admin/rbac/organizations'],
  fields: { name: field.name, description: field.description, labels: field.labels },
  readOnlyFields: {},
  references: [],
  keys: [{ name: 'name', fields: ['name'], scope: 'tenant', addressable: true }],
  foreignLists: 'own',
  methods: ['POST', 'PATCH', 'DELETE'],
  deliveredToGateways: false,
};
