import * as v from 'valibot';
import type { Family } from '../family.ts';
import * as field from '../fields.ts';

/** Members that a group record lists at the most. Consumers that list their groups themselves have no such bound. */
export const groupMembersMax = 2000;

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
    consumers: v.optional(
      v.pipe(
        v.array(field.name),
        v.maxLength(groupMembersMax, `must have at most ${groupMembersMax} items`),
        v.check((members) => new Set(members).size === members.length, 'must not repeat an item'),
        v.description('Members, by ID or username, beside the consumers that list the group themselves'),
      ),
      [],
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
