import { checkInstance, pluginsByName } from './check-instance.ts';
import { NO_RECORD, placeOf, readRecords } from './check-shape.ts';
import type { LoadedInstance } from './collection-index.ts';
import type { ConfigurationIssue } from './configuration-issue.ts';
import { PluginConfigurationError } from './errors.ts';
import type { PluginInstance } from './instance.ts';
import { InstanceStore } from './instance-store.ts';
import { loadContext, loadInstance, type LoadContext } from './load-instance.ts';
import type { Plugin } from './plugin.ts';
import type { RuntimeOptions } from './runtime-options.ts';
import { Runtime } from './runtime.ts';

/** A runtime, or every mistake of its instances: a configuration is taken whole or not at all. */
export type RuntimeBuild =
  | { readonly ok: true; readonly runtime: Runtime }
  | { readonly ok: false; readonly issues: readonly ConfigurationIssue[] };

/** Lets others run while a runtime with many instances is built. */
export interface BuildSlices {
  /** Whether it is the others' turn. Asked after each instance. */
  readonly isOver: boolean;
  /** Resolves when the next slice may begin. Must not reject. */
  next(): Promise<void>;
}

/**
 * Checks all enabled instances and sets them up. When anything is wrong nothing stays set up, and all mistakes are listed.
 * @throws TypeError when two plugins have one name, or what should be lists are none
 */
export function buildRuntime(options: RuntimeOptions): RuntimeBuild {
  const steps = building(options);
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}

/** As {@link buildRuntime}, in slices of time. The previous runtime must not be disposed meanwhile. */
export async function buildRuntimeInSlices(options: RuntimeOptions, slices: BuildSlices): Promise<RuntimeBuild> {
  const steps = building(options);
  let step = steps.next();
  while (step.done !== true) {
    if (slices.isOver) await slices.next();
    step = steps.next();
  }
  return step.value;
}

/** Yields after each instance that was checked or set up. */
function* building(options: RuntimeOptions): Generator<void, RuntimeBuild, void> {
  const plugins = pluginsByName(options.plugins);
  const issues: ConfigurationIssue[] = [];
  const records: IndexedRecord[] = [];
  for (const { record, index } of readRecords(options.instances ?? [], 'instances')) {
    if (record === undefined) issues.push({ ...placeOf('collection', index, undefined), ...NO_RECORD });
    else records.push({ record, index });
  }
  const enabled = records.filter(({ record }) => record.enabled !== false);
  issues.push(...idIssues(enabled));
  for (const one of enabled) {
    issues.push(...issuesOf(plugins, one));
    yield;
  }
  if (issues.length > 0) return { ok: false, issues };
  const store = new InstanceStore(options.previous?.store);
  const context = loadContext(options, plugins, store);
  const loaded: LoadedInstance[] = [];
  for (const one of enabled) {
    const outcome = load(context, one, options.tenantId ?? '');
    if ('code' in outcome) issues.push(outcome);
    else loaded.push(outcome);
    yield;
  }
  if (issues.length === 0) {
    const instances = records.map(({ record }) => record);
    return { ok: true, runtime: new Runtime({ ...options, instances }, context, loaded) };
  }
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
  { record, index }: IndexedRecord,
  tenantId: string,
): LoadedInstance | ConfigurationIssue {
  const running = loadInstance(context, 'collection', record, record.id, record.tenant_id ?? tenantId);
  if ('code' in running) return { ...placeOf('collection', index, record), ...running };
  const order = { priority: record.priority ?? 0, name: record.name, id: record.id, position: index };
  return { record, running, order };
}

function issuesOf(
  plugins: ReadonlyMap<string, Plugin>,
  { record, index }: IndexedRecord,
): readonly ConfigurationIssue[] {
  const place = placeOf('collection', index, record);
  return checkInstance(plugins, record).map((issue) => ({ ...place, ...issue }));
}

/** An instance needs an ID, and no two have the same. */
function idIssues(records: readonly IndexedRecord[]): readonly ConfigurationIssue[] {
  const seen = new Set<unknown>();
  return records.flatMap(({ record, index }): readonly ConfigurationIssue[] => {
    const place = placeOf('collection', index, record);
    const id: unknown = record.id;
    if (id === undefined) return [{ ...place, pointer: '/id', code: 'required', message: 'must be given' }];
    if (!seen.has(id)) {
      seen.add(id);
      return [];
    }
    return [{ ...place, pointer: '/id', code: 'duplicate_id', message: 'another instance has this id' }];
  });
}
