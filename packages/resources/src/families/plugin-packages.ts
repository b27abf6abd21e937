import * as v from 'valibot';
import type { Family } from '../family.ts';
import { pluginName } from './plugin-fields.ts';

/** Plugin packages that a tenant has. Source: spec, Plugin endpoints; decisions, 9. */
export const pluginPackages: Family = {
  name: 'plugin-packages',
  singular: 'plugin_package',
  summary: 'Plugin packages: what a tenant can make instances of',
  scope: 'tenant',
  access: { read: 'read', write: 'write' },
  collectionPaths: ['/admin/plugin-packages', '/plugin-packages', '/api/v1/plugin-packages'],
  fields: { name: pluginName },
  readOnlyFields: {
    version: v.pipe(v.string(), v.description('Installed version')),
    category: v.pipe(v.string(), v.description('What the package is for; decides whether it fails open or closed')),
    triggers: v.pipe(
      v.array(v.string()),
      v.description('Triggers that an instance may name; the first is the default'),
    ),
    config_schema: v.pipe(v.record(v.string(), v.unknown()), v.description('JSON Schema of an instance’s config')),
  },
  references: [],
  keys: [{ name: 'name', fields: ['name'], scope: 'tenant', addressable: true }],
  methods: [],
  deliveredToGateways: false,
};
