import * as v from 'valibot';
import type { Family } from '../family.ts';
import * as field from '../fields.ts';
import { vaultDrivers } from './vault-configs.ts';

const prefix = v.pipe(
  v.string(),
  v.regex(
    /^[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/,
    'must be 1 to 63 of a-z 0-9 and inner hyphens, and begin with a letter',
  ),
);

/**
 * Vaults: where secrets are that configuration refers to. Variables that an `env` vault reads must be in the operator's
 * `PORTCULLIS_ENV_ALLOW` when they are read. Source: wire contract, Certificates, consumers, vaults; decisions, 19.
 */
export const vaults: Family = {
  name: 'vaults',
  singular: 'vault',
  summary: 'Vaults: where the secrets are that configuration refers to as vault://prefix/secret[/key]',
  scope: 'tenant',
  access: { read: 'read', write: 'write' },
  fields: {
    name: v.optional(v.pipe(field.name, v.description('Unique in the tenant; the prefix when absent'))),
    prefix: v.pipe(prefix, v.description('What references name the vault by; unique in the tenant')),
    description: field.description,
    labels: field.labels,
    driver: v.pipe(v.picklist(vaultDrivers), v.description('Kind of vault')),
    config: v.optional(
      v.pipe(
        v.record(v.string(), v.unknown()),
        v.description(
          'Depends on driver, unknown fields are refused. env: prefix (the operator lists the variables that the tenant may ' +
            'read in PORTCULLIS_ENV_ALLOW). file: directory. hashicorp: address, token (a mask in reads), mount, kv_version, ' +
            'namespace, ttl_seconds',
        ),
      ),
      {},
    ),
  },
  readOnlyFields: {},
  references: [],
  keys: [
    { name: 'name', fields: ['name'], scope: 'tenant', addressable: true },
    { name: 'prefix', fields: ['prefix'], scope: 'tenant' },
  ],
  methods: ['POST', 'PUT', 'PATCH', 'DELETE'],
  bundle: { key: 'vaults', level: 1 },
  deliveredToGateways: true,
};
