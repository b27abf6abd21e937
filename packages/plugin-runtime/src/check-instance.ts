import { checkExecution, checkRange, isObject } from './check-execution.ts';
import { NO_RECORD, checkNoScope, checkShape } from './check-shape.ts';
import type { RecordIssue } from './configuration-issue.ts';
import { PRIORITY_RANGE } from './execution-policy.ts';
import type { InlinePlugin, PluginInstance } from './instance.ts';
import type { Plugin } from './plugin.ts';
import { SCOPE_SELECTORS } from './scope-matching.ts';
import { STAGE_TRIGGER, isTrigger, supportsTrigger } from './trigger-stages.ts';

/**
 * Every mistake of one collection instance, its config included; empty when it can be loaded. Pure: nothing is set up.
 * A control plane calls it before it stores an instance.
 */
export function checkInstance(plugins: ReadonlyMap<string, Plugin>, instance: PluginInstance): readonly RecordIssue[] {
  if (!isObject(instance)) return [NO_RECORD];
  return [...checkScope(instance), ...checkCommon(plugins, instance)];
}

/** Every mistake of one inline entry; see {@link checkInstance}. */
export function checkInline(plugins: ReadonlyMap<string, Plugin>, entry: InlinePlugin): readonly RecordIssue[] {
  if (!isObject(entry)) return [NO_RECORD];
  return [...checkStage(entry), ...checkNoScope(entry), ...checkCommon(plugins, entry)];
}

/** What is wrong with where and when a record is to run; its config is not looked at. */
export function checkPlacement(record: PluginInstance | InlinePlugin, isInline: boolean): readonly RecordIssue[] {
  if (!isObject(record)) return [NO_RECORD];
  const own = isInline ? [...checkStage(record), ...checkNoScope(record)] : checkScope(record as PluginInstance);
  return record.trigger === undefined || isTrigger(record.trigger) ? own : [...own, UNKNOWN_TRIGGER];
}

/** Plugins by name. @throws TypeError when two have one name, or one was not made by `definePlugin` */
export function pluginsByName(plugins: readonly Plugin[]): ReadonlyMap<string, Plugin> {
  const byName = new Map<string, Plugin>();
  for (const plugin of plugins) {
    if (!isObject(plugin) || typeof plugin.name !== 'string' || typeof plugin.compile !== 'function') {
      throw new TypeError('a plugin is what definePlugin makes');
    }
    if (byName.has(plugin.name)) throw new TypeError(`two plugins are named ${plugin.name}`);
    byName.set(plugin.name, plugin);
  }
  return byName;
}

function checkCommon(
  plugins: ReadonlyMap<string, Plugin>,
  record: PluginInstance | InlinePlugin,
): readonly RecordIssue[] {
  const plugin = plugins.get(record.name);
  const issues: readonly RecordIssue[] = [
    ...checkShape(record),
    ...checkPriority(record.priority),
    ...checkExecution(record.execution),
    ...(record.trigger !== undefined && !isTrigger(record.trigger) ? [UNKNOWN_TRIGGER] : []),
  ];
  // A config may have very many mistakes: as arguments of a call they would exhaust the stack.
  return plugin === undefined
    ? [...issues, UNKNOWN_PLUGIN]
    : [...issues, ...checkTrigger(plugin, record), ...checkConfig(plugin, record.config)];
}

const UNKNOWN_PLUGIN: RecordIssue = {
  pointer: '/name',
  code: 'unknown_plugin',
  message: 'no plugin of this name is installed',
};

const UNKNOWN_TRIGGER: RecordIssue = { pointer: '/trigger', code: 'unknown_trigger', message: 'is no trigger' };

function checkConfig(plugin: Plugin, config: unknown): readonly RecordIssue[] {
  try {
    const compiled = plugin.compile(config);
    return compiled.ok ? [] : compiled.issues.map((issue) => ({ ...issue, pointer: `/config${issue.pointer}` }));
  } catch {
    // What was thrown may quote the config.
    return [{ pointer: '/config', code: 'schema_failed', message: `plugin ${plugin.name} could not check its config` }];
  }
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
  if (typeof stage !== 'string' || !Object.hasOwn(STAGE_TRIGGER, stage)) {
    return [
      { pointer: '/stage', code: 'unknown_value', message: `must be one of ${Object.keys(STAGE_TRIGGER).join(', ')}` },
    ];
  }
  if (trigger === undefined || trigger === STAGE_TRIGGER[stage]) return [];
  return [{ pointer: '/stage', code: 'contradiction', message: 'says another stage than trigger' }];
}

function checkScope(instance: PluginInstance): RecordIssue[] {
  const { scope = 'tenant' } = instance;
  if (typeof scope !== 'string' || !Object.hasOwn(SCOPE_SELECTORS, scope)) {
    return [{ pointer: '/scope', code: 'unknown_scope', message: 'is no scope' }];
  }
  const selectors = SCOPE_SELECTORS[scope];
  const isNarrowed = selectors.length === 0 || selectors.some((selector) => instance[selector] !== undefined);
  if (isNarrowed) return [];
  const message = `scope ${scope} needs ${selectors.join(' or ')}`;
  return [{ pointer: `/${selectors[0]}`, code: 'selector_required', message }];
}

function checkPriority(priority: number | undefined): readonly RecordIssue[] {
  return priority === undefined ? [] : checkRange('/priority', priority, PRIORITY_RANGE);
}
