import { noDataStores, noLogFiles, noMetrics, type PluginServices } from '@portcullis/plugin-runtime';

/** Services that a plugin under test does not use. */
export const absentPorts: Pick<PluginServices, 'timers' | 'dataStores' | 'logFiles' | 'metrics'> = {
  timers: { set: () => undefined, clear: () => undefined },
  dataStores: noDataStores,
  logFiles: noLogFiles,
  metrics: noMetrics,
};
