import type { Family } from '../family.ts';
import * as field from '../fields.ts';

/** Workspaces: named groupings inside a tenant. Source: spec, Workspace fields. */
export const workspaces: Family = {
  name: 'workspaces',
  singular: 'workspace',
  summary: 'Workspaces: named groupings for gateways and integrations inside a tenant',
  scope: 'tenant',
  access: { read: 'read', write: 'write' },
  fields: {
    name: field.name,
    description: field.description,
    labels: field.labels,
    metadata: field.metadata,
  },
  readOnlyFields: {},
  references: [],
  keys: [{ name: 'name', fields: ['name'], scope: 'tenant', addressable: true }],
  foreignLists: 'own',
  methods: ['POST', 'PATCH', 'DELETE'],
  deliveredToGateways: false,
};
