import { isValues } from '../resources/values.ts';
import type { Values } from '../resources/values.ts';

/** Keywords whose value is a schema, a list of schemas, and a map of schemas. Source: JSON Schema 2020-12, core, 10. */
const single = [
  'additionalProperties',
  'contains',
  'else',
  'if',
  'items',
  'not',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
];
const lists = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const maps = ['dependentSchemas', 'patternProperties', 'properties'];
const definitions = ['$defs', 'definitions'];

/** A schema inside a schema, and where it stands in it. */
export interface SchemaPart {
  readonly path: readonly (string | number)[];
  readonly schema: unknown;
  /** Whether it counts only where something refers to it. */
  readonly isDefinition: boolean;
}

/** The schemas directly inside a schema. Data such as `enum`, `const` or `default` is none, whatever it looks like. */
export function schemaParts(schema: Values): readonly SchemaPart[] {
  const parts: SchemaPart[] = [];
  for (const [keyword, value] of Object.entries(schema)) {
    const isDefinition = definitions.includes(keyword);
    if (single.includes(keyword)) parts.push({ path: [keyword], schema: value, isDefinition });
    else if (lists.includes(keyword) && Array.isArray(value)) {
      for (const [index, part] of value.entries()) parts.push({ path: [keyword, index], schema: part, isDefinition });
    } else if ((maps.includes(keyword) || isDefinition) && isValues(value)) {
      for (const [name, part] of Object.entries(value))
        parts.push({ path: [keyword, name], schema: part, isDefinition });
    }
  }
  return parts;
}

/** How many JSON values the keywords hold that are no schemas: lists of names and of allowed values, mostly. */
export function plainValueCount(schema: Values): number {
  const others = Object.entries(schema).filter(
    ([keyword]) => ![...single, ...lists, ...maps, ...definitions].includes(keyword),
  );
  return others.reduce((sum, [, value]) => sum + valueCount(value), 0);
}

/** How many values a JSON value consists of, itself among them. */
export function valueCount(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce((sum: number, inner) => sum + valueCount(inner), 1);
}
