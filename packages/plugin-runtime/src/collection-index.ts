import type { PluginInstance } from './instance.ts';
import { compareOrder, type OrderKey } from './instance-order.ts';
import type { RunningInstance } from './running-instance.ts';
import { mismatchOf, type ChainTarget } from './scope-matching.ts';

/** A collection instance that is loaded. */
export interface LoadedInstance {
  readonly record: PluginInstance;
  readonly running: RunningInstance;
  readonly order: OrderKey;
}

/**
 * The collection in its order, indexed so that finding a route's instances does not walk those that belong to other routes
 * and services: thousands of routes are compiled at each change of configuration.
 */
export class CollectionIndex {
  /** Instances that no route or service narrows, in order. */
  readonly #common: readonly LoadedInstance[];
  /** The others by their narrowest selector, as `field` and value. */
  readonly #narrow = new Map<string, LoadedInstance[]>();

  constructor(instances: readonly LoadedInstance[]) {
    const ordered = instances.toSorted((a, b) => compareOrder(a.order, b.order));
    this.#common = ordered.filter(({ record }) => narrowKey(record) === undefined);
    for (const instance of ordered) {
      const key = narrowKey(instance.record);
      if (key === undefined) continue;
      const others = this.#narrow.get(key);
      if (others === undefined) this.#narrow.set(key, [instance]);
      else others.push(instance);
    }
  }

  /** The instances whose selectors a target meets, in order; those for certain consumers are among them. */
  matching(target: ChainTarget): readonly LoadedInstance[] {
    const narrow = this.narrowMatching(target);
    const common = this.#common.filter(({ record }) => mismatchOf(record, target) === undefined);
    if (narrow.length === 0) return common;
    return [...common, ...narrow].toSorted((a, b) => compareOrder(a.order, b.order));
  }

  /** Those of {@link matching} that name a route or a service. Empty: the target has the same chain as its gateway's others. */
  narrowMatching(target: ChainTarget): readonly LoadedInstance[] {
    return targetKeys(target)
      .flatMap((key) => this.#narrow.get(key) ?? [])
      .filter(({ record }) => mismatchOf(record, target) === undefined);
  }
}

function narrowKey(record: PluginInstance): string | undefined {
  if (record.route_id !== undefined) return `route_id ${record.route_id}`;
  if (record.route_name !== undefined) return `route_name ${record.route_name}`;
  if (record.service_id !== undefined) return `service_id ${record.service_id}`;
  return record.service_name === undefined ? undefined : `service_name ${record.service_name}`;
}

function targetKeys({ route, service }: ChainTarget): readonly string[] {
  const keys: string[] = [];
  if (route !== undefined) keys.push(`route_id ${route.id}`, `route_name ${route.name}`);
  if (service !== undefined) keys.push(`service_id ${service.id}`, `service_name ${service.name}`);
  return keys;
}
