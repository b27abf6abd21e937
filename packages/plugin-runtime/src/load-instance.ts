import { silentLog, systemClock, systemId, systemRandom, systemTimers } from './adapters/system-services.ts';
import type { RecordIssue } from './configuration-issue.ts';
import { resolvePolicy } from './execution-policy.ts';
import { guardedEvents, guardedLog, instanceLog } from './guarded-ports.ts';
import { noDataStores, type DataStores } from './data-stores.ts';
import type { InlinePlugin, PluginInstance } from './instance.ts';
import { instanceKey } from './instance-key.ts';
import type { InstanceStore } from './instance-store.ts';
import { noLogFiles, type LogFiles } from './log-files.ts';
import { noOutbound, type Outbound } from './outbound.ts';
import { BODY_TIMEOUT_MS } from './peer-body.ts';
import type { Plugin } from './plugin.ts';
import { noMetrics, type PluginMetrics } from './plugin-metrics.ts';
import { readHooks } from './read-hooks.ts';
import { RunningInstance, describeError, type InstanceHost } from './running-instance.ts';
import type { InstanceIdentity } from './runtime-events.ts';
import type { RuntimeOptions } from './runtime-options.ts';
import { noSecrets, type SecretSource } from './secret-source.ts';
import type { PluginServices } from './services.ts';
import { noSharedStore, type SharedStore } from './shared-store.ts';

/** What all instances of a runtime share, with the defaults filled in. */
export interface LoadContext {
  readonly plugins: ReadonlyMap<string, Plugin>;
  readonly store: InstanceStore;
  readonly host: InstanceHost;
  readonly random: () => number;
  readonly newId: () => string;
  readonly outbound: Outbound;
  readonly secrets: SecretSource;
  readonly sharedStore: SharedStore;
  readonly dataStores: DataStores;
  readonly logFilesOf: (tenantId: string) => LogFiles;
  readonly metricsOf: (instance: InstanceIdentity) => PluginMetrics;
}

/** The context of a runtime's options. */
export function loadContext(
  options: RuntimeOptions,
  plugins: ReadonlyMap<string, Plugin>,
  store: InstanceStore,
): LoadContext {
  return {
    plugins,
    store,
    host: {
      clock: options.clock ?? systemClock,
      timers: options.timers ?? systemTimers,
      log: guardedLog(options.log ?? silentLog),
      events: guardedEvents(options.events ?? {}),
      bodyTimeoutMs: options.bodyTimeoutMs ?? BODY_TIMEOUT_MS,
    },
    random: options.random ?? systemRandom,
    newId: options.newId ?? systemId,
    outbound: options.outbound ?? noOutbound,
    secrets: options.secrets ?? noSecrets,
    sharedStore: options.sharedStore ?? noSharedStore,
    dataStores: options.dataStores ?? noDataStores,
    logFilesOf: options.logFilesOf ?? (() => noLogFiles),
    metricsOf: options.metricsOf ?? (() => noMetrics),
  };
}

/**
 * Sets an instance up, or takes over the one that runs. The record must have been checked without issues.
 * What goes wrong in the plugin's `setup` is an issue; the error is logged and not shown, since it may quote the config.
 */
export function loadInstance(
  context: LoadContext,
  source: 'collection' | 'inline',
  record: PluginInstance | InlinePlugin,
  id: string,
  tenantId: string,
): RunningInstance | RecordIssue {
  const plugin = context.plugins.get(record.name);
  if (plugin === undefined) throw new Error(`no plugin named ${record.name}: check records before loading them`);
  const identity = Object.freeze({ id, name: plugin.name, tenantId });
  try {
    return context.store.obtain(instanceKey(source, id, tenantId, plugin, record), plugin, () => {
      const compiled = plugin.compile(record.config);
      if (!compiled.ok) throw new Error(`the config of ${id} is not valid: check records before loading them`);
      const { host, random, newId, outbound, secrets, sharedStore, dataStores } = context;
      const { clock, timers } = host;
      const log = instanceLog(host.log, identity);
      const services: PluginServices = {
        ...{ clock, timers, log, random, newId, outbound, secrets, sharedStore, dataStores },
        logFiles: context.logFilesOf(tenantId),
        metrics: context.metricsOf(identity),
        instance: identity,
      };
      const hooks = readHooks(compiled.setup(services));
      const policy = resolvePolicy(record.execution ?? {}, plugin.category, hooks.failsClosed);
      return new RunningInstance(identity, plugin, hooks, policy, host);
    });
  } catch (error) {
    context.host.log.error('a plugin could not be set up', {
      plugin: plugin.name,
      instance: id,
      error: describeError(error),
    });
    return { pointer: '', code: 'setup_failed', message: 'the plugin could not be set up with this config' };
  }
}
