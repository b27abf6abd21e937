import { isJsonObject, type JsonObject } from '../../json.ts';
import { UnsupportedRequestError } from '../errors.ts';

/** Depth of a schema, and its nodes, names and values once references are written out: a schema that refers to itself has no end. */
const SCHEMA_DEPTH_MAX = 48;
const SCHEMA_SIZE_MAX = 20_000;

/** Keywords that mean the same in Gemini's subset. Source: Gemini API, Schema. */
const same = [
  'title',
  'description',
  'nullable',
  'maxItems',
  'minItems',
  'minProperties',
  'maxProperties',
  'minLength',
  'maxLength',
  'pattern',
  'minimum',
  'maximum',
] as const;
const types: ReadonlySet<string> = new Set(['string', 'number', 'integer', 'boolean', 'array', 'object']);
const formats: ReadonlySet<string> = new Set(['date-time', 'enum', 'float', 'double', 'int32', 'int64']);

/**
 * A JSON Schema in the subset that Gemini takes: references are written out, `oneOf` is `anyOf`, one schema in `allOf` is part of the whole,
 * `null` among types is `nullable`, `const` is an `enum` of one. Keywords beyond the subset are left out: the model is told less, and
 * nothing wrong.
 * @throws UnsupportedRequestError for a schema that refers to itself or is too large
 */
export function geminiSchema(schema: JsonObject): JsonObject {
  return new SchemaWriter(schema).write(schema, 0);
}

class SchemaWriter {
  readonly #root: JsonObject;
  #size = 0;

  constructor(root: JsonObject) {
    this.#root = root;
  }

  write(given: JsonObject, depth: number): JsonObject {
    this.#charge(depth > SCHEMA_DEPTH_MAX ? SCHEMA_SIZE_MAX : 1);
    const schema = this.#whole(given);
    const written: JsonObject = {};
    for (const name of same) if (own(schema, name) !== undefined) written[name] = schema[name];
    const format = own(schema, 'format');
    if (typeof format === 'string' && formats.has(format)) written['format'] = format;
    this.#writeType(schema, written, depth);
    this.#writeChoices(schema, written);
    this.#writeMembers(schema, written, depth);
    return written;
  }

  /** Before the work is done, because a reference to something large costs its writer nothing. */
  #charge(size: number): void {
    this.#size += size;
    if (this.#size <= SCHEMA_SIZE_MAX) return;
    throw new UnsupportedRequestError('a schema is too large for this provider, or refers to itself');
  }

  /** With what it refers to, and with all of its `allOf`. */
  #whole(given: JsonObject): JsonObject {
    let schema = given;
    for (let hops = 0; typeof own(schema, '$ref') === 'string'; hops += 1) {
      if (hops > SCHEMA_DEPTH_MAX) throw new UnsupportedRequestError('a schema refers to itself');
      const { $ref, ...beside } = schema;
      schema = { ...this.#referred(String($ref)), ...beside };
    }
    const all = own(schema, 'allOf');
    if (!Array.isArray(all)) return schema;
    const { allOf: _allOf, ...rest } = schema;
    let merged: JsonObject = {};
    // One level: members of `allOf` that are such lists themselves are rare, and dropped as any keyword beyond the subset.
    for (const part of all) {
      if (!isJsonObject(part)) continue;
      const resolved = this.#resolved(part);
      this.#charge(1 + sizeOf(merged) + sizeOf(resolved));
      merged = both(merged, resolved);
    }
    return both(merged, rest);
  }

  #resolved(part: JsonObject): JsonObject {
    const reference = own(part, '$ref');
    return typeof reference === 'string' ? this.#referred(reference) : part;
  }

  /** Only what is in the same schema can be referred to. */
  #referred(reference: string): JsonObject {
    let at: unknown = reference === '#' || reference.startsWith('#/') ? this.#root : undefined;
    for (const step of reference.split('/').slice(1)) {
      at = isJsonObject(at) ? own(at, step.replaceAll('~1', '/').replaceAll('~0', '~')) : undefined;
    }
    if (!isJsonObject(at)) throw new UnsupportedRequestError('a schema refers to what it does not hold');
    return at;
  }

  #writeType(schema: JsonObject, written: JsonObject, depth: number): void {
    const given = own(schema, 'type');
    const named = (Array.isArray(given) ? given : [given]).filter((type) => typeof type === 'string');
    if (named.includes('null')) written['nullable'] = true;
    const known = named.map((type) => type.toLowerCase()).filter((type) => types.has(type));
    const [first] = known;
    if (known.length > 1) {
      written['anyOf'] = known.map((type) => this.write({ ...withoutShared(schema), type }, depth + 1));
      return;
    }
    const type = first ?? (isJsonObject(own(schema, 'properties')) ? 'object' : undefined);
    if (type !== undefined) written['type'] = type.toUpperCase();
    const options = own(schema, 'anyOf') ?? own(schema, 'oneOf');
    if (!Array.isArray(options)) return;
    const schemas = options.filter(isJsonObject);
    const real = schemas.filter((option) => option['type'] !== 'null');
    if (real.length < schemas.length) written['nullable'] = true;
    if (real.length > 0) written['anyOf'] = real.map((option) => this.write(option, depth + 1));
  }

  /** Gemini's `enum` is for texts. */
  #writeChoices(schema: JsonObject, written: JsonObject): void {
    const one = own(schema, 'const');
    const values = one === undefined ? own(schema, 'enum') : [one];
    if (!Array.isArray(values)) return;
    this.#charge(values.length);
    const texts = values.filter((value) => typeof value === 'string');
    if (values.includes(null)) written['nullable'] = true;
    if (texts.length === 0 || texts.length + (values.includes(null) ? 1 : 0) < values.length) return;
    written['enum'] = texts;
    written['type'] ??= 'STRING';
  }

  #writeMembers(schema: JsonObject, written: JsonObject, depth: number): void {
    if (written['type'] === 'ARRAY') {
      const items = own(schema, 'items');
      // Gemini wants to know what is in a list; text is what most are of.
      written['items'] = isJsonObject(items) ? this.write(items, depth + 1) : { type: 'STRING' };
    }
    const properties = own(schema, 'properties');
    if (written['type'] !== 'OBJECT' || !isJsonObject(properties)) return;
    const entries: [string, JsonObject][] = [];
    this.#charge(Object.keys(properties).length);
    for (const [name, property] of Object.entries(properties)) {
      if (isJsonObject(property)) entries.push([name, this.write(property, depth + 1)]);
    }
    // Made of entries, because an assignment to `__proto__` would be none.
    written['properties'] = Object.fromEntries(entries);
    const required = own(schema, 'required');
    if (!Array.isArray(required)) return;
    this.#charge(required.length);
    const names = new Set(entries.map(([name]) => name));
    const known = required.filter((name) => names.has(name));
    if (known.length > 0) written['required'] = known;
  }
}

/** What one of several types must not say again. */
function withoutShared(schema: JsonObject): JsonObject {
  const { title: _title, description: _description, anyOf: _anyOf, oneOf: _oneOf, ...rest } = schema;
  return rest;
}

/** Two schemas that both hold. */
function both(left: JsonObject, right: JsonObject): JsonObject {
  const merged = { ...left, ...right };
  for (const name of ['properties', '$defs']) {
    const [first, second] = [own(left, name), own(right, name)];
    if (isJsonObject(first) && isJsonObject(second)) merged[name] = { ...first, ...second };
  }
  const [first, second] = [own(left, 'required'), own(right, 'required')];
  if (Array.isArray(first) && Array.isArray(second)) merged['required'] = [...new Set<unknown>([...first, ...second])];
  return merged;
}

/** What of a schema is copied when it is merged. */
function sizeOf(schema: JsonObject): number {
  const [properties, required] = [own(schema, 'properties'), own(schema, 'required')];
  return (
    (isJsonObject(properties) ? Object.keys(properties).length : 0) + (Array.isArray(required) ? required.length : 0)
  );
}

function own(schema: JsonObject, name: string): unknown {
  return Object.hasOwn(schema, name) ? schema[name] : undefined;
}
