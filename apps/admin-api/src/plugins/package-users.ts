import { familyNamed } from '@portcullis/resources';
import type { Family } from '@portcullis/resources';
import type { Executor } from '../database/database.ts';
import type { ResourceStore, StoredRecord } from '../store/resource-store.ts';
import { inlineEntries } from './plugin-behaviour.ts';

/** A record that runs a package: an instance, or a route with an inline entry. */
export interface PackageUser {
  readonly family: Family;
  readonly record: StoredRecord;
  /** JSON Pointers of the records' parts that name the package: empty for an instance. */
  readonly places: readonly string[];
}

/** Everything of a tenant that runs a package, in pages so that memory stays bounded. */
export async function* packageUsers(
  store: ResourceStore,
  executor: Executor,
  tenantId: string,
  name: string,
): AsyncGenerator<PackageUser, void> {
  for (const family of [familyNamed('plugins'), familyNamed('routes')]) {
    for await (const page of store.scan(executor, tenantId, family.name)) {
      for (const record of page) {
        const places = family.name === 'plugins' ? placesOfInstance(record, name) : placesInRoute(record, name);
        if (places.length > 0) yield { family, record, places };
      }
    }
  }
}

/** How answers name such a record. */
export function userLabel({ family, record }: PackageUser): string {
  return `${family.singular} ${record.id}`;
}

function placesOfInstance({ body }: StoredRecord, name: string): string[] {
  return body['name'] === name ? [''] : [];
}

function placesInRoute({ body }: StoredRecord, name: string): string[] {
  return inlineEntries(body).flatMap(([entry, place]) => (entry['name'] === name ? [place] : []));
}
