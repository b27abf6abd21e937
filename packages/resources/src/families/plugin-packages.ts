import * as v from 'valibot';
import type { Family } from '../family.ts';
import { maxCharacters } from '../text-length.ts';
import { pluginName } from './plugin-fields.ts';

/** Longest version of a package. */
const versionLengthMax = 64;

/** Plugin packages that a tenant has. Source: spec, Plugin endpoints; decisions, 9; wire contract, small rules. */
export const pluginPackages: Family = {
  name: 'plugin-packages',
  singular: 'plugin_package',
  summary: 'Plugin packages: what a tenant can make instances of',
  scope: 'tenant',
  access: { read: 'read', write: 'write' },
  collectionPaths: ['/admin/plugin-packages', '/plugin-packages', '/api/v1/plugin-packages'],
  fields: {
    name: pluginName,
    version: v.optional(
      v.pipe(
        v.string(),
        maxCharacters(versionLengthMax),
        v.regex(
          /^(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/,
          'must be a semantic version such as 1.2.3',
        ),
        v.description('Installed version; 1.0.0 for a custom package that does not say'),
      ),
    ),
    config_schema: v.optional(
      v.pipe(
        v.record(v.string(), v.unknown()),
        v.description(
          'JSON Schema (2020-12) of an instance’s config. Required for a custom package, refused for a built-in one. Secrets are ' +
            'marked with `x-secret: true`, `writeOnly: true` or `format: password`',
        ),
      ),
    ),
  },
  readOnlyFields: {
    category: v.pipe(
      v.string(),
      v.description('What the package is for; decides whether it fails open or closed. `custom` for a tenant’s own'),
    ),
    triggers: v.pipe(
      v.array(v.string()),
      v.description('Triggers that an instance may name; the first is the default of a built-in package'),
    ),
  },
  references: [],
  keys: [{ name: 'name', fields: ['name'], scope: 'tenant', addressable: true }],
  // Installing and removing are no plain writes of a record: the operations stand beside the engine's.
  methods: [],
  deliveredToGateways: false,
};
