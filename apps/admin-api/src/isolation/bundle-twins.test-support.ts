import { bundleFamilies } from '@portcullis/resources';
import type { RequestTwins } from './foreign-twins.test-support.ts';
import type { IsolationWorld } from './isolation-world.test-support.ts';
import { bodyFor } from './sample-requests.test-support.ts';

/** Operations that read a bundle and change nothing. */
const previews = [
  '/api/v1/admin/config/validate',
  '/api/v1/admin/config/diff',
  '/api/v1/admin/config/sync?dry_run=true',
];

/** What a bundle is made of: one record, whose ID or references may be the other tenant's. */
export interface BundleTwins extends RequestTwins {
  readonly foreignId: string;
  readonly randomId: string;
}

/** Bundles whose only record has the ID of the other tenant's, and those whose record refers to one. */
export function bundleTwins(world: IsolationWorld): BundleTwins[] {
  const gateway = world.own.records['gateways'];
  return bundleFamilies.flatMap((family) => {
    const place = family.scope === 'gateway' ? { gateway_id: gateway } : {};
    const record = { ...place, ...bodyFor(family.name, world.place(world.own)) };
    const withId = twinsOf(world, family.bundle.key, family.name, (id) => ({ ...record, id }));
    const withReferences = family.references.flatMap(({ field, many, family: target }) =>
      twinsOf(world, family.bundle.key, target, (id) => ({ ...record, [field]: many ? [id] : id })),
    );
    return [...withId, ...withReferences];
  });
}

function twinsOf(
  world: IsolationWorld,
  key: string,
  target: string,
  recordWith: (id: string) => Readonly<Record<string, unknown>>,
): BundleTwins[] {
  const foreignId = world.other.records[target] ?? '';
  const randomId = crypto.randomUUID();
  const bundle = (id: string) => ({ tenant_id: world.own.id, [key]: [recordWith(id)] });
  return previews.map((path) => ({
    title: `POST ${path}: ${key} with the ID of one of the other tenant's ${target}`,
    foreign: { method: 'POST', path, body: bundle(foreignId) },
    random: { method: 'POST', path, body: bundle(randomId) },
    statuses: [200, 422],
    foreignId,
    randomId,
  }));
}
