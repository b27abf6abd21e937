import type { NamedType, SdkEnum, SdkObject, SdkUnion } from './named-types.ts';
import type { TypeRef } from './type-refs.ts';

/** Named types in each other that an example writes out. */
const depthMax = 4;

/** Characters of one value. What is longer is no example any more. */
const lengthMax = 2000;

/** Types that are neither named nor around others. */
export type ScalarRef = Exclude<TypeRef, { readonly kind: 'list' | 'map' | 'named' | 'nullable' }>;

/** An expression for some value of a type; nothing where an example cannot show any. */
export type SampleOf = (type: TypeRef) => string | undefined;

/** How a language writes values of examples. */
export interface SampleWords {
  readonly scalar: (type: ScalarRef) => string;
  readonly list: (items: TypeRef, item: string | undefined) => string | undefined;
  readonly map: (values: TypeRef, value: string | undefined) => string | undefined;
  /** Where null is a value like others. Else a value that is not null is shown. */
  readonly null?: string;
  readonly enum: (type: SdkEnum) => string | undefined;
  readonly object: (type: SdkObject, sampleOf: SampleOf) => string | undefined;
  /** Where a value does not stand for itself. Else the first variant that can be shown is. */
  readonly union?: (type: SdkUnion, sampleOf: SampleOf) => string | undefined;
}

/** Makes the expressions of one language. Each type is written once for each depth, since types may lead to each other in many ways. */
export function samplesOf(types: ReadonlyMap<string, NamedType>, words: SampleWords): SampleOf {
  const written = new Map<string, string | undefined>();
  const sample = (type: TypeRef, depth: number): string | undefined => {
    switch (type.kind) {
      case 'list':
        return words.list(type.items, sample(type.items, depth));
      case 'map':
        return words.map(type.values, sample(type.values, depth));
      case 'nullable':
        return words.null ?? sample(type.type, depth);
      case 'named':
        return depth < depthMax ? sampleAt(type.id, depth + 1) : undefined;
      default:
        return words.scalar(type);
    }
  };
  const sampleAt = (id: string, depth: number): string | undefined => {
    const key = `${depth} ${id}`;
    if (written.has(key)) return written.get(key);
    const text = named(types.get(id), (inner) => sample(inner, depth));
    const short = text !== undefined && text.length <= lengthMax ? text : undefined;
    written.set(key, short);
    return short;
  };
  const named = (type: NamedType | undefined, sampleOf: SampleOf): string | undefined => {
    if (type?.kind === 'enum') return words.enum(type);
    if (type?.kind === 'object') return words.object(type, sampleOf);
    if (type === undefined || words.union !== undefined) return type && words.union?.(type, sampleOf);
    return firstKnown(type.variants, (variant) => sampleOf(variant.type));
  };
  return (type) => sample(type, 0);
}

/** What is made of all items; nothing where it is missing for one, and then the ones after it are not looked at. */
export function allKnown<Item>(
  items: readonly Item[],
  textOf: (item: Item) => string | undefined,
): readonly string[] | undefined {
  const known: string[] = [];
  for (const item of items) {
    const text = textOf(item);
    if (text === undefined) return undefined;
    known.push(text);
  }
  return known;
}

/** What is made of the first item of which something can be made. */
export function firstKnown<Item>(
  items: readonly Item[],
  textOf: (item: Item) => string | undefined,
): string | undefined {
  for (const item of items) {
    const text = textOf(item);
    if (text !== undefined) return text;
  }
  return undefined;
}
