import type { Family } from '@portcullis/resources';

/** Where a family's collection and records answer. Source: spec, Administration endpoint families; design, Paths. */
export function collectionPaths(family: Family): readonly string[] {
  if (family.collectionPaths) return family.collectionPaths;
  return [family.scope === 'gateway' ? `/admin/gateways/{gateway_id}/${family.name}` : `/admin/${family.name}`];
}

/** The path parameter that names one record of the family. */
export function recordParameter(family: Family): string {
  return family.parameter ?? `${family.singular}_id`;
}

/** Where one record answers. */
export function recordPaths(family: Family, suffix = ''): readonly string[] {
  return collectionPaths(family).map((path) => `${path}/{${recordParameter(family)}}${suffix}`);
}
