import { driverNames, drivers } from '@portcullis/integrations';

/** The variables that drivers read themselves, such as a cloud's own for its endpoint, out of the service's environment: nothing else of it. */
export function variablesOfDrivers(
  environment: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string | undefined>> {
  const names = driverNames.flatMap((name) => drivers[name].variables);
  return Object.fromEntries(names.map((name) => [name, environment[name]]));
}
