import { isObject } from './check-execution.ts';
import { checkPlacement } from './check-instance.ts';
import type { InlinePlugin, PluginInstance, Scope } from './instance.ts';
import { compareOrder, type OrderKey } from './instance-order.ts';
import type { Plugin, Stage } from './plugin.ts';
import { mismatchOf, type ChainTarget } from './scope-matching.ts';
import { TRIGGER_STAGES, triggerOf } from './trigger-stages.ts';

/** What a chain is made of, as records. */
export interface ChainRecords {
  readonly plugins: ReadonlyMap<string, Plugin>;
  readonly instances: readonly PluginInstance[];
  readonly inline: readonly InlinePlugin[];
}

/** One instance of an explained chain. */
export interface ExplainedInstance {
  readonly source: 'collection' | 'inline';
  /** Empty for an inline entry without an ID. */
  readonly id: string;
  readonly name: string;
  /** Only collection instances have one. */
  readonly scope?: Scope;
  readonly priority: number;
  /** Stages that the trigger covers; a plugin without a hook for one of them does nothing there. */
  readonly stages: readonly Stage[];
  /** Whether it is in the chain. One for a certain consumer is, and runs when `reason` holds. */
  readonly included: boolean;
  /** Why, in words. */
  readonly reason: string;
}

/**
 * Every instance with the reason why it is in a target's chain or not, in the order of the request stage: the collection by
 * priority, name, ID and position, then the inline entries in the same way. On responses, streams and errors the inline part runs first.
 * Pure: nothing is set up, so a control plane may call it. Configs are not checked.
 */
export function explainChain(records: ChainRecords, target: ChainTarget): readonly ExplainedInstance[] {
  const collection = readable(records.instances).map((instance, position) => ({
    order: orderOf(instance, position),
    explained: explainInstance(records.plugins, instance, target),
  }));
  const inline = readable(records.inline).map((entry, position) => ({
    order: orderOf(entry, position),
    explained: explainInline(records.plugins, entry),
  }));
  return [collection, inline].flatMap((part) =>
    part.toSorted((a, b) => compareOrder(a.order, b.order)).map(({ explained }) => explained),
  );
}

function explainInstance(
  plugins: ReadonlyMap<string, Plugin>,
  instance: PluginInstance,
  target: ChainTarget,
): ExplainedInstance {
  const left = reasonLeftOut(plugins, instance, false) ?? reasonMismatch(instance, target);
  return {
    source: 'collection',
    ...commonOf(plugins, instance),
    scope: instance.scope ?? 'tenant',
    included: left === undefined,
    reason: left ?? reasonIncluded(instance),
  };
}

function explainInline(plugins: ReadonlyMap<string, Plugin>, entry: InlinePlugin): ExplainedInstance {
  const left = reasonLeftOut(plugins, entry, true);
  const reason = left ?? 'stands in the route';
  return { source: 'inline', ...commonOf(plugins, entry), included: left === undefined, reason };
}

function commonOf(
  plugins: ReadonlyMap<string, Plugin>,
  record: PluginInstance | InlinePlugin,
): Pick<ExplainedInstance, 'id' | 'name' | 'priority' | 'stages'> {
  const plugin = plugins.get(record.name);
  const covered: readonly Stage[] | undefined = plugin && TRIGGER_STAGES[triggerOf(record, plugin)];
  const stages = covered ?? [];
  return { id: record.id ?? '', name: record.name, priority: record.priority ?? 0, stages };
}

function reasonLeftOut(
  plugins: ReadonlyMap<string, Plugin>,
  record: PluginInstance | InlinePlugin,
  isInline: boolean,
): string | undefined {
  if (record.enabled === false) return 'is not enabled';
  if (!plugins.has(record.name)) return 'no plugin of this name is installed';
  const [issue] = checkPlacement(record, isInline);
  return issue === undefined ? undefined : `cannot run: ${issue.pointer.slice(1)} ${issue.message}`;
}

function reasonMismatch(instance: PluginInstance, target: ChainTarget): string | undefined {
  const selector = mismatchOf(instance, target);
  return selector === undefined ? undefined : `${selector} is another`;
}

function reasonIncluded({ consumer_id: consumer, consumer_group: group, scope = 'tenant' }: PluginInstance): string {
  const wanted = [
    ...(consumer === undefined ? [] : [`the consumer is ${consumer}`]),
    ...(group === undefined ? [] : [`the consumer is in group ${group}`]),
  ];
  return wanted.length === 0 ? `scope ${scope} matches` : `runs when ${wanted.join(' and ')}`;
}

/** Records may come from anywhere: one that is none is listed as one without a name. */
function readable<Row extends PluginInstance | InlinePlugin>(
  records: readonly Row[],
): readonly (Row | PluginInstance)[] {
  return records.map((record) => (isObject(record) ? record : NO_FIELDS));
}

/** What stands for a record that is none: no plugin has its name. */
const NO_FIELDS: PluginInstance = { id: '', name: '' };

function orderOf(record: PluginInstance | InlinePlugin, position: number): OrderKey {
  return { priority: record.priority ?? 0, name: record.name, id: record.id ?? '', position };
}
