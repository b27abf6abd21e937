import type { PluginLog } from '@portcullis/plugin-runtime';
import { builtInPlugins } from '@portcullis/plugins';
import type { Logger } from 'pino';
import type { System } from './adapters/system.ts';
import type { PluginHost } from './configuration/build-chains.ts';

/** The process as plugins see it. */
export function pluginHost(logger: Logger, { nowMs, monotonicMs, newId }: System): PluginHost {
  return {
    plugins: builtInPlugins,
    clock: { nowMs, monotonicMs },
    newId,
    log: pluginLog(logger),
  };
}

/** A plugin's log as lines of ours. */
export function pluginLog(logger: Logger): PluginLog {
  return {
    warn: (message, details) => logger.warn(details ?? {}, message),
    error: (message, details) => logger.error(details ?? {}, message),
  };
}

/** Name and version of every plugin package, for heartbeats. */
export function pluginVersions(): Record<string, string> {
  return Object.fromEntries(builtInPlugins.map(({ name, version }) => [name, version]));
}
