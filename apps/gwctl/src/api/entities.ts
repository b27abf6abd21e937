import { entityFamilies } from '@portcullis/resources';
import type { Family } from '@portcullis/resources';
import { CommandFailure } from '../failure.ts';
import { mostSimilar } from '../most-similar.ts';
import { pathSegment } from './path-segment.ts';

/** Every name of an entity: the plural, and the singular with hyphens or underscores. */
export function entityNames(family: Family): readonly string[] {
  return [...new Set([family.name, family.singular.replaceAll('_', '-'), family.singular])];
}

/** The family that a word on the command line means. @throws CommandFailure that lists the known ones */
export function entityNamed(word: string | undefined): Family {
  const family = entityFamilies.find((candidate) => word !== undefined && entityNames(candidate).includes(word));
  if (family) return family;
  const known = entityFamilies.map((candidate) => {
    const address = isNamed(candidate) ? 'by ID or name' : 'by ID';
    return `  ${entityNames(candidate).slice(0, 2).join(', ')} (${address})`;
  });
  throw new CommandFailure(word === undefined ? 'which entity?' : `no entity is called ${word}${meant(word)}`, [
    'Entities:',
    ...known,
  ]);
}

/** Whether records of a family can be addressed by a name in place of their ID. */
export function isNamed(family: Family): boolean {
  return family.keys.some((key) => key.addressable);
}

function meant(word: string): string {
  const similar = mostSimilar(word.toLowerCase(), entityFamilies.flatMap(entityNames));
  return similar === undefined ? '' : `; did you mean ${similar}?`;
}

/**
 * How records of a family can be written. The service has operations of its own for installing and removing packages, so
 * the catalogue does not name them.
 */
export function writeMethods(family: Family): Family['methods'] {
  return family.name === 'plugin-packages' ? ['POST', 'DELETE'] : family.methods;
}

/** Path of a family's collection. @param gatewayId needed by families that live in a gateway */
export function collectionPath(family: Family, gatewayId: string | undefined): string {
  if (family.scope === 'gateway') return `${prefix}/gateways/${pathSegment(gatewayId ?? '', 'gateway')}/${family.name}`;
  const declared = family.collectionPaths?.find((path) => path.startsWith('/admin/'));
  return declared === undefined ? `${prefix}/${family.name}` : `/api/v1${declared}`;
}

/**
 * Path of one record, by ID or, where it is unique, by name.
 * @throws CommandFailure for a text that names none
 */
export function recordPath(family: Family, gatewayId: string | undefined, id: string): string {
  return `${collectionPath(family, gatewayId)}/${pathSegment(id, family.singular.replaceAll('_', ' '))}`;
}

const prefix = '/api/v1/admin';

/** The record that a family's records lie in besides the gateway, such as a target's upstream: lists need it. */
export function listParent(family: Family): { readonly field: string; readonly family: string } | undefined {
  if (family.scope !== 'gateway') return undefined;
  const scopes = family.keys.flatMap(({ scope }) => (typeof scope === 'object' ? [scope.field] : []));
  return family.references.find(({ field }) => scopes.includes(field));
}
