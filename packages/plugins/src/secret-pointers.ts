import type { JsonSchema } from './json-schema.ts';
import { SECRET_ADDRESS, isShownAddress } from './shared/secret-address.ts';

/**
 * JSON Pointers of all texts of a value that a schema marks as secret (`x-secret: true`, `writeOnly: true` or
 * `format: password`), each once, in the value's order. `x-secret: 'address'` marks an address, which is a secret only when a key may stand
 * in it. A mark on an object or list covers every text in it. All branches of a union count, whether they fit or not: a text that is masked
 * without need does no harm. Serves schemas of any origin, also those that a tenant registers.
 * @param schema JSON Schema (2020-12); `$ref` within it is followed
 */
export function secretPointers(schema: JsonSchema, value: unknown): readonly string[] {
  if (!isRecord(schema) || !isAnyMarked(schema)) return [];
  const found = new Set<string>();
  walk({ root: schema, found, visited: new Map() }, schema, value, '', DEPTH_MAX);
  return [...found];
}

/** Deeper values and longer chains of `$ref` are not followed. Configs are at most 64 levels deep: decisions, 15. */
const DEPTH_MAX = 128;

interface Walk {
  readonly root: JsonSchema;
  readonly found: Set<string>;
  /**
   * The schemas that were walked, by the place in the value. Branches that name each other many times over would else cost
   * more with each level than the one before, without end in sight.
   */
  readonly visited: Map<string, Set<unknown>>;
}

function walk(ctx: Walk, schema: unknown, value: unknown, pointer: string, depth: number): void {
  if (!isRecord(schema) || depth === 0 || !isFirstVisit(ctx, schema, pointer)) return;
  if (isMarked(schema)) {
    // A branch of a union that is a text says nothing of the objects that another branch is for.
    if (schema['type'] !== 'string' || typeof value === 'string') collectTexts(ctx.found, value, pointer, depth);
    return;
  }
  if (isAddress(schema) && typeof value === 'string' && !isShownAddress(value)) ctx.found.add(pointer);
  const inner = depth - 1;
  if (typeof schema['$ref'] === 'string') walk(ctx, resolve(ctx.root, schema['$ref']), value, pointer, inner);
  for (const keyword of ['anyOf', 'oneOf', 'allOf']) {
    for (const branch of listOf(schema[keyword])) walk(ctx, branch, value, pointer, inner);
  }
  for (const keyword of ['if', 'then', 'else']) walk(ctx, schema[keyword], value, pointer, inner);
  if (isRecord(schema['dependentSchemas'])) {
    for (const branch of Object.values(schema['dependentSchemas'])) walk(ctx, branch, value, pointer, inner);
  }
  if (Array.isArray(value)) walkItems(ctx, schema, value, pointer, inner);
  else if (isRecord(value)) walkProperties(ctx, schema, value, pointer, inner);
}

const markedSchemas = new WeakMap<object, boolean>();

/** Whether anything in a schema is marked: most have no secrets, and are asked about every record of a large bundle. */
function isAnyMarked(schema: JsonSchema): boolean {
  let isAny = markedSchemas.get(schema);
  if (isAny === undefined) markedSchemas.set(schema, (isAny = hasMark(schema, new Set())));
  return isAny;
}

/** @param seen what was looked at, so that a schema which holds itself ends */
function hasMark(value: unknown, seen: Set<unknown>): boolean {
  if (typeof value !== 'object' || value === null || seen.has(value)) return false;
  seen.add(value);
  return (
    (isRecord(value) && (isMarked(value) || isAddress(value))) ||
    Object.values(value).some((inner) => hasMark(inner, seen))
  );
}

function isMarked(schema: JsonSchema): boolean {
  return schema['x-secret'] === true || schema['writeOnly'] === true || schema['format'] === 'password';
}

function isAddress(schema: JsonSchema): boolean {
  return schema['x-secret'] === SECRET_ADDRESS['x-secret'];
}

function isFirstVisit({ visited }: Walk, schema: JsonSchema, pointer: string): boolean {
  const walked = visited.get(pointer);
  if (walked === undefined) visited.set(pointer, new Set([schema]));
  else if (walked.has(schema)) return false;
  else walked.add(schema);
  return true;
}

function walkItems(ctx: Walk, schema: JsonSchema, items: readonly unknown[], pointer: string, depth: number): void {
  const prefix = listOf(schema['prefixItems']);
  for (const [index, item] of items.entries()) {
    const at = `${pointer}/${index}`;
    walk(ctx, index < prefix.length ? prefix[index] : schema['items'], item, at, depth);
    for (const keyword of ['contains', 'unevaluatedItems']) walk(ctx, schema[keyword], item, at, depth);
  }
}

function walkProperties(ctx: Walk, schema: JsonSchema, value: JsonSchema, pointer: string, depth: number): void {
  const properties = isRecord(schema['properties']) ? schema['properties'] : {};
  const patterns = isRecord(schema['patternProperties']) ? Object.values(schema['patternProperties']) : [];
  for (const [name, item] of Object.entries(value)) {
    const at = `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (Object.hasOwn(properties, name)) walk(ctx, properties[name], item, at, depth);
    else walk(ctx, schema['additionalProperties'], item, at, depth);
    walk(ctx, schema['unevaluatedProperties'], item, at, depth);
    // Which pattern matches is not asked: a tenant's pattern is never run, and masking too much does no harm.
    for (const pattern of patterns) walk(ctx, pattern, item, at, depth);
  }
}

function collectTexts(found: Set<string>, value: unknown, pointer: string, depth: number): void {
  if (typeof value === 'string') found.add(pointer);
  if (typeof value !== 'object' || value === null || depth === 0) return;
  for (const [name, item] of Object.entries(value)) {
    collectTexts(found, item, `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, depth - 1);
  }
}

/** The schema that a local reference names; nothing else is followed. Source: RFC 6901, section 6. */
function resolve(root: JsonSchema, reference: string): unknown {
  if (reference === '#') return root;
  if (!reference.startsWith('#/')) return undefined;
  return reference
    .slice(2)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((at, part) => (isRecord(at) && Object.hasOwn(at, part) ? at[part] : undefined), root);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function isRecord(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
