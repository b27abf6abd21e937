import { fieldOf, isObject } from '@portcullis/openapi';
import type { JsonObject, Referred } from '@portcullis/openapi';
import { sdkLimits } from '../limits.ts';

/** Keywords that say what a value is. Others narrow it, or speak to people. */
const shapeKeywords = [
  'type',
  'properties',
  'patternProperties',
  'additionalProperties',
  'unevaluatedProperties',
  'required',
  'items',
  'prefixItems',
  'enum',
  'const',
  'format',
  'contentEncoding',
  'contentMediaType',
] as const;

/** Keywords that put schemas together. */
const combiningKeywords = ['allOf', 'oneOf', 'anyOf', '$ref', '$dynamicRef', '$recursiveRef'] as const;

const has = (schema: JsonObject, keywords: readonly string[]): boolean =>
  keywords.some((keyword) => fieldOf(schema, keyword) !== undefined);

/** Whether a schema says itself what a value is. */
export function hasShape(schema: JsonObject): boolean {
  return has(schema, shapeKeywords);
}

/** Whether a schema says what a value is, or leads to one that does. */
export function isMeaningful(schema: unknown): boolean {
  return isObject(schema) && (hasShape(schema) || has(schema, combiningKeywords));
}

/** Whether a schema only narrows another one: `{ required: [a] }` in a choice beside properties. */
export function isConstraint(schema: unknown): boolean {
  if (!isObject(schema)) return true;
  const { required: _, ...rest } = schema;
  return !isMeaningful(rest);
}

/** The declared types without `null`; guessed of other keywords where none is declared, and empty where nothing tells. */
export function typesOf(schema: JsonObject): readonly string[] {
  const declared = declaredTypes(schema);
  if (declared.length > 0) return declared.filter((type) => type !== 'null');
  const isKnown = (name: string): boolean => fieldOf(schema, name) !== undefined;
  if (['properties', 'patternProperties', 'additionalProperties', 'unevaluatedProperties', 'required'].some(isKnown)) {
    return ['object'];
  }
  if (isKnown('items') || isKnown('prefixItems')) return ['array'];
  if (isKnown('format') || isKnown('contentEncoding') || isKnown('contentMediaType')) {
    const format = fieldOf(schema, 'format');
    if (format === 'int32' || format === 'int64') return ['integer'];
    return format === 'float' || format === 'double' ? ['number'] : ['string'];
  }
  return [];
}

/** The types as they are written. */
export function declaredTypes(schema: JsonObject): readonly string[] {
  const type = fieldOf(schema, 'type');
  const types: readonly unknown[] = Array.isArray(type) ? type.slice(0, sdkLimits.depthMax) : [type];
  return [...new Set(types.filter((one) => typeof one === 'string'))];
}

/** The listed values: of `enum`, or the one of `const`. */
export function valuesOf(schema: JsonObject): readonly unknown[] | undefined {
  const values = fieldOf(schema, 'enum');
  if (Array.isArray(values) && values.length > 0) return values as readonly unknown[];
  return Object.hasOwn(schema, 'const') ? [schema['const']] : undefined;
}

/** Whether a schema takes null by its own words. What it is put together of is another question. */
export function takesNull(schema: JsonObject): boolean {
  if (fieldOf(schema, 'nullable') === true) return true;
  const types = declaredTypes(schema);
  const values = valuesOf(schema);
  if (values !== undefined) return values.includes(null) && (types.length === 0 || types.includes('null'));
  return types.includes('null');
}

/** Whether a schema takes null and nothing else. */
export function isNullOnly(schema: unknown): boolean {
  if (!isObject(schema)) return false;
  const types = declaredTypes(schema);
  const values = valuesOf(schema);
  if (values !== undefined) return values.every((value) => value === null);
  return types.length === 1 && types[0] === 'null';
}

/** Whether a schema means raw bytes. Source: OpenAPI 3.0.4, Data Types; 3.1.1, Working with Binary Data. */
export function isBinary({ value: schema }: Referred): boolean {
  const types = typesOf(schema);
  if (types.length > 0 && !types.includes('string')) return false;
  const format = fieldOf(schema, 'format');
  if (format === 'binary' || format === 'file') return true;
  const mediaType = fieldOf(schema, 'contentMediaType');
  const isText = typeof mediaType === 'string' && /^text\/|json|xml/i.test(mediaType);
  return typeof mediaType === 'string' && !isText && fieldOf(schema, 'contentEncoding') === undefined;
}

/** A list in a schema, of reasonable length, for `allOf` and its like. */
export function schemasOf(schema: JsonObject, keyword: string): readonly unknown[] {
  const list = fieldOf(schema, keyword);
  return Array.isArray(list) ? (list as readonly unknown[]) : [];
}
