import { isRecord } from '../schemas/keywords.ts';
import type { FollowReferences, JsonObject, Referred } from '@portcullis/openapi';
import { pointerTo } from '@portcullis/openapi';

/** Levels of `allOf` and references in which the types of a parameter are looked for. */
const LEVELS_MAX = 16;

/** What texts of a parameter may be read as. */
export interface ValueShape {
  /** Types of JSON that the schema takes; `undefined` where it does not say. */
  readonly types: ReadonlySet<string> | undefined;
  /** Of the items of a list. */
  readonly items?: ValueShape;
  /** Of the properties of an object. */
  readonly properties: ReadonlyMap<string, ValueShape>;
}

const UNKNOWN: ValueShape = { types: undefined, properties: new Map() };

/** Finds out what a schema takes, through references, `allOf`, `anyOf` and `oneOf`. */
export function shapeOf(referred: Referred | undefined, follow: FollowReferences, levels = LEVELS_MAX): ValueShape {
  if (referred === undefined || levels === 0) return UNKNOWN;
  const { value: schema, pointer } = referred;
  const inner = (value: unknown, at: string): ValueShape =>
    isRecord(value) ? shapeOf({ value, pointer: at }, follow, levels - 1) : UNKNOWN;
  const lists = (['allOf', 'anyOf', 'oneOf'] as const).flatMap((keyword) => {
    const list: unknown = Object.hasOwn(schema, keyword) ? schema[keyword] : undefined;
    const at = pointerTo(pointer, keyword);
    return Array.isArray(list) ? list.map((one, index) => inner(one, pointerTo(at, index))) : [];
  });
  const link = Object.hasOwn(schema, '$ref') ? follow(schema, pointer) : undefined;
  const others = [...lists, ...(link === undefined ? [] : [shapeOf(link, follow, levels - 1)])];
  const types = ownTypes(schema) ?? joined(others.map((other) => other.types));
  const items = Object.hasOwn(schema, 'items')
    ? inner(schema['items'], pointerTo(pointer, 'items'))
    : others.find((other) => other.items !== undefined)?.items;
  const properties = new Map(others.flatMap((other) => [...other.properties]));
  const own = Object.hasOwn(schema, 'properties') ? schema['properties'] : undefined;
  const place = pointerTo(pointer, 'properties');
  for (const [name, property] of Object.entries(isRecord(own) ? own : {}))
    properties.set(name, inner(property, pointerTo(place, name)));
  return { types, properties, ...(items === undefined ? {} : { items }) };
}

function ownTypes(schema: JsonObject): ReadonlySet<string> | undefined {
  const type = Object.hasOwn(schema, 'type') ? schema['type'] : undefined;
  if (typeof type === 'string') return new Set([type, ...(schema['nullable'] === true ? ['null'] : [])]);
  if (Array.isArray(type)) return new Set(type.filter((one) => typeof one === 'string'));
  const values: unknown = Object.hasOwn(schema, 'enum') ? schema['enum'] : undefined;
  const constant = Object.hasOwn(schema, 'const') ? [schema['const']] : undefined;
  const known = Array.isArray(values) ? (values as readonly unknown[]) : constant;
  return known && new Set(known.map(typeOf));
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function joined(sets: readonly (ReadonlySet<string> | undefined)[]): ReadonlySet<string> | undefined {
  const known = sets.filter((set) => set !== undefined);
  return known.length === 0 ? undefined : new Set(known.flatMap((set) => [...set]));
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** A text as the value that its schema can take it for: a number, true or false, nothing, else the text. */
export function scalarOf(text: string, { types }: ValueShape): unknown {
  if (types === undefined) return text;
  if ((types.has('number') || types.has('integer')) && NUMBER.test(text)) return Number(text);
  if (types.has('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  if (types.has('null') && (text === 'null' || (text === '' && !types.has('string')))) return null;
  return text;
}

/** Whether a schema takes lists, or objects. */
export function takes({ types, items, properties }: ValueShape, type: 'array' | 'object'): boolean {
  if (types !== undefined) return types.has(type);
  return type === 'array' ? items !== undefined : properties.size > 0;
}
