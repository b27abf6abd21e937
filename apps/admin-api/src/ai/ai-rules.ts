import {
  readAiRecords,
  readCache,
  readConsumerPolicies,
  readGroupPolicies,
  readModelRoutes,
  InvalidConfigError,
  type AiPolicy,
  type CacheSettings,
  matchesModel,
  type ModelRoute,
  type ModelRouteConfig,
  type TenantAiConfig,
  type TenantAiRecord,
} from '@portcullis/ai-router';
import type { Executor } from '../database/database.ts';
import { isValues } from '../resources/values.ts';
import type { ResourceStore, StoredRecord } from '../store/resource-store.ts';
import type { ExplainedProxy } from './explained-proxy.ts';

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
  /** What that provider calls the model that is asked for. */
  readonly sentAs?: string | undefined;
  /** The plugin's providers that are on, with patterns of models that each takes, none for all; `undefined` where no plugin is looked at. */
  readonly providers: ReadonlyMap<string, readonly string[]> | undefined;
  /** What the plugin says of caching goes before records, also that there is none. */
  readonly cache: CacheSettings | undefined;
  /** IDs of routes, policies and the cache of the plugin. */
  readonly pluginIds: ReadonlySet<string>;
  /** What is wrong with records and plugin. */
  readonly warnings: readonly string[];
}

/**
 * The rules of a tenant's enabled AI records, and of an `ai_proxy` where there is one, as a gateway reads them.
 * @param model that is asked for: the default provider may not have it, and routes of other models are left out
 */
export async function aiRules(view: RulesView, proxy: ExplainedProxy | undefined, model: string): Promise<AiRules> {
  const { store, executor, tenantId } = view;
  const plugin = proxy === undefined ? undefined : pluginRules(proxy, model);
  const stored: TenantAiConfig[] = [];
  const caches: TenantAiRecord[] = [];
  // Page by page, because reading very many at a time would hold up other requests.
  for await (const page of store.scan(executor, tenantId, 'ai-records')) {
    const enabled = page.filter((record) => record.enabled);
    stored.push(readAiRecords(enabled.filter((record) => concerns(record, model)).map(aiRecordOf)));
    caches.push(...enabled.filter(({ body }) => body['kind'] === 'cache').map(aiRecordOf));
  }
  // Which of them counts shows among all. Gateways have them in the order of their IDs.
  const ofRecords = readAiRecords(caches.toSorted((one, other) => (one.id < other.id ? -1 : 1)));
  stored.push(ofRecords);
  const isOwn = plugin?.saysCache === true;
  const own = [...(plugin?.routes ?? []), ...(plugin?.policies ?? []), ...(plugin?.cache ? [plugin.cache] : [])];
  return {
    routes: [...(plugin?.routes ?? []), ...stored.flatMap(({ routes }) => routes)].map((route) =>
      reachable(route, plugin),
    ),
    policies: [...(plugin?.policies ?? []), ...stored.flatMap(({ policies }) => policies)],
    defaultProvider: plugin?.defaultProvider,
    sentAs: plugin?.sentAs,
    providers: plugin?.providers,
    cache: isOwn ? plugin.cache : ofRecords.cache,
    pluginIds: new Set(own.map(({ id }) => id)),
    warnings: [
      ...(isOwn ? [] : ofRecords.idleCaches.map((id) => `record ${id} does not count, because another cache does`)),
      ...stored
        .flatMap(({ problems }) => problems)
        .map(({ record, message }) => `record ${record} cannot be read: ${message}`),
      ...(plugin?.warnings ?? []),
    ],
  };
}

/** Whether a record may say something of a model: to read all routes of a tenant for each question would hold up others. */
function concerns({ body }: StoredRecord, model: string): boolean {
  if (body['kind'] !== 'model_route') return body['kind'] === 'policy';
  const config = isValues(body['config']) ? body['config'] : {};
  const aliases: readonly unknown[] = Array.isArray(config['aliases']) ? config['aliases'] : [];
  const patterns = [config['model'] ?? body['name'], ...aliases];
  return patterns.some((pattern) => typeof pattern !== 'string' || matchesModel(pattern, model));
}

/** What a plugin's config says. */
interface PluginRules extends Omit<AiRules, 'pluginIds'> {
  readonly saysCache: boolean;
}

function pluginRules(proxy: ExplainedProxy, model: string): PluginRules {
  const { id: pluginId, warnings } = proxy;
  const config = isValues(proxy.config) ? proxy.config : undefined;
  const providers = providersOf(config?.['providers']);
  const fallback = providers.find(({ name }) => name === config?.['default_provider']);
  const isServed = fallback !== undefined && serves(fallback.models, model);
  const strategy = config?.['target_selection'] as ModelRouteConfig['strategy'];
  const cache = config?.['semantic_cache'] ?? undefined;
  try {
    return {
      routes: readModelRoutes(config?.['model_routes'], pluginId, strategy),
      policies: [
        ...readConsumerPolicies(config?.['consumer_policies'], pluginId),
        ...readGroupPolicies(config?.['consumer_group_policies'], pluginId),
      ],
      defaultProvider: isServed ? fallback.name : undefined,
      sentAs: fallback?.modelMap.get(model),
      providers: new Map(providers.map(({ name, models }) => [name, models])),
      cache: cache === undefined ? undefined : readCache(cache, pluginId),
      saysCache: cache !== undefined,
      warnings,
    };
  } catch (error) {
    if (!(error instanceof InvalidConfigError)) throw error;
    const broken = `the plugin’s config cannot be read: ${error.message}`;
    const none = { defaultProvider: undefined, providers: undefined, cache: undefined, saysCache: false };
    return { routes: [], policies: [], ...none, warnings: [broken] };
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

/** A provider as far as explanations look at it. */
interface RulesProvider {
  readonly name: string;
  readonly models: readonly string[];
  readonly modelMap: ReadonlyMap<string, string>;
}

/** Providers that are on. The config was checked when it was stored; what an older release stored may be otherwise. */
function providersOf(given: unknown): readonly RulesProvider[] {
  const list: readonly unknown[] = Array.isArray(given) ? given : [];
  return list.flatMap((provider) => {
    if (typeof provider !== 'object' || provider === null || !('name' in provider)) return [];
    const { name } = provider;
    const isOff = 'enabled' in provider && provider.enabled === false;
    const patterns: readonly unknown[] = 'models' in provider && Array.isArray(provider.models) ? provider.models : [];
    const models = patterns.filter((pattern) => typeof pattern === 'string');
    const map = 'model_map' in provider && typeof provider.model_map === 'object' ? (provider.model_map ?? {}) : {};
    const modelMap = new Map(Object.entries(map).filter(isNamePair));
    return typeof name === 'string' && !isOff ? [{ name, models, modelMap }] : [];
  });
}

function isNamePair(pair: [string, unknown]): pair is [string, string] {
  return typeof pair[1] === 'string';
}

function serves(patterns: readonly string[], model: string): boolean {
  return patterns.length === 0 || patterns.some((pattern) => matchesModel(pattern, model));
}

/** Gateways leave out targets of providers that the plugin does not have, has switched off, or that do not take the target's model. */
function reachable(route: ModelRoute, plugin: { readonly providers: AiRules['providers'] } | undefined): ModelRoute {
  const providers = plugin?.providers;
  if (providers === undefined) return route;
  const targets = route.targets.map((target) => {
    const models = providers.get(target.provider);
    return models !== undefined && serves(models, target.model) ? target : { ...target, enabled: false };
  });
  return { ...route, targets };
}
