import { isJsonObject, type JsonObject } from '../../json.ts';
import { UnsupportedRequestError } from '../errors.ts';

/** Depth of a schema, and its nodes, names and values once references are written out: a schema that refers to itself has no end. */
const DEPTH_MAX = 48;
const SIZE_MAX = 20_000;
/** The same of all schemas of a request: tools have one each. */
const REQUEST_SIZE_MAX = 50_000;
/** Keywords of one schema: each reference to it copies them. */
const KEYWORDS_MAX = 256;
/** Characters of all names and texts that are written for a request: a text that is referred to often is written as often. */
const REQUEST_TEXT_LENGTH_MAX = 4_194_304;

/** What the schemas of one request take together. */
export class SchemaBudget {
  #size = 0;
  #textLength = 0;

  /** @throws UnsupportedRequestError above the bound */
  charge(size: number, textLength: number): void {
    this.#size += size;
    this.#textLength += textLength;
    if (this.#size > REQUEST_SIZE_MAX || this.#textLength > REQUEST_TEXT_LENGTH_MAX) throw tooLarge();
  }
}

/**
 * A client's JSON Schema that is being rewritten for a provider: what it refers to, and how much has been written of it. Whoever writes
 * charges before the work is done, because a reference to something large costs its author nothing.
 */
export class SchemaSource {
  readonly #root: JsonObject;
  readonly #budget: SchemaBudget;
  #size = 0;

  constructor(root: JsonObject, budget: SchemaBudget) {
    this.#root = root;
    this.#budget = budget;
  }

  /** One more schema. @throws UnsupportedRequestError for one that is too deep, or the last straw */
  enter(depth: number): void {
    this.charge(depth > DEPTH_MAX ? SIZE_MAX : 1);
  }

  /** @throws UnsupportedRequestError above the bound */
  charge(size: number): void {
    this.#size += size;
    if (this.#size > SIZE_MAX) throw tooLarge();
    this.#budget.charge(size, 0);
  }

  /** @throws UnsupportedRequestError above the bound */
  chargeTexts(values: Iterable<unknown>): void {
    let textLength = 0;
    for (const value of values) if (typeof value === 'string') textLength += value.length;
    this.#budget.charge(0, textLength);
  }

  /**
   * A schema with what it refers to, and with all of its `allOf`: one level of them, because lists within lists are rare.
   * @throws UnsupportedRequestError
   */
  whole(given: JsonObject): JsonObject {
    let schema = bounded(given);
    for (let hops = 0; typeof own(schema, '$ref') === 'string'; hops += 1) {
      if (hops > DEPTH_MAX) throw new UnsupportedRequestError('a schema refers to itself');
      this.charge(1);
      const { $ref, ...beside } = schema;
      schema = bounded({ ...this.referred(String($ref)), ...beside });
    }
    const all = own(schema, 'allOf');
    if (!Array.isArray(all)) return schema;
    this.charge(all.length);
    const { allOf: _allOf, ...rest } = schema;
    let merged: JsonObject = {};
    for (const part of all) {
      if (!isJsonObject(part)) continue;
      const resolved = this.#resolved(part);
      this.charge(sizeOf(merged) + sizeOf(resolved));
      merged = bounded(both(merged, resolved));
    }
    return both(merged, rest);
  }

  /** Only what is in the same schema can be referred to. @throws UnsupportedRequestError */
  referred(reference: string): JsonObject {
    let at: unknown = reference === '#' || reference.startsWith('#/') ? this.#root : undefined;
    for (const step of reference.split('/').slice(1)) {
      at = isJsonObject(at) ? own(at, step.replaceAll('~1', '/').replaceAll('~0', '~')) : undefined;
    }
    if (!isJsonObject(at)) throw new UnsupportedRequestError('a schema refers to what it does not hold');
    return bounded(at);
  }

  #resolved(part: JsonObject): JsonObject {
    const reference = own(part, '$ref');
    return typeof reference === 'string' ? this.referred(reference) : part;
  }
}

/** A keyword that is there itself. */
export function own(schema: JsonObject, name: string): unknown {
  return Object.hasOwn(schema, name) ? schema[name] : undefined;
}

function bounded(schema: JsonObject): JsonObject {
  if (Object.keys(schema).length > KEYWORDS_MAX) throw tooLarge();
  return schema;
}

/** Two schemas that both hold. Definitions are looked up in the root alone. */
function both(left: JsonObject, right: JsonObject): JsonObject {
  const merged = { ...left, ...right };
  const properties = [own(left, 'properties'), own(right, 'properties')];
  if (properties.every(isJsonObject)) merged['properties'] = { ...properties[0], ...properties[1] };
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

function tooLarge(): UnsupportedRequestError {
  return new UnsupportedRequestError('a schema is too large for this provider, or refers to itself');
}
