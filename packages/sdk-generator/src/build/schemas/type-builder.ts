import { fieldOf, isObject, pointerTo } from '@portcullis/openapi';
import type { JsonObject, Referred } from '@portcullis/openapi';
import type { NamedType, SdkObject } from '../../model/named-types.ts';
import type { TypeRef } from '../../model/type-refs.ts';
import { joinedWords } from '../../names/joined-words.ts';
import type { Words } from '../../names/words.ts';
import { sdkLimits } from '../limits.ts';
import { compositionOf, type Composition } from './composition.ts';
import { enumValues } from './enum-values.ts';
import { additionalOf, mergedProperties, namedAfter, sdkProperties } from './object-members.ts';
import { anyType, nullable, scalarOf, stringType } from './scalar-types.ts';
import type { SchemaSource } from './schema-source.ts';
import { hasShape, isBinary, isMeaningful, schemasOf, takesNull, typesOf, valuesOf } from './schema-view.ts';
import type { TypeRegistry } from './type-registry.ts';
import { UnionBuilder } from './union-builder.ts';
import { hasBase, subtypesOf } from './variants.ts';

/** A schema whose type is being found out. */
interface OpenPlace {
  /** What it is called meanwhile, if it is a union with a name. */
  type: TypeRef | undefined;
  isUsed: boolean;
}

/**
 * Makes types of schemas. A schema of one place has one type, however many refer to it; what is in objects is looked at later, so that
 * only lists, maps and choices stand in each other here.
 */
export class TypeBuilder {
  readonly types: TypeRegistry;
  readonly source: SchemaSource;
  readonly #known = new Map<string, TypeRef>();
  readonly #open = new Map<string, OpenPlace>();
  readonly #unions: UnionBuilder;
  #depth = 0;

  constructor(source: SchemaSource, types: TypeRegistry) {
    this.source = source;
    this.types = types;
    this.#unions = new UnionBuilder(this, source, types);
  }

  /** The type of a schema where it is used. @param words of the name that it gets where it needs one and is no component */
  typeOf(schema: unknown, pointer: string, words: Words): TypeRef {
    if (schema === false) this.source.findings.warn(pointer, 'takes no value at all: any is taken');
    if (!isObject(schema) || !this.source.step()) return anyType;
    if (this.#depth >= sdkLimits.depthMax) {
      this.source.findings.warn(pointer, `nests more than ${sdkLimits.depthMax} types that have no name: any is taken`);
      return anyType;
    }
    this.#depth += 1;
    const type = this.#typeAt(schema, pointer, words);
    this.#depth -= 1;
    return type;
  }

  /** The object that some schemas make together. */
  objectOf(id: string, named: JsonObject, parts: readonly Referred[], words: Words, isOpen = false): TypeRef {
    return this.types.declare(id, words, (unique): NamedType => {
      const merged = mergedProperties(this.source, parts);
      const properties = this.types.count(merged.length + 1) ? merged : [];
      const more = additionalOf(parts);
      const object: SdkObject = {
        kind: 'object',
        id,
        words: unique,
        ...namedAfter(named),
        properties: sdkProperties(this.source, properties, unique, (property, inner) => ({
          type: this.typeOf(property.schema, property.pointer, inner),
          part: undefined,
        })),
        additional: more ? this.typeOf(more.schema, more.pointer, joinedWords(unique, ['value'])) : undefined,
        isForm: false,
      };
      return isOpen ? { ...object, additional: anyType } : object;
    });
  }

  /** All types, with the values that mean the variants of unions. */
  taggedTypes(): readonly NamedType[] {
    return this.types.all.map((type) => this.#unions.withTags(type));
  }

  /** What is known of a place from now on is what is found next: what was found with the name that a union does not get is wrong. */
  forget(known: number): void {
    for (const pointer of [...this.#known.keys()].slice(known)) this.#known.delete(pointer);
  }

  get knownCount(): number {
    return this.#known.size;
  }

  openAt(pointer: string): OpenPlace {
    return this.#open.get(pointer) ?? { type: undefined, isUsed: false };
  }

  #typeAt(schema: JsonObject, pointer: string, words: Words): TypeRef {
    if (fieldOf(schema, '$ref') === undefined) return this.#typeOfPlace({ value: schema, pointer }, words);
    const { $ref: _, ...beside } = schema;
    const isComposed = !this.source.is30 && (hasShape(beside) || schemasOf(beside, 'allOf').length > 0);
    if (isComposed) return this.#typeOfPlace({ value: schema, pointer }, words);
    const referred = this.source.refer(schema, pointer);
    if (referred === undefined) return anyType;
    const type = this.#typeOfPlace(referred, words);
    return takesNull(beside) ? nullable(type) : type;
  }

  #typeOfPlace(place: Referred, words: Words): TypeRef {
    const { pointer } = place;
    const known = this.#known.get(pointer);
    if (known) return known;
    const open = this.#open.get(pointer);
    if (open) {
      open.isUsed = true;
      if (open.type) return open.type;
      this.source.findings.warn(pointer, 'leads back to itself without an object between: any is taken there');
      return anyType;
    }
    this.#open.set(pointer, { type: undefined, isUsed: false });
    const type = this.#build(place, this.types.wordsAt(pointer) ?? words);
    this.#open.delete(pointer);
    this.#known.set(pointer, type);
    return type;
  }

  #build(place: Referred, words: Words): TypeRef {
    const { value, pointer } = place;
    const only = onlyMember(value);
    if (only !== undefined) {
      const at = pointerTo(pointerTo(pointer, 'allOf'), only);
      const type = this.typeOf(schemasOf(value, 'allOf')[only], at, words);
      return takesNull(value) ? nullable(type) : type;
    }
    const subtypes = subtypesOf(this.source, place);
    const composition = compositionOf(this.source, place);
    const type = subtypes ? this.#unions.ofSubtypes(place, subtypes, words) : this.#composed(place, composition, words);
    return composition.takesNull ? nullable(type) : type;
  }

  #composed(place: Referred, { parts, choices }: Composition, words: Words): TypeRef {
    const [choice, ...others] = choices;
    if (choice === undefined) return this.plain(place, parts, words);
    const base = parts.filter(({ value }) => hasBase(value));
    if (others.length === 0) {
      const isObjectBase = base.some(({ value }) => typesOf(value).includes('object'));
      if (base.length === 0 || isObjectBase) return this.#unions.ofChoice(place, base, choice, words);
      return this.plain(place, parts, words);
    }
    const rule = 'puts several choices together: what they say is not in the type';
    this.source.findings.warn(place.pointer, rule);
    return base.length > 0 ? this.objectOf(place.pointer, place.value, base, words, true) : anyType;
  }

  /** The type of schemas that are put together without a choice between them. */
  plain(place: Referred, parts: readonly Referred[], words: Words): TypeRef {
    const { findings } = this.source;
    for (const keyword of ['$dynamicRef', '$recursiveRef']) {
      if (fieldOf(place.value, keyword) !== undefined)
        findings.warn(place.pointer, `has ${keyword}, which is not followed: any is taken`);
    }
    const types = commonTypes(parts.map(({ value }) => typesOf(value)));
    if (types === undefined) {
      findings.warn(place.pointer, 'puts types together that no value has at once: any is taken');
      return anyType;
    }
    const listed = parts.map(({ value }) => valuesOf(value)).findLast((values) => values !== undefined);
    if (listed !== undefined && !types.includes('object') && !types.includes('array')) {
      return this.#listed(place, listed, types, words);
    }
    if (types.length > 1) return this.#unions.ofTypes(place, parts, types, words);
    return types[0] === undefined ? anyType : this.single(place, types[0], parts, words);
  }

  /** The type of schemas of one declared type. */
  single(place: Referred, type: string, parts: readonly Referred[], words: Words): TypeRef {
    if (type === 'object') return this.#objectOrMap(place, parts, words);
    if (type === 'array') return this.#list(place, parts, words);
    if (type === 'string' && parts.some(isBinary)) {
      this.source.findings.warn(place.pointer, 'means raw bytes, which JSON has not: it is a text there');
      return stringType;
    }
    if (type === 'integer' && parts.some(({ value }) => fieldOf(value, 'format') === 'uint64'))
      this.source.findings.warn(
        place.pointer,
        'has the format uint64: languages with integers of 64 bits with a sign refuse larger values',
      );
    const scalar = scalarOf(type, parts);
    if (scalar === undefined)
      this.source.findings.warn(place.pointer, `has the type ${type.slice(0, 40)}, which is not known: any is taken`);
    return scalar ?? anyType;
  }

  #listed(place: Referred, listed: readonly unknown[], types: readonly string[], words: Words): TypeRef {
    const known = this.types.count(listed.length) ? enumValues(listed) : undefined;
    if (known !== undefined) {
      const id = place.pointer;
      return this.types.define(id, words, (unique) => ({
        kind: 'enum',
        id,
        words: unique,
        ...namedAfter(place.value),
        ...known,
      }));
    }
    const values = listed.filter((value) => value !== null);
    if (values.length > 0 && values.every((value) => typeof value === 'boolean')) return { kind: 'boolean' };
    const isText = values.length > 0 && values.every((value) => typeof value === 'string');
    if (values.length > 0)
      this.source.findings.warn(place.pointer, 'lists values that no enum can have: any of their type is taken');
    if (isText) return stringType;
    return types.length === 1 && types[0] !== undefined ? this.single(place, types[0], [], words) : anyType;
  }

  #objectOrMap(place: Referred, parts: readonly Referred[], words: Words): TypeRef {
    const hasFields = parts.some(({ value }) => {
      const [properties, required] = [fieldOf(value, 'properties'), fieldOf(value, 'required')];
      return (
        (isObject(properties) && Object.keys(properties).length > 0) || (Array.isArray(required) && required.length > 0)
      );
    });
    const isClosed =
      parts.some(({ value }) => fieldOf(value, 'additionalProperties') === false) && additionalOf(parts) === undefined;
    if (hasFields || isClosed) return this.objectOf(place.pointer, place.value, parts, words);
    const more = additionalOf(parts);
    const values = more ? this.typeOf(more.schema, more.pointer, joinedWords(words, ['value'])) : anyType;
    return { kind: 'map', values };
  }

  #list(place: Referred, parts: readonly Referred[], words: Words): TypeRef {
    const inner = joinedWords(words, ['item']);
    const first = parts.findLast(({ value }) => fieldOf(value, 'prefixItems') !== undefined);
    if (first) {
      const at = pointerTo(first.pointer, 'prefixItems');
      const rest = fieldOf(first.value, 'items');
      const items = schemasOf(first.value, 'prefixItems').map((schema, index) =>
        this.typeOf(schema, pointerTo(at, index), inner),
      );
      if (rest !== false && rest !== undefined) items.push(this.typeOf(rest, pointerTo(first.pointer, 'items'), inner));
      const [one] = items;
      if (one && items.every((item) => JSON.stringify(item) === JSON.stringify(one)))
        return { kind: 'list', items: one };
      this.source.findings.warn(place.pointer, 'has items of several types by their place: any are taken');
      return { kind: 'list', items: anyType };
    }
    const holder = parts.findLast(({ value }) => isObject(fieldOf(value, 'items')));
    const items = holder
      ? this.typeOf(fieldOf(holder.value, 'items'), pointerTo(holder.pointer, 'items'), inner)
      : anyType;
    return { kind: 'list', items };
  }
}

/** The index of the only member of `allOf` that says anything, where the schema itself says nothing else. */
function onlyMember(schema: JsonObject): number | undefined {
  const { allOf: _, nullable: _nullable, ...beside } = schema;
  const meaningful = schemasOf(schema, 'allOf').flatMap((member, index) => (isMeaningful(member) ? [index] : []));
  const declaresObject = fieldOf(beside, 'type') !== undefined;
  if (meaningful.length !== 1 || fieldOf(beside, 'discriminator') !== undefined) return undefined;
  const { type: _type, ...rest } = beside;
  return isMeaningful(declaresObject ? rest : beside) ? undefined : meaningful[0];
}

/** The types that a value of all parts may have. Parts that declare none take any. */
function commonTypes(declared: readonly (readonly string[])[]): readonly string[] | undefined {
  const [first = [], ...others] = declared.filter((types) => types.length > 0);
  const common = others.reduce((found, types) => {
    const takes = (type: string): boolean => types.includes(type) || (type === 'integer' && types.includes('number'));
    return [
      ...new Set([
        ...found.filter(takes),
        ...(found.includes('number') && types.includes('integer') ? ['integer'] : []),
      ]),
    ];
  }, first);
  return first.length > 0 && common.length === 0 ? undefined : common;
}
