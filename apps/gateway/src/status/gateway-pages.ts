import type { Generation } from '../configuration/generation.ts';
import type { LiveConfiguration } from '../configuration/live-configuration.ts';
import type { RecordSet } from '../configuration/record-set.ts';
import { configPage } from './config-page.ts';
import type { Metrics } from './metrics.ts';
import { probePages } from './probe-pages.ts';
import { routesPage } from './route-explanation.ts';
import type { StatusPages } from './status-pages.ts';

/**
 * All pages of the status port.
 * @param serving what is served; `undefined` also while the process stops
 */
export function gatewayPages(
  serving: () => Generation | undefined,
  live: LiveConfiguration,
  records: () => RecordSet | undefined,
  metrics: Metrics,
): StatusPages {
  return new Map([
    ...probePages(serving, metrics),
    ['/routes', routesPage(serving)] as const,
    ['/config', configPage(() => live.current, records)] as const,
  ]);
}
