import { pluginCatalogue } from '@portcullis/plugins';
import type { Executor } from '../database/database.ts';
import { isValues } from '../resources/values.ts';
import type { Values } from '../resources/values.ts';
import type { ResourceStore, StoredRecord } from '../store/resource-store.ts';
import type { CustomPackage, CustomPackages } from './custom-package.ts';

/** The family that custom packages are stored in. A package's ID is its name unless the caller chose another. */
export const packageFamily = 'plugin-packages';

const nameLengthMax = 64;

/** The custom packages among some names; nothing is asked of the database when all are built in or no names at all. */
export async function customPackagesNamed(
  store: ResourceStore,
  executor: Executor,
  tenantId: string,
  names: readonly unknown[],
): Promise<CustomPackages> {
  const custom = new Set(names.filter((name) => typeof name === 'string' && !pluginCatalogue.has(name)) as string[]);
  // Nothing longer is the name of a package.
  const wanted = [...custom].filter((name) => name.length <= nameLengthMax);
  if (wanted.length === 0) return new Map();
  const key = { keyName: 'name', scope: tenantId };
  const records = await store.findManyByKey(executor, packageFamily, key, wanted);
  return new Map([...records].map(([name, record]) => [name, toCustomPackage(record)]));
}

/** A stored package. */
export function toCustomPackage({ body }: StoredRecord): CustomPackage {
  const schema = body['config_schema'];
  return { name: String(body['name']), version: String(body['version']), configSchema: isValues(schema) ? schema : {} };
}

/** The names of all packages that a bundle's instances and inline entries name, whatever else is in it. */
export function packageNamesIn(document: unknown): string[] {
  if (!isValues(document)) return [];
  const listed = (values: Values, key: string): Values[] => {
    const list = values[key];
    return Array.isArray(list) ? list.filter(isValues) : [];
  };
  const entries = [
    ...listed(document, 'plugins'),
    ...listed(document, 'routes').flatMap((route) => listed(route, 'plugins')),
  ];
  return [...new Set(entries.map((entry) => entry['name']).filter((name) => typeof name === 'string'))];
}
