import type { AnyDriver } from './driver.ts';
import { apiRegistry } from './drivers/api_registry/index.ts';
import { cloudApiGateway } from './drivers/cloud_api_gateway/index.ts';
import { incidentAlerting } from './drivers/incident_alerting/index.ts';
import { itServiceManagement } from './drivers/it_service_management/index.ts';
import { logAnalytics } from './drivers/log_analytics/index.ts';

interface Drivers {
  readonly cloud_api_gateway: typeof cloudApiGateway;
  readonly api_registry: typeof apiRegistry;
  readonly it_service_management: typeof itServiceManagement;
  readonly log_analytics: typeof logAnalytics;
  readonly incident_alerting: typeof incidentAlerting;
}

/** The drivers by their names, in the specification's order. */
export const drivers: Drivers = Object.freeze({
  cloud_api_gateway: cloudApiGateway,
  api_registry: apiRegistry,
  it_service_management: itServiceManagement,
  log_analytics: logAnalytics,
  incident_alerting: incidentAlerting,
});

/** The name of a driver. */
export type DriverName = keyof Drivers;

/** The names of {@link drivers}. */
export const driverNames: readonly DriverName[] = Object.freeze(Object.keys(drivers) as DriverName[]);

/** The driver that somebody names, or `undefined`. Names that every object has are none. */
export function findDriver(name: string): AnyDriver | undefined {
  return driverNames.includes(name as DriverName) ? drivers[name as DriverName] : undefined;
}
