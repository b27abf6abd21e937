import { isJsonObject, type JsonObject } from '../../json.ts';
import { own, SchemaBudget, SchemaSource } from '../chat-form/schema-source.ts';

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
 * @param budget of the request that the schema is part of
 * @throws UnsupportedRequestError for a schema that refers to itself or is too large (`SchemaSource`)
 */
export function geminiSchema(schema: JsonObject, budget: SchemaBudget = new SchemaBudget()): JsonObject {
  return new SchemaWriter(schema, budget).write(schema, 0);
}

class SchemaWriter {
  readonly #source: SchemaSource;

  constructor(root: JsonObject, budget: SchemaBudget) {
    this.#source = new SchemaSource(root, budget);
  }

  write(given: JsonObject, depth: number): JsonObject {
    this.#source.enter(depth);
    const schema = this.#source.whole(given);
    const written: JsonObject = {};
    for (const name of same) if (own(schema, name) !== undefined) written[name] = schema[name];
    this.#source.chargeTexts(Object.values(written));
    const format = own(schema, 'format');
    if (typeof format === 'string' && formats.has(format)) written['format'] = format;
    this.#writeType(schema, written, depth);
    this.#writeChoices(schema, written);
    this.#writeMembers(schema, written, depth);
    return written;
  }

  #writeType(schema: JsonObject, written: JsonObject, depth: number): void {
    const given = own(schema, 'type');
    if (Array.isArray(given)) this.#source.charge(given.length);
    const named = (Array.isArray(given) ? given : [given]).filter((type) => typeof type === 'string');
    if (named.includes('null')) written['nullable'] = true;
    const known = [...new Set(named.map((type) => type.toLowerCase()).filter((type) => types.has(type)))];
    const [first] = known;
    if (known.length > 1) {
      written['anyOf'] = known.map((type) => this.write({ ...withoutShared(schema), type }, depth + 1));
      return;
    }
    const type = first ?? (isJsonObject(own(schema, 'properties')) ? 'object' : undefined);
    if (type !== undefined) written['type'] = type.toUpperCase();
    const options = own(schema, 'anyOf') ?? own(schema, 'oneOf');
    if (!Array.isArray(options)) return;
    this.#source.charge(options.length);
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
    this.#source.charge(values.length);
    const texts = values.filter((value) => typeof value === 'string');
    this.#source.chargeTexts(texts);
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
    const given = Object.keys(properties);
    this.#source.charge(given.length);
    this.#source.chargeTexts(given);
    for (const [name, property] of Object.entries(properties)) {
      if (isJsonObject(property)) entries.push([name, this.write(property, depth + 1)]);
    }
    // Made of entries, because an assignment to `__proto__` would be none.
    written['properties'] = Object.fromEntries(entries);
    const required = own(schema, 'required');
    if (!Array.isArray(required)) return;
    this.#source.charge(required.length);
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
