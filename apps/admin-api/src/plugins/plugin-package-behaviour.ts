import { pluginCatalogue } from '@portcullis/plugins';
import type { FamilyBehaviour } from '../resources/family-behaviour.ts';
import { isValues } from '../resources/values.ts';
import type { Values } from '../resources/values.ts';
import type { StoredRecord } from '../store/resource-store.ts';
import { customTriggers } from './custom-package.ts';
import { packageFamily } from './custom-packages.ts';
import { schemaCheckAside } from './schema-checks.ts';
import type { SchemaTasks } from './schema-checks.ts';

/** The version of a custom package that does not say its own. */
const firstVersion = '1.0.0';

/**
 * Built-in packages are installed for every tenant and are not stored; custom ones are stored with their schema. Source: decisions, 9.
 * @param sinceMs when this release began to run: what reads show as the built-in packages' time
 */
export function createPluginPackageBehaviour(sinceMs: number, tasks: SchemaTasks): FamilyBehaviour {
  const behaviour: FamilyBehaviour = {
    identify: (values) => (typeof values['name'] === 'string' ? values['name'] : undefined),
    derive: (values, before) => ({
      ...values,
      version: values['version'] ?? before?.['version'] ?? firstVersion,
      ...(isValues(values['config_schema']) && { config_schema: closedSchema(values['config_schema']) }),
    }),
    prepare: async ({ values }) => ({
      ok: true,
      body: { ...values, category: 'custom', triggers: customTriggers },
    }),
    builtIn: (tenantId) =>
      [...pluginCatalogue.values()].map(({ name, version, category, triggers, jsonSchema }): StoredRecord => ({
        tenantId,
        family: packageFamily,
        id: name,
        gatewayId: null,
        name,
        enabled: true,
        revision: 1,
        createdAtMs: sinceMs,
        updatedAtMs: sinceMs,
        body: { name, version, category, triggers, config_schema: jsonSchema() },
        secrets: {},
        tenantRevision: 0,
      })),
  };
  return {
    ...behaviour,
    async forRecord(_executor, tenantId, _sent, aside) {
      const problemsOf = schemaCheckAside(tasks, tenantId, aside);
      return {
        ...behaviour,
        check: ({ config_schema: schema }) =>
          isValues(schema)
            ? problemsOf(schema).map((problem) => ({ ...problem, pointer: `/config_schema${problem.pointer}` }))
            : [
                {
                  pointer: '/config_schema',
                  code: 'required',
                  message: 'is required for a package that is not built in',
                },
              ],
      };
    },
  };
}

/** Unknown fields of a config are refused unless the schema says something else. Source: wire contract, small rules. */
export function closedSchema(schema: Values): Values {
  return Object.hasOwn(schema, 'additionalProperties') ? schema : { ...schema, additionalProperties: false };
}
