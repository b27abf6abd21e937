import type { Family } from '../family.ts';
import * as field from '../fields.ts';

/** Consumer groups. Source: wire contract, Certificates, consumers, vaults. */
export const consumerGroups: Family = {
  name: 'consumer-groups',
  singular: 'consumer_group',
  summary: 'Consumer groups: consumers that plugins and policies treat alike',
  scope: 'tenant',
  access: { read: 'read', write: 'write' },
  fields: {
    name: field.name,
    description: field.description,
    labels: field.labels,
    consumers: field.textList(
      field.name,
      'Members, by ID or username, beside the consumers that list the group themselves',
    ),
  },
  readOnlyFields: {},
  references: [
    { field: 'consumers', family: 'consumers', many: true, nameScope: 'tenant', whenTargetIsDeleted: 'release' },
  ],
  keys: [{ name: 'name', fields: ['name'], scope: 'tenant', addressable: true }],
  methods: ['POST', 'PUT', 'PATCH', 'DELETE'],
  bundle: { key: 'consumer_groups', level: 4, sets: ['consumers'] },
  // Gateways get them as the groups of each consumer.
  deliveredToGateways: true,
};
