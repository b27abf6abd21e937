import { toJsonSchema } from '@valibot/to-json-schema';
import type { GenericSchema } from 'valibot';

/** A JSON Schema as data. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Whether a schema describes what callers send or what they get. */
export type SchemaDirection = 'input' | 'output';

/** Collects the named schemas of an API description while it is built. */
export interface SchemaCollector {
  /** The JSON Schema of a schema; every object in it that has a title becomes a component and a `$ref`. */
  schemaOf(schema: GenericSchema, direction: SchemaDirection): JsonSchema;
  /** Components by name, in the order of their first use. */
  readonly components: Readonly<Record<string, JsonSchema>>;
}

/** A collector without components. */
export function createSchemaCollector(): SchemaCollector {
  const components: Record<string, JsonSchema> = {};
  return {
    components,
    schemaOf(schema, direction) {
      // Rules that JSON Schema cannot say are checked by the service and named in its answers.
      const { $schema: _, ...json } = toJsonSchema(schema, {
        target: 'draft-2020-12',
        typeMode: direction,
        errorMode: 'ignore',
      });
      if ('$defs' in json) throw new Error('a recursive schema cannot be described yet');
      return named(json, direction, components);
    },
  };
}

const schemaKeywords: ReadonlySet<string> = new Set([
  'items',
  'additionalProperties',
  'propertyNames',
  'not',
  'contains',
]);
const listKeywords: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems']);

function named(node: unknown, direction: SchemaDirection, components: Record<string, JsonSchema>): JsonSchema {
  const result: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(node as JsonSchema)) {
    const inner = (part: unknown): unknown => (isObject(part) ? named(part, direction, components) : part);
    if (keyword === 'properties' && isObject(value)) {
      result[keyword] = Object.fromEntries(Object.entries(value).map(([name, part]) => [name, inner(part)]));
    } else if (listKeywords.has(keyword) && Array.isArray(value)) result[keyword] = value.map(inner);
    else result[keyword] = schemaKeywords.has(keyword) ? inner(value) : value;
  }
  const isNameable =
    typeof result['title'] === 'string' && (result['type'] === 'object' || 'anyOf' in result || 'oneOf' in result);
  return isNameable ? { $ref: `#/components/schemas/${register(result, direction, components)}` } : result;
}

/** Files a schema under its title. The same title may stand for a request and an answer that differ, not for more. */
function register(schema: JsonSchema, direction: SchemaDirection, components: Record<string, JsonSchema>): string {
  const base = componentName(String(schema['title']));
  const candidates = [base, base + (direction === 'input' ? 'Input' : 'Output')];
  for (const name of candidates) {
    components[name] ??= schema;
    if (JSON.stringify(components[name]) === JSON.stringify(schema)) return name;
  }
  throw new Error(`two different schemas have the title ${String(schema['title'])}`);
}

function componentName(title: string): string {
  return title.replaceAll(/[^A-Za-z0-9]+(.)?/g, (_, next: string | undefined) => (next ?? '').toUpperCase());
}

function isObject(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
