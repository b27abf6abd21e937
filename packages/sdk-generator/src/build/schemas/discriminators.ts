import { fieldOf, isObject, pointerTo, textField } from '@portcullis/openapi';
import type { Referred } from '@portcullis/openapi';
import type { NamedType, SdkObject, SdkUnion, SdkVariant } from '../../model/named-types.ts';
import type { SchemaSource } from './schema-source.ts';

/** What a description says of how the variants of a union are told apart. */
export interface Discriminator {
  readonly pointer: string;
  readonly propertyName: string;
  /** Values, by the place of the schema that they mean. */
  readonly tagsByPlace: ReadonlyMap<string, readonly string[]>;
}

/** Reads a discriminator object. Values of its mapping are references, or names of components. */
export function discriminatorOf(source: SchemaSource, given: Referred | undefined): Discriminator | undefined {
  const propertyName = given && textField(given.value, 'propertyName');
  if (given === undefined || propertyName === undefined) return undefined;
  const mapping = fieldOf(given.value, 'mapping');
  const tagsByPlace = new Map<string, string[]>();
  for (const [tag, target] of isObject(mapping) ? Object.entries(mapping) : []) {
    const pointer = pointerTo(pointerTo(given.pointer, 'mapping'), tag);
    const place = typeof target === 'string' ? placeOf(source, target, pointer) : undefined;
    if (place === undefined || !tag.isWellFormed())
      source.findings.warn(pointer, 'leads to no schema of this description, and is left out');
    else tagsByPlace.set(place, [...(tagsByPlace.get(place) ?? []), tag]);
  }
  return { pointer: given.pointer, propertyName, tagsByPlace };
}

function placeOf(source: SchemaSource, target: string, pointer: string): string | undefined {
  const isName = Object.hasOwn(source.components, target);
  if (!isName && !target.startsWith('#/')) return undefined;
  const reference = isName ? `#${encodeURI(source.pointerOf(target))}` : target;
  return source.refer({ $ref: reference }, pointer)?.pointer;
}

/** A variant with where its schema stands, before it is known whether all of them can be told apart. */
export interface PlacedVariant {
  readonly variant: SdkVariant;
  readonly places: readonly string[];
}

/**
 * A union with the values that mean its variants: those of the mapping, else the name of the component, else the only value that the
 * variant's property may have. Where a variant has none, or is no object, structure has to tell.
 */
export function withTags(
  source: SchemaSource,
  union: SdkUnion,
  placed: readonly PlacedVariant[],
  given: Discriminator | undefined,
  typeAt: (id: string) => NamedType | undefined,
): SdkUnion {
  const objects = placed.map(({ variant }) => objectOf(variant, typeAt));
  if (objects.includes(undefined)) {
    if (given)
      source.findings.warn(given.pointer, 'is left out, because not all variants are objects with known fields');
    return union;
  }
  const known = objects.filter((type) => type !== undefined);
  const name = given?.propertyName ?? commonTagName(known, typeAt);
  if (name === undefined) return union;
  if (!known.every(({ properties }) => properties.some(({ wireName }) => wireName === name))) {
    if (given) source.findings.warn(given.pointer, 'is left out, because not all variants have its property');
    return union;
  }
  const taken = new Set<string>();
  const variants = placed.map(({ variant, places }, index): SdkVariant => {
    const tags = tagsOf(source, places, given, known[index], name, typeAt).filter((tag) => !taken.has(tag));
    for (const tag of tags) taken.add(tag);
    return { ...variant, tags: [...new Set(tags)] };
  });
  if (variants.every(({ tags }) => tags.length > 0)) return { ...union, variants, discriminator: name };
  if (given) source.findings.warn(given.pointer, 'is left out, because it does not tell all variants apart');
  return union;
}

function objectOf({ type }: SdkVariant, typeAt: (id: string) => NamedType | undefined): SdkObject | undefined {
  const named = type.kind === 'named' ? typeAt(type.id) : undefined;
  return named?.kind === 'object' ? named : undefined;
}

function tagsOf(
  source: SchemaSource,
  places: readonly string[],
  given: Discriminator | undefined,
  object: SdkObject | undefined,
  name: string,
  typeAt: (id: string) => NamedType | undefined,
): readonly string[] {
  const mapped = places.flatMap((place) => given?.tagsByPlace.get(place) ?? []);
  if (mapped.length > 0) return mapped;
  const constant = object && onlyValues(object, name, typeAt);
  if (constant !== undefined) return constant;
  if (given === undefined) return [];
  return places.flatMap((place) => source.componentAt(place) ?? []).filter((tag) => tag.isWellFormed());
}

/** A required field that has one known value in every variant, another one in each: as good as a discriminator. */
function commonTagName(
  objects: readonly SdkObject[],
  typeAt: (id: string) => NamedType | undefined,
): string | undefined {
  return objects[0]?.properties.find(({ wireName }) => {
    const values = objects.map((object) => {
      const isRequired = object.properties.some((one) => one.wireName === wireName && one.isRequired);
      return isRequired ? onlyValues(object, wireName, typeAt)?.[0] : undefined;
    });
    return !values.includes(undefined) && new Set(values).size === values.length;
  })?.wireName;
}

function onlyValues(
  object: SdkObject,
  name: string,
  typeAt: (id: string) => NamedType | undefined,
): readonly string[] | undefined {
  const type = object.properties.find(({ wireName }) => wireName === name)?.type;
  const named = type?.kind === 'named' ? typeAt(type.id) : undefined;
  if (named?.kind !== 'enum' || named.base !== 'string') return undefined;
  const values = named.values.map(({ value }) => String(value));
  return values.length === 1 ? values : undefined;
}
