import { apiTokens } from './families/api-tokens.ts';
import { consumerCredentials } from './families/consumer-credentials.ts';
import { consumers } from './families/consumers.ts';
import { dataPlanes } from './families/data-planes.ts';
import { gateways } from './families/gateways.ts';
import { pluginPackages } from './families/plugin-packages.ts';
import { plugins } from './families/plugins.ts';
import { routes } from './families/routes.ts';
import { services } from './families/services.ts';
import { targets } from './families/targets.ts';
import { tenants } from './families/tenants.ts';
import { upstreams } from './families/upstreams.ts';
import { users } from './families/users.ts';
import type { Family } from './family.ts';

/** Every resource family, in the order in which their records can be created. */
export const catalogue: readonly Family[] = [
  tenants,
  users,
  apiTokens,
  pluginPackages,
  gateways,
  consumers,
  upstreams,
  services,
  consumerCredentials,
  routes,
  targets,
  plugins,
  dataPlanes,
];

const byName: ReadonlyMap<string, Family> = new Map(catalogue.map((family) => [family.name, family]));

/** The family of that name, if there is one. */
export function findFamily(name: string): Family | undefined {
  return byName.get(name);
}

/** The family of that name. @throws RangeError for a name that the catalogue does not hold: a bug of the caller */
export function familyNamed(name: string): Family {
  const family = byName.get(name);
  if (!family) throw new RangeError(`no resource family is called ${name}`);
  return family;
}

/** The families of a configuration bundle, in the order in which their records can be created. */
export const bundleFamilies: readonly (Family & Required<Pick<Family, 'bundle'>>)[] = catalogue
  .filter((family): family is Family & Required<Pick<Family, 'bundle'>> => family.bundle !== undefined)
  .toSorted((left, right) => left.bundle.level - right.bundle.level);
