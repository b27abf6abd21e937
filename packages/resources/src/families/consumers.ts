import * as v from 'valibot';
import type { Family, FamilyRule } from '../family.ts';
import * as field from '../fields.ts';
import { atLeastOneOf } from '../rules.ts';

/** A consumer of a realm is for the realm's gateways; one gateway besides would be a second answer to the same question. */
const eitherGatewayOrRealm: FamilyRule = ({ gateway_id: gatewayId, realm_id: realmId }) =>
  (gatewayId ?? null) === null || (realmId ?? null) === null
    ? []
    : [{ pointer: '/realm_id', code: 'not_allowed', message: 'cannot be given together with gateway_id' }];

/** Consumers: who calls through a gateway. Source: wire contract, Certificates, consumers, vaults. */
export const consumers: Family = {
  name: 'consumers',
  singular: 'consumer',
  summary: 'Consumers: the clients of the APIs behind a gateway',
  scope: 'tenant',
  access: { read: 'read', write: 'write' },
  fields: {
    username: v.optional(v.pipe(field.name, v.description('Unique in the tenant; alias: name'))),
    custom_id: v.optional(
      v.pipe(field.name, v.description("The consumer's ID in another system; unique in the tenant")),
    ),
    groups: field.textList(field.name, 'Names of groups, in order of precedence'),
    description: field.description,
    labels: field.labels,
    enabled: field.enabled,
    gateway_id: v.optional(v.pipe(field.reference, v.description('Limits the consumer to one gateway'))),
    realm_id: v.optional(v.pipe(field.reference, v.description("Limits the consumer to the realm's gateways"))),
  },
  fieldAliases: { name: 'username' },
  readOnlyFields: {
    effective_groups: v.optional(
      v.pipe(
        v.array(v.string()),
        v.description(
          'The groups that count: its own in their order, then the group records that list it, oldest first. Left out where more than 10,000 list the consumers of an answer',
        ),
      ),
    ),
  },
  rules: [atLeastOneOf('username', 'custom_id'), eitherGatewayOrRealm],
  references: [
    {
      field: 'gateway_id',
      family: 'gateways',
      nameField: 'gateway_name',
      nameScope: 'tenant',
      whenTargetIsDeleted: 'restrict',
    },
    // A realm that went away would let its consumers in everywhere.
    {
      field: 'realm_id',
      family: 'realms',
      nameField: 'realm_name',
      nameScope: 'tenant',
      whenTargetIsDeleted: 'restrict',
    },
  ],
  keys: [
    { name: 'username', fields: ['username'], scope: 'tenant', addressable: true },
    { name: 'custom_id', fields: ['custom_id'], scope: 'tenant' },
  ],
  methods: ['POST', 'PUT', 'PATCH', 'DELETE'],
  bundle: { key: 'consumers', level: 3 },
  deliveredToGateways: true,
};
