import type { NamedType, SdkUnion, SdkVariant } from './named-types.ts';
import type { TypeRef } from './type-refs.ts';

/**
 * The variants of a union in the order in which a value without a (known) discriminator is tried against them: what demands most
 * first, so that a type that takes nearly everything does not hide the others. The order of the description decides between equals.
 * A runtime puts what knows more of the value's own fields before the rest of them: two types without required fields take each other.
 */
export function variantsToTry(types: ReadonlyMap<string, NamedType>, union: SdkUnion): readonly SdkVariant[] {
  return union.variants
    .map((variant) => ({ variant, demand: demandOf(types, variant.type) }))
    .toSorted((left, right) => right.demand - left.demand)
    .map(({ variant }) => variant);
}

/** The types that are one of a union: only of these it matters which fields they know. */
export function variantIds(types: Iterable<NamedType>): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const type of types) {
    if (type.kind !== 'union') continue;
    for (const variant of type.variants) if (variant.type.kind === 'named') ids.add(variant.type.id);
  }
  return ids;
}

const demands = {
  boolean: 8,
  integer: 7,
  number: 6,
  dateTime: 5,
  date: 5,
  bytes: 4,
  list: 3,
  nullable: 3,
  string: 1,
  binary: 1,
  map: 0,
  any: -1,
} as const;

function demandOf(types: ReadonlyMap<string, NamedType>, type: TypeRef): number {
  if (type.kind !== 'named') return demands[type.kind];
  const named = types.get(type.id);
  if (named?.kind === 'enum') return 9;
  if (named?.kind !== 'object') return demands.any;
  return 1 + named.properties.filter(({ isRequired }) => isRequired).length;
}
