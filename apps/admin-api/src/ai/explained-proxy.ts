import {
  explainChain,
  pluginsByName,
  type ChainTarget,
  type InlinePlugin,
  type PluginInstance,
} from '@portcullis/plugin-runtime';
import { builtInPlugins } from '@portcullis/plugins';
import { Problem } from '../http/problem.ts';
import { isValues } from '../resources/values.ts';
import type { ConsumerOfChain } from '../route-match/plugin-chain.ts';
import type { StoredRecord } from '../store/resource-store.ts';
import type { RulesView } from './ai-rules.ts';

/** An `ai_proxy` whose config goes before records. */
export interface ExplainedProxy {
  /** Of the instance; of an entry of a route that has none, the route's. */
  readonly id: string;
  readonly config: unknown;
  /** Why it might not be asked. */
  readonly warnings: readonly string[];
}

const PROXY = 'ai_proxy';
const plugins = pluginsByName(builtInPlugins);

/** The instance of an ID. @throws Problem when there is none, or it is of another plugin */
export async function proxyOfPlugin(
  { store, executor, tenantId }: RulesView,
  pluginId: string,
): Promise<ExplainedProxy> {
  const plugin = await store.get(executor, tenantId, 'plugins', pluginId);
  if (plugin === undefined) throw notFound('/plugin_id', 'plugin');
  if (plugin.body['name'] !== PROXY) {
    const message = `is no instance of ${PROXY}`;
    const errors = [{ pointer: '/plugin_id', code: 'validation_failed', message }];
    throw new Problem('validation_failed', `plugin ${message}`, { errors });
  }
  return { id: pluginId, config: plugin.body['config'], warnings: plugin.enabled ? [] : ['the plugin is disabled'] };
}

/**
 * What answers requests of a route: the last `ai_proxy` of its chain, as in gateways.
 * @returns `undefined` when none does
 * @throws Problem when there is no such route
 */
export async function proxyOfRoute(
  view: RulesView,
  routeId: string,
  consumer: ConsumerOfChain | undefined,
): Promise<ExplainedProxy | undefined> {
  const { store, executor, tenantId } = view;
  const route = await store.get(executor, tenantId, 'routes', routeId);
  if (route === undefined) throw notFound('/route_id', 'route');
  const entries: readonly unknown[] = Array.isArray(route.body['plugins']) ? route.body['plugins'] : [];
  const inline = entries.flatMap((entry, position) => {
    if (!isValues(entry) || entry['name'] !== PROXY) return [];
    // The position takes the place of an ID: it finds the entry again.
    return [{ ...entry, id: String(position) } as unknown as InlinePlugin];
  });
  const instances = await proxyInstances(view);
  const target = await targetOf(view, route);
  const last = explainChain({ plugins, instances, inline }, target).findLast(
    ({ source, id, included, stages }) =>
      included && stages.includes('request') && (source === 'inline' || isFor(instances, id, consumer)),
  );
  if (last === undefined) return undefined;
  const warnings = route.enabled ? [] : ['the route is disabled'];
  if (last.source === 'collection') {
    const plugin = await store.get(executor, tenantId, 'plugins', last.id);
    return { id: last.id, config: plugin?.body['config'], warnings };
  }
  const entry = entries[Number(last.id)];
  return { id: routeId, config: isValues(entry) ? entry['config'] : undefined, warnings };
}

/** Those of the tenant, without their configs. */
async function proxyInstances({ store, executor, tenantId }: RulesView): Promise<readonly PluginInstance[]> {
  const instances: PluginInstance[] = [];
  for await (const page of store.scan(executor, tenantId, 'plugins')) {
    for (const { id, body } of page) {
      if (body['name'] === PROXY) instances.push({ ...body, config: {}, id } as unknown as PluginInstance);
    }
  }
  return instances;
}

async function targetOf({ store, executor, tenantId }: RulesView, route: StoredRecord): Promise<ChainTarget> {
  const named = (record: StoredRecord) => ({ id: record.id, name: String(record.body['name']) });
  const gatewayId = route.gatewayId ?? '';
  const gateway = await store.get(executor, tenantId, 'gateways', gatewayId);
  const serviceId = route.body['service_id'];
  const service =
    typeof serviceId === 'string' ? await store.get(executor, tenantId, 'services', serviceId) : undefined;
  const own = gateway?.body['workspace'];
  const workspaceId = gateway?.body['workspace_id'] ?? (isValues(own) ? own['id'] : undefined);
  return {
    tenantId,
    gateway: gateway === undefined ? { id: gatewayId, name: '' } : named(gateway),
    ...(typeof workspaceId === 'string' && { workspaceId }),
    ...(service && { service: named(service) }),
    route: named(route),
  };
}

/** Whether an instance runs for this consumer: some are for one only, or for a group. */
function isFor(
  instances: readonly PluginInstance[],
  instanceId: string,
  consumer: ConsumerOfChain | undefined,
): boolean {
  const { consumer_id: id, consumer_group: group } = instances.find((one) => one.id === instanceId) ?? {};
  if (id !== undefined && id !== null && id !== consumer?.id) return false;
  return group === undefined || group === null || consumer?.groups.includes(group) === true;
}

function notFound(pointer: string, what: string): Problem {
  const errors = [{ pointer, code: 'reference_not_found', message: 'not found' }] as const;
  return new Problem('reference_not_found', `${what} not found`, { errors: [...errors] });
}
