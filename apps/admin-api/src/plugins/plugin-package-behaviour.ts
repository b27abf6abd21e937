import { pluginCatalogue } from '@portcullis/plugins';
import type { FamilyBehaviour } from '../resources/family-behaviour.ts';
import type { StoredRecord } from '../store/resource-store.ts';

/**
 * Built-in packages are installed for every tenant and are not stored. Source: decisions, 9.
 * @param sinceMs when this release began to run: what reads show as the packages' time
 */
export function createPluginPackageBehaviour(sinceMs: number): FamilyBehaviour {
  return {
    builtIn: (tenantId) =>
      [...pluginCatalogue.values()].map(({ name, version, category, triggers, jsonSchema }): StoredRecord => ({
        tenantId,
        family: 'plugin-packages',
        id: name,
        gatewayId: null,
        name,
        enabled: true,
        revision: 1,
        createdAtMs: sinceMs,
        updatedAtMs: sinceMs,
        body: { name, version, category, triggers, config_schema: jsonSchema() },
        secrets: {},
      })),
  };
}
