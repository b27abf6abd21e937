import { checkInstance, pluginsByName, type ConfigurationIssue } from './check-instance.ts';
import type { LoadedInstance } from './collection-index.ts';
import { PluginConfigurationError } from './errors.ts';
import type { PluginInstance } from './instance.ts';
import { InstanceStore } from './instance-store.ts';
import { loadContext, loadInstance, type LoadContext } from './load-instance.ts';
import type { RuntimeOptions } from './runtime-options.ts';
import { Runtime } from './runtime.ts';

/** A runtime, or every mistake of its instances: a configuration is taken whole or not at all. */
export type RuntimeBuild =
  | { readonly ok: true; readonly runtime: Runtime }
  | { readonly ok: false; readonly issues: readonly ConfigurationIssue[] };

/**
 * Checks all enabled instances and sets them up. When anything is wrong nothing stays set up, and all mistakes are listed.
 * @throws TypeError when two plugins have one name
 */
export function buildRuntime(options: RuntimeOptions): RuntimeBuild {
  const store = new InstanceStore(options.previous?.store);
  const context = loadContext(options, pluginsByName(options.plugins), store);
  const enabled = (options.instances ?? [])
    .map((record, index) => ({ record, index }))
    .filter(({ record }) => record.enabled !== false);
  const issues = [...duplicates(enabled), ...enabled.flatMap((one) => issuesOf(context, one))];
  const loaded = issues.length > 0 ? [] : load(context, enabled, options.tenantId ?? '', issues);
  if (issues.length === 0) return { ok: true, runtime: new Runtime(options, context, loaded) };
  store.releaseAll();
  return { ok: false, issues };
}

/**
 * Makes a runtime of plugins and instances.
 * @throws PluginConfigurationError listing every instance that cannot be loaded
 */
export function createRuntime(options: RuntimeOptions): Runtime {
  const build = buildRuntime(options);
  if (build.ok) return build.runtime;
  throw new PluginConfigurationError(build.issues);
}

interface IndexedRecord {
  readonly record: PluginInstance;
  readonly index: number;
}

function load(
  context: LoadContext,
  records: readonly IndexedRecord[],
  tenantId: string,
  issues: ConfigurationIssue[],
): readonly LoadedInstance[] {
  return records.flatMap(({ record, index }) => {
    const running = loadInstance(context, record, record.id, record.tenant_id ?? tenantId);
    if ('code' in running) {
      issues.push({ ...placeOf({ record, index }), ...running });
      return [];
    }
    const order = { priority: record.priority ?? 0, name: record.name, id: record.id, position: index };
    return [{ record, running, order }];
  });
}

function issuesOf(context: LoadContext, one: IndexedRecord): readonly ConfigurationIssue[] {
  return checkInstance(context.plugins, one.record).map((issue) => ({ ...placeOf(one), ...issue }));
}

function duplicates(records: readonly IndexedRecord[]): readonly ConfigurationIssue[] {
  const seen = new Set<string>();
  return records.flatMap((one) => {
    const { id } = one.record;
    if (!seen.has(id)) {
      seen.add(id);
      return [];
    }
    return [{ ...placeOf(one), pointer: '/id', code: 'duplicate_id', message: 'another instance has this id' }];
  });
}

function placeOf({ record, index }: IndexedRecord): Pick<ConfigurationIssue, 'source' | 'index' | 'id' | 'name'> {
  return { source: 'collection', index, id: record.id, name: record.name };
}
