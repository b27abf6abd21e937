import type {
  DataStores,
  InstanceIdentity,
  LogFiles,
  Outbound,
  Plugin,
  PluginLog,
  PluginMetrics,
  RuntimeEvents,
  SecretSource,
  SharedStore,
} from '@portcullis/plugin-runtime';
import { builtInPlugins } from '@portcullis/plugins';
import { heartbeatLimits } from '@portcullis/resources';
import type { Logger } from 'pino';
import { loadPluginPackages } from './adapters/plugin-packages.ts';
import type { System } from './adapters/system.ts';
import type { PluginHost } from './configuration/plugin-chains.ts';
import { lockable } from './secret-references/lockable-plugin.ts';
import type { Settings } from './settings.ts';

/** The built-in plugins and those of the packages that the settings list. @throws Error for a package that brings none */
export async function installedPlugins({ pluginPackages = [] }: Settings): Promise<readonly Plugin[]> {
  const own = await loadPluginPackages(
    pluginPackages,
    builtInPlugins.map(({ name }) => name),
  );
  return [...builtInPlugins, ...own];
}

/** What plugins reach beside the request: the host gives it. */
export interface PluginReach {
  /** Default: none, every call is refused. */
  readonly outbound?: Outbound;
  /** Default: none, every reference is unknown. */
  readonly secrets?: SecretSource;
  /** What the plugins of a tenant count in with those of other processes and gateways. Default: none, every call fails. */
  readonly sharedStoreOf?: (tenantId: string) => SharedStore;
  /** Databases of the operator's, for all tenants. Default: none. */
  readonly dataStores?: DataStores;
  /** The files that plugins of a tenant append to. Default: none, nothing is opened. */
  readonly logFilesOf?: (tenantId: string) => LogFiles;
  /** What instances count of their own. Default: nobody sees it. */
  readonly metricsOf?: (instance: InstanceIdentity) => PluginMetrics;
}

/** The process as plugins see it. */
export function pluginHost(
  logger: Logger,
  { nowMs, monotonicMs, newId }: System,
  events: RuntimeEvents,
  plugins: readonly Plugin[] = builtInPlugins,
  reach: PluginReach = {},
): PluginHost {
  return {
    plugins: plugins.map(lockable),
    events,
    clock: { nowMs, monotonicMs },
    newId,
    log: pluginLog(logger),
    ...reach,
  };
}

/** A plugin's log as lines of ours. */
export function pluginLog(logger: Logger): PluginLog {
  return {
    debug: (message, details) => logger.debug(details ?? {}, message),
    warn: (message, details) => logger.warn(details ?? {}, message),
    error: (message, details) => logger.error(details ?? {}, message),
  };
}

/** Name and version of every plugin package, up to the bound of heartbeats. */
export function pluginVersions(plugins: readonly Plugin[]): Record<string, string> {
  return Object.fromEntries(
    plugins.slice(0, heartbeatLimits.pluginVersionsMax).map(({ name, version }) => [name, version]),
  );
}
