import type { Family } from '../family.ts';
import * as field from '../fields.ts';

/** Realms: which gateways share consumers. Source: wire contract, Certificates, consumers, vaults. */
export const realms: Family = {
  name: 'realms',
  singular: 'realm',
  summary: 'Realms: gateways that share consumers',
  scope: 'tenant',
  access: { read: 'read', write: 'write' },
  fields: {
    name: field.name,
    description: field.description,
    labels: field.labels,
    gateway_ids: field.textList(field.name, 'Gateways of the realm, by ID or name'),
  },
  readOnlyFields: {},
  references: [
    { field: 'gateway_ids', family: 'gateways', many: true, nameScope: 'tenant', whenTargetIsDeleted: 'release' },
  ],
  keys: [{ name: 'name', fields: ['name'], scope: 'tenant', addressable: true }],
  methods: ['POST', 'PUT', 'PATCH', 'DELETE'],
  bundle: { key: 'realms', level: 2, sets: ['gateway_ids'] },
  // Gateways get them as the selection of their consumers.
  deliveredToGateways: true,
};
