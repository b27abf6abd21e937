import { isJsonObject, type JsonObject } from '../../json.ts';

/** Properties in all, and objects within objects. Source: OpenAI, Structured outputs, Supported schemas. */
const PROPERTIES_MAX = 5000;
const OBJECTS_DEPTH_MAX = 10;
/** Schemas that are looked at. */
const SCHEMAS_MAX = 20_000;

/** Keywords of a strict schema. Source: OpenAI, Structured outputs, Supported schemas. */
const known: ReadonlySet<string> = new Set([
  '$defs',
  '$ref',
  '$schema',
  'additionalProperties',
  'anyOf',
  'const',
  'definitions',
  'description',
  'enum',
  'exclusiveMaximum',
  'exclusiveMinimum',
  'format',
  'items',
  'maxItems',
  'maximum',
  'minItems',
  'minimum',
  'multipleOf',
  'pattern',
  'properties',
  'required',
  'title',
  'type',
]);
const formats: ReadonlySet<unknown> = new Set([
  'date',
  'date-time',
  'duration',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'time',
  'uuid',
]);

/**
 * Whether OpenAI takes a schema with `strict: true`: every object is closed and requires all of its properties, and no keyword is beyond
 * OpenAI's subset. Others are refused with 400 there; without `strict` they are what the model aims at.
 */
export function isStrictSchema(root: JsonObject): boolean {
  if (root['type'] !== 'object' || Object.hasOwn(root, 'anyOf')) return false;
  const waiting: (readonly [schema: unknown, depth: number])[] = [[root, 1]];
  let properties = 0;
  for (let seen = 0; waiting.length > 0; seen += 1) {
    const [schema, depth] = waiting.pop() ?? [];
    if (seen > SCHEMAS_MAX || !isJsonObject(schema) || depth === undefined || !isStrictAlone(schema)) return false;
    const members = schemasOf(schema['properties']);
    properties += members.length;
    if (properties > PROPERTIES_MAX || depth > OBJECTS_DEPTH_MAX) return false;
    for (const member of members) waiting.push([member, depth + 1]);
    const beside: unknown[] = [...schemasOf(schema['$defs']), ...schemasOf(schema['definitions'])];
    if (Array.isArray(schema['anyOf'])) beside.push(...schema['anyOf'].slice(0, SCHEMAS_MAX + 1));
    if (Object.hasOwn(schema, 'items')) beside.push(schema['items']);
    for (const one of beside) waiting.push([one, depth]);
  }
  return true;
}

/** But for the schemas in it. */
function isStrictAlone(schema: JsonObject): boolean {
  if (!Object.keys(schema).every((name) => known.has(name))) return false;
  if (Object.hasOwn(schema, 'format') && !formats.has(schema['format'])) return false;
  const { type, properties, required } = schema;
  const isObject = type === 'object' || isJsonObject(properties) || (Array.isArray(type) && type.includes('object'));
  if (!isObject) return true;
  if (schema['additionalProperties'] !== false || !isJsonObject(properties)) return false;
  const names = new Set<unknown>(Array.isArray(required) ? required : []);
  return Object.keys(properties).every((name) => names.has(name));
}

function schemasOf(map: unknown): readonly unknown[] {
  return isJsonObject(map) ? Object.values(map) : [];
}
