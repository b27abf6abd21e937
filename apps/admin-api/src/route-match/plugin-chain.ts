import { explainChain, pluginsByName, type ExplainedInstance } from '@portcullis/plugin-runtime';
import { builtInPlugins } from '@portcullis/plugins';
import { effectiveGroups, groupsByMember } from '../consumers/effective-groups.ts';
import type { Executor } from '../database/database.ts';
import { customPlugin } from '../plugins/custom-package.ts';
import { customPackagesNamed } from '../plugins/custom-packages.ts';
import { Problem } from '../http/problem.ts';
import type { ResourceStore, StoredRecord } from '../store/resource-store.ts';
import type { ExplainedRoute, MatchingTable } from './matching-table.ts';

const builtIn = pluginsByName(builtInPlugins);

/** Where plugins and consumers are looked up. */
export interface ChainView {
  readonly store: ResourceStore;
  readonly executor: Executor;
  readonly tenantId: string;
}

/** A consumer, as far as plugins select it. */
export interface ConsumerOfChain {
  readonly id: string;
  readonly groups: readonly string[];
}

/** The plugins of a route in order, each with why it runs or not; `service` is the route's. */
export async function chainOf(
  { store, executor, tenantId }: ChainView,
  table: MatchingTable,
  route: ExplainedRoute,
  service: { readonly id: string; readonly name: string } | undefined,
  consumer: ConsumerOfChain | undefined,
): Promise<readonly ExplainedInstance[]> {
  const names = [...table.instances, ...route.plugins].map(({ name }) => name);
  const custom = await customPackagesNamed(store, executor, tenantId, names);
  const plugins = new Map(builtIn);
  for (const [name, one] of custom)
    plugins.set(
      name,
      customPlugin(one, () => []),
    );
  const { gateway, workspaceId, instances } = table;
  const explained = explainChain(
    { plugins, instances, inline: route.plugins },
    {
      tenantId,
      gateway,
      ...(workspaceId !== undefined && { workspaceId }),
      ...(service && { service: { id: service.id, name: service.name } }),
      route: { id: route.id, name: route.name },
    },
  );
  if (consumer === undefined) return explained;
  const byId = new Map(instances.map((instance) => [instance.id, instance]));
  return explained.map((one) => {
    const instance = one.source === 'collection' ? byId.get(one.id) : undefined;
    if (!one.included || instance === undefined) return one;
    const { consumer_id: id, consumer_group: group } = instance;
    if (id !== undefined && id !== consumer.id) return { ...one, included: false, reason: 'consumer_id is another' };
    if (group !== undefined && !consumer.groups.includes(group)) {
      return { ...one, included: false, reason: 'the consumer is not in the group' };
    }
    return one;
  });
}

/** The consumer that a request is said to come from. @throws Problem when there is none */
export async function consumerOf(
  { store, executor, tenantId }: ChainView,
  consumerId: string | undefined,
): Promise<ConsumerOfChain | undefined> {
  if (consumerId === undefined) return undefined;
  const consumer = await store.get(executor, tenantId, 'consumers', consumerId);
  if (!consumer) {
    throw new Problem('reference_not_found', 'consumer not found', {
      errors: [{ pointer: '/consumer_id', code: 'reference_not_found', message: 'not found' }],
    });
  }
  const groups: StoredRecord[] = [];
  for await (const page of store.scan(executor, tenantId, 'consumer-groups')) groups.push(...page);
  return { id: consumer.id, groups: effectiveGroups(consumer.body['groups'], groupsByMember(groups).get(consumer.id)) };
}
