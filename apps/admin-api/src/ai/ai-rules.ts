import {
  readAiRecords,
  readConsumerPolicies,
  readGroupPolicies,
  readModelRoutes,
  InvalidConfigError,
  type AiPolicy,
  type ModelRoute,
  type TenantAiRecord,
} from '@portcullis/ai-router';
import type { Executor } from '../database/database.ts';
import { Problem } from '../http/problem.ts';
import type { ResourceStore, StoredRecord } from '../store/resource-store.ts';

/** Where records are looked up. */
export interface RulesView {
  readonly store: ResourceStore;
  readonly executor: Executor;
  readonly tenantId: string;
}

/** By what requests are routed and limited. */
export interface AiRules {
  /** Those of the plugin first. */
  readonly routes: readonly ModelRoute[];
  readonly policies: readonly AiPolicy[];
  readonly defaultProvider: string | undefined;
  /** Names of the plugin's providers; `undefined` where no plugin is looked at. */
  readonly providers: ReadonlySet<string> | undefined;
  /** IDs of routes and policies of the plugin. */
  readonly pluginIds: ReadonlySet<string>;
  /** What is wrong with records and plugin. */
  readonly warnings: readonly string[];
}

/**
 * The rules of a tenant's enabled AI records, and of an `ai_proxy` instance where one is named, as a gateway reads them.
 * @throws Problem when there is no such instance, or it is of another plugin
 */
export async function aiRules(view: RulesView, pluginId: string | undefined): Promise<AiRules> {
  const { store, executor, tenantId } = view;
  const records: TenantAiRecord[] = [];
  for await (const page of store.scan(executor, tenantId, 'ai-records')) {
    records.push(...page.filter(({ enabled }) => enabled).map(aiRecordOf));
  }
  const stored = readAiRecords(records);
  const plugin = pluginId === undefined ? undefined : await pluginRules(view, pluginId);
  const own = [...(plugin?.routes ?? []), ...(plugin?.policies ?? [])];
  return {
    routes: [...(plugin?.routes ?? []), ...stored.routes],
    policies: [...(plugin?.policies ?? []), ...stored.policies],
    defaultProvider: plugin?.defaultProvider,
    providers: plugin?.providers,
    pluginIds: new Set(own.map(({ id }) => id)),
    warnings: [
      ...stored.problems.map(({ record, message }) => `record ${record} cannot be read: ${message}`),
      ...(plugin?.warnings ?? []),
    ],
  };
}

async function pluginRules(
  { store, executor, tenantId }: RulesView,
  pluginId: string,
): Promise<Omit<AiRules, 'pluginIds'>> {
  const plugin = await store.get(executor, tenantId, 'plugins', pluginId);
  if (plugin?.body['name'] !== 'ai_proxy') {
    const message = plugin === undefined ? 'not found' : 'is no instance of ai_proxy';
    const code = plugin === undefined ? 'reference_not_found' : 'validation_failed';
    throw new Problem(code, `plugin ${message}`, { errors: [{ pointer: '/plugin_id', code, message }] });
  }
  const config = plugin.body['config'] as Readonly<Record<string, unknown>> | undefined;
  const warnings = plugin.enabled ? [] : ['the plugin is disabled'];
  const provider = config?.['default_provider'];
  const providers = Object.values(config?.['providers'] ?? {}).map((one: unknown) => nameOf(one));
  try {
    return {
      routes: readModelRoutes(config?.['model_routes'], pluginId),
      policies: [
        ...readConsumerPolicies(config?.['consumer_policies'], pluginId),
        ...readGroupPolicies(config?.['consumer_group_policies'], pluginId),
      ],
      defaultProvider: typeof provider === 'string' ? provider : undefined,
      providers: new Set(providers.filter((name) => name !== undefined)),
      warnings,
    };
  } catch (error) {
    if (!(error instanceof InvalidConfigError)) throw error;
    const broken = `the plugin’s config cannot be read: ${error.message}`;
    return { routes: [], policies: [], defaultProvider: undefined, providers: undefined, warnings: [broken] };
  }
}

function aiRecordOf({ id, body }: StoredRecord): TenantAiRecord {
  return {
    id,
    kind: String(body['kind']),
    name: String(body['name']),
    config: (body['config'] ?? {}) as TenantAiRecord['config'],
  };
}

function nameOf(provider: unknown): string | undefined {
  const name = typeof provider === 'object' && provider !== null && 'name' in provider ? provider.name : undefined;
  return typeof name === 'string' ? name : undefined;
}
