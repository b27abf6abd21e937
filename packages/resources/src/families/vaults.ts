import * as v from 'valibot';
import type { Family } from '../family.ts';
import * as field from '../fields.ts';

/** Vaults: where secrets are that configuration refers to. Source: wire contract, Certificates, consumers, vaults. */
export const vaults: Family = {
  name: 'vaults',
  singular: 'vault',
  summary: 'Vaults: where the secrets are that configuration refers to as vault://prefix/secret',
  scope: 'tenant',
  access: { read: 'read', write: 'write' },
  fields: {
    name: field.name,
    description: field.description,
    labels: field.labels,
    driver: v.pipe(v.picklist(['env', 'file', 'hashicorp']), v.description('Kind of vault')),
  },
  readOnlyFields: {},
  references: [],
  keys: [{ name: 'name', fields: ['name'], scope: 'tenant', addressable: true }],
  methods: ['POST', 'PUT', 'PATCH', 'DELETE'],
  bundle: { key: 'vaults', level: 1 },
  deliveredToGateways: false,
};
