import { isJsonObject, type JsonObject } from '../../json.ts';
import { UnsupportedRequestError } from '../errors.ts';
import { requestJson } from './json-text.ts';
import { own, SchemaBudget, SchemaSource } from './schema-source.ts';

/** Source: Anthropic, Structured outputs, JSON Schema limitations. */
const formats: ReadonlySet<unknown> = new Set([
  'date',
  'date-time',
  'duration',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'time',
  'uri',
  'uuid',
]);
/** Say nothing to a model. `additionalProperties` is always the same. */
const unsaid: ReadonlySet<string> = new Set([
  '$anchor',
  '$comment',
  '$defs',
  '$id',
  '$schema',
  'additionalProperties',
  'definitions',
]);
/** What may stand beside a reference without being part of what it means. */
const notes: ReadonlySet<string> = new Set([
  ...unsaid,
  '$ref',
  'default',
  'deprecated',
  'description',
  'examples',
  'title',
]);
/** What tells an option of `anyOf` which type it is of. */
const kinds: readonly string[] = ['type', '$ref', 'enum', 'const', 'anyOf', 'oneOf', 'allOf'];

/**
 * A JSON Schema in the subset that Anthropic and Bedrock take for answers: each object is closed, `oneOf` is `anyOf`, `allOf` is one schema,
 * definitions stay references. Keywords beyond the subset become words of the description: the model is told, and not held to them.
 * Source: Anthropic and Amazon Bedrock, Structured outputs.
 * @throws UnsupportedRequestError for a schema that refers to itself or is too large (`SchemaSource`), for values of no type, and for
 * objects whose names are not said: closed, they would always be empty
 */
export function closedSchema(schema: JsonObject): JsonObject {
  return new ClosedSchemaWriter(schema).whole();
}

class ClosedSchemaWriter {
  readonly #root: JsonObject;
  readonly #source: SchemaSource;
  /** Of references, the names under which they are written. */
  readonly #names: Map<string, string> = new Map<string, string>();
  /** By name; `undefined` while it is being written. */
  readonly #definitions: Map<string, JsonObject | undefined> = new Map<string, JsonObject | undefined>();

  constructor(root: JsonObject) {
    this.#root = root;
    this.#source = new SchemaSource(root, new SchemaBudget());
  }

  whole(): JsonObject {
    const written = this.#write(this.#root, 0);
    return this.#definitions.size === 0 ? written : { ...written, $defs: Object.fromEntries(this.#definitions) };
  }

  #write(given: JsonObject, depth: number): JsonObject {
    this.#source.enter(depth);
    const reference = own(given, '$ref');
    if (depth > 0 && typeof reference === 'string' && Object.keys(given).every((name) => notes.has(name))) {
      return { $ref: this.#define(reference, depth) };
    }
    const schema = this.#source.whole(given);
    const written: JsonObject = {};
    /** Keywords that are part of `written`. */
    const told = new Set(['title', 'description']);
    this.#writeKind(schema, written, told, depth);
    if (typeof own(schema, 'title') === 'string') written['title'] = schema['title'];
    const description = descriptionOf(schema, told);
    if (description !== '') written['description'] = description;
    this.#source.chargeTexts([written['title'], description]);
    return written;
  }

  /** @returns a reference to what is written once, however often it is referred to */
  #define(reference: string, depth: number): string {
    let name = this.#names.get(reference);
    if (name === undefined) {
      const target = this.#source.referred(reference);
      name = (reference.split('/').at(-1) ?? '').replaceAll(/[^A-Za-z0-9_-]/g, '_');
      while (name === '' || this.#definitions.has(name)) name += '_';
      this.#names.set(reference, name);
      this.#definitions.set(name, undefined);
      this.#definitions.set(name, this.#write(target, depth + 1));
    } else if (this.#definitions.get(name) === undefined) {
      throw new UnsupportedRequestError('this provider takes no schema that refers to itself');
    }
    this.#source.chargeTexts([name]);
    return `#/$defs/${name}`;
  }

  #writeKind(schema: JsonObject, written: JsonObject, told: Set<string>, depth: number): void {
    if (this.#writeValues(schema, written, told)) return;
    const options = own(schema, 'anyOf') ?? own(schema, 'oneOf');
    const given = own(schema, 'type');
    const isObject = isJsonObject(own(schema, 'properties'));
    if (Array.isArray(options) && options.length > 0 && !isObject) {
      told.add('type').add(Object.hasOwn(schema, 'anyOf') ? 'anyOf' : 'oneOf');
      written['anyOf'] = options.map((option) => this.#write(typed(option, given), depth + 1));
      return;
    }
    told.add('type');
    if (Array.isArray(given)) this.#source.charge(given.length);
    const types = (Array.isArray(given) ? given : [given]).filter((type) => typeof type === 'string');
    if (types.length > 1 && (types.includes('object') || types.includes('array'))) {
      for (const name of Object.keys(schema)) told.add(name);
      written['anyOf'] = types.map((type) => this.#write(ofType(schema, type), depth + 1));
      return;
    }
    const type =
      types[0] ?? (isObject ? 'object' : undefined) ?? (Object.hasOwn(schema, 'items') ? 'array' : undefined);
    if (type === undefined) throw new UnsupportedRequestError('this provider takes no schema of values without a type');
    written['type'] = types.length > 1 ? types : type;
    if (types.includes('string') && formats.has(own(schema, 'format'))) {
      written['format'] = schema['format'];
      told.add('format');
    }
    if (type === 'object') this.#writeObject(schema, written, told, depth);
    if (type === 'array') this.#writeArray(schema, written, told, depth);
  }

  /** Values say which type they are of. @returns whether the schema is one of values */
  #writeValues(schema: JsonObject, written: JsonObject, told: Set<string>): boolean {
    const values = own(schema, 'enum');
    const isConst = Object.hasOwn(schema, 'const') && isPlain(schema['const']);
    if (isConst) written['const'] = schema['const'];
    else if (Array.isArray(values) && values.length > 0 && values.every(isPlain)) {
      this.#source.charge(values.length);
      written['enum'] = values;
    } else return false;
    this.#source.chargeTexts(isConst ? [schema['const']] : Array.isArray(values) ? values : []);
    told.add('type').add(isConst ? 'const' : 'enum');
    return true;
  }

  #writeArray(schema: JsonObject, written: JsonObject, told: Set<string>, depth: number): void {
    const [items, minItems] = [own(schema, 'items'), own(schema, 'minItems')];
    if (isJsonObject(items)) {
      told.add('items');
      written['items'] = this.#write(items, depth + 1);
    }
    if (minItems === 0 || minItems === 1) {
      told.add('minItems');
      written['minItems'] = minItems;
    }
  }

  #writeObject(schema: JsonObject, written: JsonObject, told: Set<string>, depth: number): void {
    const given = own(schema, 'properties');
    const properties = isJsonObject(given) ? given : {};
    const names = Object.keys(properties);
    const additional = own(schema, 'additionalProperties');
    const isOpen = additional === undefined ? given === undefined : additional !== false;
    if (names.length === 0 && isOpen) {
      throw new UnsupportedRequestError('this provider takes no schema of objects whose names are not said');
    }
    this.#source.charge(names.length);
    this.#source.chargeTexts(names);
    const entries = Object.entries(properties).map(([name, property]): readonly [string, JsonObject] => [
      name,
      this.#write(isJsonObject(property) ? property : {}, depth + 1),
    ]);
    // Made of entries, because an assignment to `__proto__` would be none.
    written['properties'] = Object.fromEntries(entries);
    written['additionalProperties'] = false;
    told.add('properties').add('required');
    const required = own(schema, 'required');
    if (!Array.isArray(required)) return;
    this.#source.charge(required.length);
    const known = new Set(required.filter((name) => typeof name === 'string' && Object.hasOwn(properties, name)));
    this.#source.chargeTexts(known);
    if (known.size > 0) written['required'] = [...known];
  }
}

function isPlain(value: unknown): boolean {
  return value === null || typeof value !== 'object';
}

/** An option with the type that is said beside the list. */
function typed(option: unknown, type: unknown): JsonObject {
  const schema = isJsonObject(option) ? option : {};
  return type === undefined || kinds.some((name) => Object.hasOwn(schema, name)) ? schema : { type, ...schema };
}

/** One of several types, without what is told of all. */
function ofType(schema: JsonObject, type: string): JsonObject {
  if (type === 'null') return { type };
  const { title: _title, description: _description, ...rest } = schema;
  return { ...rest, type };
}

function descriptionOf(schema: JsonObject, told: ReadonlySet<string>): string {
  const said = own(schema, 'description');
  const rest = Object.entries(schema).filter(([name]) => !told.has(name) && !unsaid.has(name));
  const pieces = typeof said === 'string' && said !== '' ? [said] : [];
  if (rest.length > 0) pieces.push(`JSON Schema: ${requestJson(Object.fromEntries(rest))}`);
  return pieces.join('\n\n');
}
