import { EXECUTION_RANGES, FAILURE_MODES, PRIORITY_RANGE, STAGES } from './execution-policy.ts';
import type { InlinePlugin, PluginInstance } from './instance.ts';
import type { Plugin } from './plugin.ts';
import { SCOPE_SELECTORS } from './scope-matching.ts';
import { STAGE_TRIGGER, isTrigger, supportsTrigger } from './trigger-stages.ts';

/** A mistake in an instance or inline entry: which one, where in it, which rule. No value of a config is ever in it. */
export interface ConfigurationIssue {
  /** Whether `index` counts collection instances or a route's inline entries. */
  readonly source: 'collection' | 'inline';
  readonly index: number;
  /** ID of the instance; empty for an inline entry without one. */
  readonly id: string;
  /** Name of the plugin as the record gives it. */
  readonly name: string;
  /** JSON Pointer into the record, for instance `/config/limit`. */
  readonly pointer: string;
  /** `unknown_plugin`, `unknown_trigger`, `unsupported_trigger`, `unknown_scope`, `selector_required`, `out_of_range`, `unknown_value`, `unknown_field`, `duplicate_id`, `contradiction`, `setup_failed`, or the schema rule of a config. */
  readonly code: string;
  readonly message: string;
}

/** A mistake before it is said in which record it stands. */
export type RecordIssue = Pick<ConfigurationIssue, 'pointer' | 'code' | 'message'>;

/**
 * Every mistake of one collection instance, its config included; empty when it can be loaded. Pure: nothing is set up.
 * A control plane calls it before it stores an instance.
 */
export function checkInstance(plugins: ReadonlyMap<string, Plugin>, instance: PluginInstance): readonly RecordIssue[] {
  return [...checkScope(instance), ...checkCommon(plugins, instance)];
}

/** Every mistake of one inline entry; see {@link checkInstance}. */
export function checkInline(plugins: ReadonlyMap<string, Plugin>, entry: InlinePlugin): readonly RecordIssue[] {
  return [...checkStage(entry), ...checkCommon(plugins, entry)];
}

/** Plugins by name. @throws TypeError when two have one name */
export function pluginsByName(plugins: readonly Plugin[]): ReadonlyMap<string, Plugin> {
  const byName = new Map<string, Plugin>();
  for (const plugin of plugins) {
    if (byName.has(plugin.name)) throw new TypeError(`two plugins are named ${plugin.name}`);
    byName.set(plugin.name, plugin);
  }
  return byName;
}

function checkCommon(plugins: ReadonlyMap<string, Plugin>, record: PluginInstance | InlinePlugin): RecordIssue[] {
  const plugin = plugins.get(record.name);
  const issues = [...checkPriority(record.priority), ...checkExecution(record.execution ?? {})];
  if (record.trigger !== undefined && !isTrigger(record.trigger)) {
    issues.push({ pointer: '/trigger', code: 'unknown_trigger', message: 'is no trigger' });
  }
  if (plugin === undefined) {
    issues.push({ pointer: '/name', code: 'unknown_plugin', message: 'no plugin of this name is installed' });
    return issues;
  }
  issues.push(...checkTrigger(plugin, record));
  const compiled = plugin.compile(record.config);
  if (!compiled.ok) {
    for (const issue of compiled.issues) issues.push({ ...issue, pointer: `/config${issue.pointer}` });
  }
  return issues;
}

function checkTrigger(plugin: Plugin, record: PluginInstance | InlinePlugin): RecordIssue[] {
  const stage = 'stage' in record ? record.stage : undefined;
  const trigger = record.trigger ?? (stage === undefined ? undefined : STAGE_TRIGGER[stage]);
  if (trigger === undefined || !isTrigger(trigger) || supportsTrigger(plugin, trigger)) return [];
  const message = `plugin ${plugin.name} runs on ${plugin.triggers.join(', ')} or all`;
  return [{ pointer: record.trigger === undefined ? '/stage' : '/trigger', code: 'unsupported_trigger', message }];
}

function checkStage(entry: InlinePlugin): RecordIssue[] {
  const { stage, trigger } = entry;
  if (stage === undefined) return [];
  if (!Object.hasOwn(STAGE_TRIGGER, stage)) {
    return [
      { pointer: '/stage', code: 'unknown_value', message: `must be one of ${Object.keys(STAGE_TRIGGER).join(', ')}` },
    ];
  }
  if (trigger === undefined || trigger === STAGE_TRIGGER[stage]) return [];
  return [{ pointer: '/stage', code: 'contradiction', message: 'says another stage than trigger' }];
}

function checkScope(instance: PluginInstance): RecordIssue[] {
  const scope = instance.scope ?? 'tenant';
  if (!Object.hasOwn(SCOPE_SELECTORS, scope)) {
    return [{ pointer: '/scope', code: 'unknown_scope', message: 'is no scope' }];
  }
  const selectors = SCOPE_SELECTORS[scope];
  const isNarrowed = selectors.length === 0 || selectors.some((selector) => instance[selector] !== undefined);
  if (isNarrowed) return [];
  const message = `scope ${scope} needs ${selectors.join(' or ')}`;
  return [{ pointer: `/${selectors[0]}`, code: 'selector_required', message }];
}

function checkPriority(priority: number | undefined): RecordIssue[] {
  return priority === undefined ? [] : checkRange('/priority', priority, PRIORITY_RANGE);
}

function checkExecution(policy: NonNullable<PluginInstance['execution']>): RecordIssue[] {
  const issues: RecordIssue[] = [];
  for (const [field, value] of Object.entries(policy)) {
    const pointer = `/execution/${field}`;
    if (value === undefined) continue;
    if (field === 'hook_timeouts_ms') issues.push(...checkHookTimeouts(value as Record<string, unknown>));
    else if (field === 'failure_mode') {
      if (!FAILURE_MODES.includes(String(value))) {
        issues.push({ pointer, code: 'unknown_value', message: `must be one of ${FAILURE_MODES.join(', ')}` });
      }
    } else if (Object.hasOwn(EXECUTION_RANGES, field)) {
      issues.push(...checkRange(pointer, value, EXECUTION_RANGES[field as keyof typeof EXECUTION_RANGES]));
    } else issues.push({ pointer, code: 'unknown_field', message: 'is no field of an execution policy' });
  }
  return issues;
}

function checkHookTimeouts(timeouts: Readonly<Record<string, unknown>>): RecordIssue[] {
  return Object.entries(timeouts).flatMap(([hook, value]) => {
    const pointer = `/execution/hook_timeouts_ms/${hook}`;
    const isHook = STAGES.some((stage) => stage === hook);
    if (!isHook) return [{ pointer, code: 'unknown_field', message: `must be one of ${STAGES.join(', ')}` }];
    return value === undefined ? [] : checkRange(pointer, value, EXECUTION_RANGES.timeout_ms);
  });
}

function checkRange(
  pointer: string,
  value: unknown,
  range: { readonly min: number; readonly max: number },
): RecordIssue[] {
  if (typeof value === 'number' && Number.isInteger(value) && value >= range.min && value <= range.max) return [];
  return [{ pointer, code: 'out_of_range', message: `must be a whole number from ${range.min} to ${range.max}` }];
}
