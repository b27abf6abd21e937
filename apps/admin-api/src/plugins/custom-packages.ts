import { pluginCatalogue } from '@portcullis/plugins';
import type { Executor } from '../database/database.ts';
import { isValues } from '../resources/values.ts';
import type { Values } from '../resources/values.ts';
import type { ResourceStore, StoredRecord } from '../store/resource-store.ts';
import type { CustomPackage, CustomPackages } from './custom-package.ts';

/** The family that custom packages are stored in; a package's ID is its name. */
export const packageFamily = 'plugin-packages';

/** The custom packages among some names; nothing is asked of the database when all are built in or no names at all. */
export async function customPackagesNamed(
  store: ResourceStore,
  executor: Executor,
  tenantId: string,
  names: readonly unknown[],
): Promise<CustomPackages> {
  const custom = new Set(names.filter((name) => typeof name === 'string' && !pluginCatalogue.has(name)) as string[]);
  // No name of a package is as long as an ID may be.
  const ids = [...custom].filter((name) => name.length <= 64);
  if (ids.length === 0) return new Map();
  const records = await store.getMany(executor, tenantId, packageFamily, ids);
  return new Map(records.map((record) => [record.id, toCustomPackage(record)]));
}

/** A stored package. */
export function toCustomPackage({ id, body }: StoredRecord): CustomPackage {
  const schema = body['config_schema'];
  return { name: id, version: String(body['version']), configSchema: isValues(schema) ? schema : {} };
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
