import type { BundleDescriptor } from './descriptor.ts';
import type { ResourceChange } from './diff-bundles.ts';

/** Changes that may be carried out once those of the levels before are. */
export interface PlanLevel {
  readonly level: number;
  /** To be carried out in this order. */
  readonly changes: readonly ResourceChange[];
}

/**
 * Puts changes into an order in which every record is there before one refers to it: by level, within a level by the
 * descriptor's order, within a collection as given. @throws RangeError for a change of an unknown collection: a bug
 */
export function planChanges(changes: readonly ResourceChange[], descriptor: BundleDescriptor): readonly PlanLevel[] {
  const byCollection = new Map<string, ResourceChange[]>(descriptor.collections.map(({ key }) => [key, []]));
  for (const change of changes) {
    const group = byCollection.get(change.resource_type);
    if (!group) throw new RangeError(`no collection is called ${change.resource_type}`);
    group.push(change);
  }
  const levels = new Map<number, ResourceChange[]>();
  for (const { key, level } of descriptor.collections) {
    const group = byCollection.get(key) ?? [];
    if (group.length === 0) continue;
    levels.set(level, [...(levels.get(level) ?? []), ...group]);
  }
  return [...levels].sort(([left], [right]) => left - right).map(([level, planned]) => ({ level, changes: planned }));
}
