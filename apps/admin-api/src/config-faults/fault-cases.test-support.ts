import { bundleFamilies } from '@portcullis/resources';
import type { Family } from '@portcullis/resources';
import { collectionPaths } from '../resources/family-paths.ts';
import type { Answer } from '../testing/test-service.test-support.ts';
import { baseId } from './fault-world.test-support.ts';
import type { FaultWorld } from './fault-world.test-support.ts';

/** A write that is disturbed at each of its calls. */
export interface FaultCase {
  readonly name: string;
  /** Brings a tenant that has just been made into the state before the write. @returns the write, which may be tried again */
  prepare(world: FaultWorld, tenantId: string): Promise<() => Promise<Answer>>;
}

const config = '/api/v1/admin/config';

/** Families whose only record may go: nothing that stops it refers to it. */
const removable: ReadonlySet<string> = new Set([
  'vaults',
  'cache-store-configs',
  'ai-records',
  'certificates',
  'realms',
  'snis',
  'consumers',
  'consumer-credentials',
  'consumer-groups',
  'routes',
  'targets',
  'plugins',
]);

/** Create, change and delete of each family that bundles hold. */
const recordCases: readonly FaultCase[] = bundleFamilies.flatMap((family) => [
  {
    name: `create ${family.name}`,
    prepare: async ({ service, freshBodies }, tenantId) => {
      const path = pathOf(family, tenantId);
      return () => service.call('POST', path, freshBodies.get(family.name));
    },
  },
  {
    name: `update ${family.name}`,
    prepare: async ({ service }, tenantId) => {
      const path = pathOf(family, tenantId, baseId(family.name));
      return () => service.call('PATCH', path, { labels: { changed: 'yes' } });
    },
  },
  ...(removable.has(family.name)
    ? [
        {
          name: `delete ${family.name}`,
          prepare: async ({ service }: FaultWorld, tenantId: string) => {
            const path = pathOf(family, tenantId, baseId(family.name));
            return () => service.call('DELETE', path);
          },
        },
      ]
    : []),
]);

function pathOf(family: Family, tenantId: string, id?: string): string {
  const [template = ''] = collectionPaths(family);
  const path = template.replace('{gateway_id}', baseId('gateways'));
  return `/api/v1${path}${id === undefined ? '' : `/${id}`}?tenant_id=${tenantId}`;
}

/** What applies many records at once. */
const bundleCases: readonly FaultCase[] = [
  bundleCase('sync', 'sync?dry_run=false'),
  bundleCase('import', 'import?overwrite=true&snapshot=true'),
  bundleCase('import in parts', 'import?overwrite=true&snapshot=true&atomic=false'),
];

function bundleCase(name: string, path: string): FaultCase {
  return {
    name,
    prepare: async ({ service, bundles }, tenantId) => {
      const document = { tenant_id: tenantId, ...bundles.changed };
      return () => service.call('POST', `${config}/${path}`, document);
    },
  };
}

/** What is about snapshots of a configuration that has changed since. */
const snapshotCases: readonly FaultCase[] = [
  // Each call of it makes one, so the second has to say that it is the first.
  snapshotCase('create a snapshot', '', { method: 'POST', body: { note: 'another' }, key: 'once' }),
  snapshotCase('delete a snapshot', '/{id}', { method: 'DELETE' }),
  ...['exact', 'restore'].map((mode) =>
    snapshotCase(`roll back (${mode})`, '/{id}/rollback', { method: 'POST', body: { mode } }),
  ),
];

function snapshotCase(
  name: string,
  path: string,
  { method, body, key }: { readonly method: string; readonly body?: object; readonly key?: string },
): FaultCase {
  return {
    name,
    prepare: async ({ service, bundles }, tenantId) => {
      const collection = `${config}/snapshots`;
      const query = `?tenant_id=${tenantId}`;
      const taken = await service.call('POST', `${collection}${query}`, { note: 'before' });
      const document = { tenant_id: tenantId, ...bundles.changed };
      const synced = await service.call('POST', `${config}/sync?dry_run=false`, document);
      if (synced.body.status !== 'success') throw new Error(`the sync: ${JSON.stringify(synced.body)}`);
      const url = `${collection}${path.replace('{id}', taken.body.id)}${query}`;
      const headers = key === undefined ? {} : { 'idempotency-key': key };
      return () => service.call(method, url, body, { headers });
    },
  };
}

/** All of them. */
export const faultCases: readonly FaultCase[] = [...recordCases, ...bundleCases, ...snapshotCases];
