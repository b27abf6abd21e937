import { driverNames } from '@portcullis/integrations';
import { Counter, type Registry } from 'prom-client';

/** Takes down what syncs came to. */
export interface SyncMetrics {
  /** @param outcome `success`, or the code of the failure */
  ended(driver: string, outcome: string): void;
}

/** Metrics of syncs. No label names a tenant: their number is not bounded; drivers and codes are. */
export function createSyncMetrics(registry: Registry): SyncMetrics {
  const syncs = new Counter({
    name: 'portcullis_integration_syncs_total',
    help: 'Syncs of integrations that ended, by driver and what came of them',
    labelNames: ['driver', 'outcome'],
    registers: [registry],
  });
  // A rate over a counter that is not there yet is no rate: successes begin at 0.
  for (const driver of driverNames) syncs.labels(driver, 'success').inc(0);
  return { ended: (driver, outcome) => syncs.labels(driver, outcome).inc() };
}
