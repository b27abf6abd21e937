import * as v from 'valibot';
import type { Family } from '../family.ts';
import * as field from '../fields.ts';

/** Where gateways keep shared caches. Source: wire contract, Certificates, consumers, vaults. */
export const cacheStoreConfigs: Family = {
  name: 'cache-store-configs',
  singular: 'cache_store_config',
  summary: 'Cache stores: where gateways keep what they cache',
  scope: 'tenant',
  access: { read: 'read', write: 'write' },
  fields: {
    name: field.name,
    description: field.description,
    labels: field.labels,
    driver: v.pipe(v.picklist(['memory', 'redis']), v.description('Kind of store')),
  },
  readOnlyFields: {},
  references: [],
  keys: [{ name: 'name', fields: ['name'], scope: 'tenant', addressable: true }],
  methods: ['POST', 'PUT', 'PATCH', 'DELETE'],
  bundle: { key: 'cache_store_configs', level: 1 },
  deliveredToGateways: false,
};
