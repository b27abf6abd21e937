import { isObject } from '@portcullis/openapi';
import type { JsonObject, Referred } from '@portcullis/openapi';
import type { NamedType, SdkUnion } from '../../model/named-types.ts';
import type { TypeRef } from '../../model/type-refs.ts';
import { joinedWords } from '../../names/joined-words.ts';
import { UniqueWords } from '../../names/unique-words.ts';
import type { Words } from '../../names/words.ts';
import { compositionOf, type Choice } from './composition.ts';
import { discriminatorOf, withTags, type Discriminator, type PlacedVariant } from './discriminators.ts';
import { enumValues } from './enum-values.ts';
import { namedAfter } from './object-members.ts';
import { reducedVariants } from './reduce-variants.ts';
import { anyType, nullable, withoutNull } from './scalar-types.ts';
import type { SchemaSource } from './schema-source.ts';
import { typesOf, valuesOf } from './schema-view.ts';
import type { TypeBuilder } from './type-builder.ts';
import type { TypeRegistry } from './type-registry.ts';
import { leavesOf, type Leaf, type Subtypes } from './variants.ts';

/** One schema of a union, and how its type is found. */
interface Candidate {
  readonly places: readonly string[];
  readonly type: () => TypeRef;
}

/** A union that was built, and what tells its variants apart. */
interface Built {
  readonly placed: readonly PlacedVariant[];
  readonly discriminator: Discriminator | undefined;
}

/** Makes unions of choices, lists of types, and bases with a discriminator. */
export class UnionBuilder {
  readonly #builder: TypeBuilder;
  readonly #source: SchemaSource;
  readonly #types: TypeRegistry;
  /** Places that turned out to be no union after all. */
  readonly #collapsed = new Set<string>();

  constructor(builder: TypeBuilder, source: SchemaSource, types: TypeRegistry) {
    this.#builder = builder;
    this.#source = source;
    this.#types = types;
  }

  /** @param base what all variants have */
  ofChoice(place: Referred, base: readonly Referred[], choice: Choice, words: Words): TypeRef {
    const { leaves, takesNull } = leavesOf(this.#source, choice);
    const candidates = leaves.map((leaf): Candidate => ({
      places: leaf.places,
      type: () => this.#leafType(leaf, place, base, joinedWords(words, leaf.words)),
    }));
    const type =
      this.#oneEnum(place, leaves, words) ??
      this.#union(place, candidates, discriminatorOf(this.#source, choice.discriminator), words);
    return takesNull ? nullable(type) : type;
  }

  /** A value of several declared types. */
  ofTypes(place: Referred, parts: readonly Referred[], types: readonly string[], words: Words): TypeRef {
    const candidates = types.map((type): Candidate => ({
      places: [],
      type: () =>
        this.#builder.single(
          { ...place, pointer: `${place.pointer}|${type}` },
          type,
          parts,
          joinedWords(words, [type]),
        ),
    }));
    return this.#union(place, candidates, undefined, words);
  }

  /** A base and what extends it. */
  ofSubtypes(place: Referred, { members, discriminator }: Subtypes, words: Words): TypeRef {
    const { leaves } = leavesOf(this.#source, { pointer: place.pointer, members, discriminator: undefined });
    const candidates = leaves
      .filter(({ pointer, isBase }) => !(isBase && pointer === place.pointer))
      .map((leaf): Candidate => ({
        places: leaf.places,
        type: () => this.#leafType(leaf, place, [], joinedWords(words, leaf.words)),
      }));
    // Last: it fits whatever fits one of the others.
    const own: Candidate = { places: [place.pointer], type: () => this.#baseType(place, words) };
    return this.#union(place, [...candidates, own], discriminator, words);
  }

  #leafType(leaf: Leaf, place: Referred, base: readonly Referred[], words: Words): TypeRef {
    if (leaf.isBase && isObject(leaf.schema)) {
      const own = this.#types.wordsAt(leaf.pointer);
      return this.#baseType({ value: leaf.schema, pointer: leaf.pointer }, own ?? words);
    }
    if (base.length === 0) return this.#builder.typeOf(leaf.schema, leaf.pointer, words);
    if (!isObject(leaf.schema)) return anyType;
    const composed = compositionOf(this.#source, { value: leaf.schema, pointer: leaf.pointer });
    const at = leaf.places[0] ?? leaf.pointer;
    const name = this.#types.wordsAt(at);
    if (composed.choices.length > 0)
      this.#source.findings.warn(leaf.pointer, 'has a choice beside that of its parent, which is not in the type');
    const variantWords =
      name === undefined ? words : joinedWords(name, this.#types.wordsAt(place.pointer) ?? words.slice(0, 2));
    return this.#builder.objectOf(`${place.pointer}|${at}`, leaf.schema, [...base, ...composed.parts], variantWords);
  }

  #baseType(place: Referred, words: Words): TypeRef {
    const { parts } = compositionOf(this.#source, place);
    return this.#builder.objectOf(`${place.pointer}|base`, place.value, parts, joinedWords(words, ['base']));
  }

  /** `oneOf: [{ const: a }, { const: b }]` is how JSON Schema describes the values of an enum. */
  #oneEnum(place: Referred, leaves: readonly Leaf[], words: Words): TypeRef | undefined {
    if (leaves.length < 2) return undefined;
    const listed = leaves.map(({ schema }) => (isInlineEnum(schema) ? valuesOf(schema) : undefined));
    if (listed.includes(undefined)) return undefined;
    const known = enumValues(listed.flatMap((values) => values ?? []));
    if (known === undefined || !this.#types.count(known.values.length)) return undefined;
    const id = place.pointer;
    return this.#types.define(id, words, (unique) => ({
      kind: 'enum',
      id,
      words: unique,
      ...namedAfter(place.value),
      ...known,
    }));
  }

  #union(
    place: Referred,
    candidates: readonly Candidate[],
    discriminator: Discriminator | undefined,
    words: Words,
  ): TypeRef {
    const id = place.pointer;
    const open = this.#builder.openAt(id);
    const before = this.#builder.knownCount;
    if (candidates.length > 1 && !this.#collapsed.has(id)) open.type = { kind: 'named', id };
    const found = candidates.map(({ places, type }) => ({ places, type: type() }));
    const takesNull = found.some(({ type }) => type.kind === 'nullable');
    const isSelf = (type: TypeRef): boolean =>
      type.kind === 'named' && type.id === id && this.#types.get(id) === undefined;
    const types = found.map(({ type }) => withoutNull(type)).filter((type) => !isSelf(type));
    const variants = reducedVariants(this.#types, types);
    if (variants.length > 1) {
      const union = this.#define(place, variants, found, discriminator, words);
      return takesNull ? nullable(union) : union;
    }
    if (open.type !== undefined && open.isUsed) {
      this.#collapsed.add(id);
      open.type = undefined;
      this.#builder.forget(before);
      return this.#union(place, candidates, discriminator, words);
    }
    const only = variants[0] ?? anyType;
    return takesNull ? nullable(only) : only;
  }

  #define(
    place: Referred,
    variants: readonly TypeRef[],
    found: readonly { readonly places: readonly string[]; readonly type: TypeRef }[],
    discriminator: Discriminator | undefined,
    words: Words,
  ): TypeRef {
    const id = place.pointer;
    const build = (own: Words): SdkUnion => {
      const unique = new UniqueWords();
      const named = this.#types.count(variants.length) ? variants : variants.slice(0, 2);
      return {
        kind: 'union',
        id,
        words: own,
        ...namedAfter(place.value),
        variants: named.map((type) => ({ words: unique.take(this.#variantWords(type)), type, tags: [] })),
        discriminator: undefined,
      };
    };
    const type = this.#types.define(id, words, build);
    const union = this.#types.unionAt(id);
    const places = new Map<string, string[]>();
    for (const one of found) {
      const key = JSON.stringify(withoutNull(one.type));
      places.set(key, [...(places.get(key) ?? []), ...one.places]);
    }
    const placed = (union?.variants ?? []).map((variant) => ({
      variant,
      places: places.get(JSON.stringify(variant.type)) ?? [],
    }));
    this.#built.set(id, { placed, discriminator });
    return type;
  }

  readonly #built = new Map<string, Built>();

  /** The unions of a finished model with the values that mean their variants. */
  withTags(type: NamedType): NamedType {
    const built = type.kind === 'union' ? this.#built.get(type.id) : undefined;
    if (type.kind !== 'union' || built === undefined) return type;
    return withTags(this.#source, type, built.placed, built.discriminator, (id) => this.#types.get(id));
  }

  #variantWords(type: TypeRef): Words {
    switch (type.kind) {
      case 'named':
        return this.#types.wordsOf(type.id) ?? ['value'];
      case 'list':
        return joinedWords(this.#variantWords(type.items), ['list']);
      case 'map':
        return joinedWords(this.#variantWords(type.values), ['map']);
      case 'nullable':
        return this.#variantWords(type.type);
      case 'dateTime':
        return ['date', 'time'];
      default:
        return [type.kind];
    }
  }
}

function isInlineEnum(schema: unknown): schema is JsonObject {
  return (
    isObject(schema) &&
    valuesOf(schema) !== undefined &&
    typesOf(schema).every((type) => type !== 'object' && type !== 'array')
  );
}
