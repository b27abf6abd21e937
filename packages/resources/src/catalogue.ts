import { aiRecords } from './families/ai-records.ts';
import { apiTokens } from './families/api-tokens.ts';
import { caCertificates } from './families/ca-certificates.ts';
import { cacheStoreConfigs } from './families/cache-store-configs.ts';
import { certificates } from './families/certificates.ts';
import { consumerCredentials } from './families/consumer-credentials.ts';
import { consumerGroups } from './families/consumer-groups.ts';
import { consumers } from './families/consumers.ts';
import { dataPlanes } from './families/data-planes.ts';
import { gateways } from './families/gateways.ts';
import { integrations } from './families/integrations.ts';
import { organizations } from './families/organizations.ts';
import { pluginPackages } from './families/plugin-packages.ts';
import { plugins } from './families/plugins.ts';
import { realms } from './families/realms.ts';
import { routes } from './families/routes.ts';
import { serviceVersions } from './families/service-versions.ts';
import { services } from './families/services.ts';
import { slos } from './families/slos.ts';
import { snis } from './families/snis.ts';
import { targets } from './families/targets.ts';
import { teams } from './families/teams.ts';
import { tenants } from './families/tenants.ts';
import { upstreams } from './families/upstreams.ts';
import { users } from './families/users.ts';
import { vaults } from './families/vaults.ts';
import { workspaces } from './families/workspaces.ts';
import type { Family } from './family.ts';

/** Every resource family, in the order in which their records can be created. */
export const catalogue: readonly Family[] = [
  tenants,
  users,
  organizations,
  teams,
  apiTokens,
  pluginPackages,
  workspaces,
  gateways,
  vaults,
  cacheStoreConfigs,
  aiRecords,
  certificates,
  caCertificates,
  realms,
  consumers,
  upstreams,
  snis,
  services,
  serviceVersions,
  consumerCredentials,
  consumerGroups,
  routes,
  targets,
  plugins,
  dataPlanes,
  slos,
  integrations,
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

/** The families that the command line administers. */
export const entityFamilies: readonly Family[] = catalogue.filter((family) => family.isEntity !== false);

/** The families of a configuration bundle, in the order in which their records can be created. */
export const bundleFamilies: readonly (Family & Required<Pick<Family, 'bundle'>>)[] = catalogue
  .filter((family): family is Family & Required<Pick<Family, 'bundle'>> => family.bundle !== undefined)
  .toSorted((left, right) => left.bundle.level - right.bundle.level);
