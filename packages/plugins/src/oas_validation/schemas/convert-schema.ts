import { pointerTo, type FollowReferences, type Referred } from '@portcullis/openapi';
import { isKnownFormat } from './formats.ts';
import { isRecord, type Dialect } from './keywords.ts';
import { markedNames, requiredAmong } from './one-way-names.ts';

/** Which way a body goes: `readOnly` properties are not required on the way in, `writeOnly` ones not on the way out. */
export type Direction = 'request' | 'response';

/** How a schema that is converted refers to others. */
export interface ConversionLinks {
  /** A schema that stands for the one at a place. @param notRequired names that it does not require, whatever it says, in order */
  readonly linkTo: (referred: Referred, notRequired: ReadonlySet<string>) => object;
  /** Whether a schema within the one that is converted is to be linked to, too, so that none is compiled at once with thousands of others. */
  readonly isLinked: () => boolean;
}

/** Keywords that are checked apart from Ajv's own, which compare each pair of items, and each listed value in turn. */
export const UNIQUE_KEYWORD = 'portcullisUnique';
export const VALUES_KEYWORD = 'portcullisValues';

/** Keyword that counts how often values come to a schema, in steps that grow with what the schema has beside each other. */
export const STEP_KEYWORD = 'portcullisStep';

/** What a schema may have beside each other for one step. */
const ENTRIES_PER_STEP = 16;

/** Listed values that are compared in turn. More are looked up. */
const VALUES_IN_TURN_MAX = 32;

/** Converts schemas of a description to JSON Schema 2020-12 with no keyword but those of its dialect. They were surveyed before. */
export class SchemaConversion {
  readonly #follow: FollowReferences;
  readonly #dialect: Dialect;
  readonly #direction: Direction;
  readonly #links: ConversionLinks;

  constructor(follow: FollowReferences, dialect: Dialect, direction: Direction, links: ConversionLinks) {
    this.#follow = follow;
    this.#dialect = dialect;
    this.#direction = direction;
    this.#links = links;
  }

  /**
   * @param notRequired names that what is composed with the schema marks as being of the other direction. Source: OpenAPI 3.0.4, 4.7.24.2;
   * in 3.1 the same words are annotations, and mean the same
   */
  convert({ value: schema, pointer }: Referred, notRequired: ReadonlySet<string> = NO_NAMES): object {
    const mark = this.#direction === 'request' ? 'readOnly' : 'writeOnly';
    const free = new Set([...notRequired, ...markedNames({ value: schema, pointer }, this.#follow, mark)]);
    const link = Object.hasOwn(schema, '$ref') ? this.#link(schema, pointer, free) : undefined;
    if (link !== undefined && this.#dialect.is30) return link;
    const entries = Object.entries(schema).flatMap(([keyword, value]) => this.#keyword(pointer, keyword, value, free));
    // From entries, because a property may be called __proto__.
    const converted = Object.fromEntries([...entries, ...this.#step(schema)]);
    if (this.#dialect.is30) return withNull(schema, withExclusive(schema, converted));
    return { ...converted, ...link };
  }

  /** None for schemas that only look at the value itself: they count with what holds them. */
  #step(schema: Referred['value']): readonly (readonly [string, number])[] {
    let entries = 0;
    let isLeaf = true;
    let compared = 0;
    for (const [keyword, value] of Object.entries(schema)) {
      const kind = this.#dialect.keywords.get(keyword);
      if (kind === undefined) continue;
      isLeaf &&= kind !== 'schema' && kind !== 'schemas' && kind !== 'first schemas' && kind !== 'schema map';
      if (keyword === 'const') compared += comparisonSteps([value]);
      if (keyword === 'enum' && !isLookedUp(value as readonly unknown[]))
        compared += comparisonSteps(value as readonly unknown[]);
      if (typeof value === 'object' && value !== null) entries += Object.keys(value).length;
    }
    return isLeaf && entries <= VALUES_IN_TURN_MAX && compared < 1
      ? []
      : [[STEP_KEYWORD, 1 + Math.floor(compared + entries / ENTRIES_PER_STEP)]];
  }

  #link(schema: Referred['value'], pointer: string, free: ReadonlySet<string>): object {
    const referred = this.#follow(schema, pointer);
    return referred === undefined ? {} : this.#linkTo(referred, free);
  }

  /** The same schema may be linked to with and without names: only those that matter to it count. */
  #linkTo(referred: Referred, free: ReadonlySet<string>): object {
    return this.#links.linkTo(referred, requiredAmong(free, referred, this.#follow));
  }

  #keyword(pointer: string, keyword: string, value: unknown, free: ReadonlySet<string>): [string, unknown][] {
    const kind = this.#dialect.keywords.get(keyword);
    const at = pointerTo(pointer, keyword);
    if (kind === undefined) return [];
    if (kind === 'schema') return [[keyword, this.#inner(value, at)]];
    if (kind === 'schemas' || kind === 'first schemas') {
      const list = Array.isArray(value) ? (value as readonly unknown[]) : [];
      if (list.length === 0) return [];
      // All parts of allOf take the same value; of choices each stands for itself.
      const shared = keyword === 'allOf' ? free : NO_NAMES;
      return [[keyword, list.map((inner, index) => this.#inner(inner, pointerTo(at, index), shared))]];
    }
    if (kind === 'schema map') {
      const inner = Object.entries(value as object).map(([name, one]) => [name, this.#inner(one, pointerTo(at, name))]);
      return [[keyword, Object.fromEntries(inner)]];
    }
    if (keyword === 'uniqueItems') return value === true ? [[UNIQUE_KEYWORD, true]] : [];
    if (keyword === 'enum' && isLookedUp(value as readonly unknown[])) return [[VALUES_KEYWORD, value]];
    if (keyword === 'required') return [[keyword, (value as readonly string[]).filter((name) => !free.has(name))]];
    if (keyword === 'format') return isKnownFormat(value as string) ? [[keyword, value]] : [];
    return [[keyword, value]];
  }

  #inner(schema: unknown, pointer: string, free: ReadonlySet<string> = NO_NAMES): unknown {
    if (!isRecord(schema)) return schema;
    const referred = { value: schema, pointer };
    return this.#links.isLinked() ? this.#linkTo(referred, free) : this.convert(referred, free);
  }
}

const NO_NAMES: ReadonlySet<string> = new Set();

/** Texts are compared as a whole, lists and objects value by value. */
function comparisonSteps(values: readonly unknown[]): number {
  let steps = 0;
  for (const value of values) {
    if (typeof value === 'string') steps += value.length / TEXT_PER_STEP;
    else if (typeof value === 'object' && value !== null) steps += JSON.stringify(value).length / JSON_PER_STEP;
  }
  return steps;
}

/** Characters of a listed text, and of a listed object or list as JSON, that are compared in one step. */
const TEXT_PER_STEP = 4096;
const JSON_PER_STEP = 64;

/** Objects and lists are compared in turn: looking one up would mean to write it in one form first, however large it is. */
function isLookedUp(values: readonly unknown[]): boolean {
  return values.length > VALUES_IN_TURN_MAX && values.every((value) => typeof value !== 'object' || value === null);
}

/** `exclusiveMinimum: true` beside `minimum`. Source: OpenAPI 3.0.4, 4.7.24.1. */
function withExclusive(schema: Referred['value'], converted: Readonly<Record<string, unknown>>) {
  const { minimum, maximum, ...rest } = converted;
  return {
    ...rest,
    ...(minimum === undefined
      ? {}
      : { [schema['exclusiveMinimum'] === true ? 'exclusiveMinimum' : 'minimum']: minimum }),
    ...(maximum === undefined
      ? {}
      : { [schema['exclusiveMaximum'] === true ? 'exclusiveMaximum' : 'maximum']: maximum }),
  };
}

/**
 * `nullable`. The specification gives it a meaning beside `type` only; beside `allOf` and `$ref` people mean the same by it, and beside
 * `enum` that null need not be listed.
 */
function withNull(schema: Referred['value'], converted: Readonly<Record<string, unknown>>): object {
  if (schema['nullable'] !== true) return converted;
  const { type, enum: values, [VALUES_KEYWORD]: more } = converted;
  // Not anyOf: what is wrong would be told as its rule, which the description does not have.
  if (typeof type !== 'string' || more !== undefined) return { if: { type: 'null' }, else: converted };
  const listed = Array.isArray(values) ? { enum: [...(values as readonly unknown[]), null] } : {};
  return { ...converted, ...listed, type: [type, 'null'] };
}
