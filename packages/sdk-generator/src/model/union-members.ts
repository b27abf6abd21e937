import type { NamedType, SdkObject, SdkProperty, SdkUnion } from './named-types.ts';

/** The unions that a named type is one of, by its ID: for languages in which a class says so. */
export type UnionsOf = ReadonlyMap<string, readonly SdkUnion[]>;

export function unionsOf(types: readonly NamedType[]): UnionsOf {
  const unions = new Map<string, SdkUnion[]>();
  for (const union of types.filter((type) => type.kind === 'union')) {
    for (const id of new Set(union.variants.flatMap(({ type }) => (type.kind === 'named' ? [type.id] : [])))) {
      unions.set(id, [...(unions.get(id) ?? []), union]);
    }
  }
  return unions;
}

/** Fields that tell which one of a union an object is, where it does not list them itself: each with its value. */
export function impliedTags(unions: UnionsOf, object: SdkObject): readonly (readonly [string, string])[] {
  const tags = new Map<string, string>();
  for (const { discriminator, variants } of unions.get(object.id) ?? []) {
    if (discriminator === undefined || object.properties.some(({ wireName }) => wireName === discriminator)) continue;
    const tag = variants.find(({ type }) => type.kind === 'named' && type.id === object.id)?.tags[0];
    if (tag !== undefined && !tags.has(discriminator)) tags.set(discriminator, tag);
  }
  return [...tags];
}

/** What a field says that tells which one of a union the object is, where there is only one thing to say. */
export function onlyTag(unions: UnionsOf, object: SdkObject, property: SdkProperty): string | undefined {
  const tags = new Set(
    (unions.get(object.id) ?? [])
      .filter(({ discriminator }) => discriminator === property.wireName)
      .flatMap(({ variants }) => variants)
      .flatMap(({ type, tags }) => (type.kind === 'named' && type.id === object.id ? tags : [])),
  );
  return tags.size === 1 ? [...tags][0] : undefined;
}
