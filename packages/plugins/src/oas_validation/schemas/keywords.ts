/** What the value of a keyword has to be. */
export type KeywordKind =
  | 'schema'
  | 'schemas'
  | 'first schemas'
  | 'schema map'
  | 'count'
  | 'number'
  | 'flag'
  | 'pattern'
  | 'format'
  | 'names'
  | 'name lists'
  | 'types'
  | 'values'
  | 'any';

/** Keywords of OpenAPI 3.0's schemas. All others are annotations there. Source: OpenAPI 3.0.4, 4.7.24. */
const KEYWORDS_30: Readonly<Record<string, KeywordKind>> = {
  type: 'types',
  enum: 'values',
  format: 'format',
  pattern: 'pattern',
  minLength: 'count',
  maxLength: 'count',
  minimum: 'number',
  maximum: 'number',
  multipleOf: 'number',
  minItems: 'count',
  maxItems: 'count',
  uniqueItems: 'flag',
  minProperties: 'count',
  maxProperties: 'count',
  required: 'names',
  properties: 'schema map',
  additionalProperties: 'schema',
  items: 'schema',
  allOf: 'schemas',
  anyOf: 'schemas',
  oneOf: 'schemas',
  not: 'schema',
};

/** Those that JSON Schema 2020-12 has beside them. Source: OpenAPI 3.1.1, 4.8.24. */
const KEYWORDS_31: Readonly<Record<string, KeywordKind>> = {
  const: 'any',
  exclusiveMinimum: 'number',
  exclusiveMaximum: 'number',
  contains: 'schema',
  minContains: 'count',
  maxContains: 'count',
  prefixItems: 'first schemas',
  patternProperties: 'schema map',
  propertyNames: 'schema',
  dependentRequired: 'name lists',
  dependentSchemas: 'schema map',
  if: 'schema',
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword, and nobody awaits the table
  then: 'schema',
  else: 'schema',
  unevaluatedProperties: 'schema',
  unevaluatedItems: 'schema',
};

/** What a version of OpenAPI takes for rules. */
export interface Dialect {
  readonly is30: boolean;
  readonly keywords: ReadonlyMap<string, KeywordKind>;
}

/** The dialect of a version. */
export function dialectOf(version: string): Dialect {
  const is30 = version === '3.0';
  return { is30, keywords: new Map(Object.entries(is30 ? KEYWORDS_30 : { ...KEYWORDS_30, ...KEYWORDS_31 })) };
}

/** Keywords by which schemas refer to each other in ways that are not followed here. A schema that has one is refused. */
export const FOREIGN_KEYWORDS: readonly string[] = ['$id', '$anchor', '$dynamicRef', '$dynamicAnchor', '$recursiveRef'];

const TYPES: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean', 'array', 'object', 'null']);

/** Whether the value of a keyword is of its kind; schemas within it are not looked at. */
export function isOfKind(kind: KeywordKind, value: unknown): boolean {
  if (kind === 'schema') return typeof value === 'boolean' || isRecord(value);
  if (kind === 'schemas') return Array.isArray(value) && value.length > 0;
  // Generators write an empty list for lists without a first item.
  if (kind === 'first schemas') return Array.isArray(value);
  // A validator that goes through the names of properties cannot tell this one from a prototype.
  if (kind === 'schema map') return isRecord(value) && !Object.hasOwn(value, '__proto__');
  if (kind === 'count') return typeof value === 'number' && Number.isInteger(value) && value >= 0;
  if (kind === 'number') return typeof value === 'number' && Number.isFinite(value);
  if (kind === 'flag') return typeof value === 'boolean';
  if (kind === 'pattern' || kind === 'format') return typeof value === 'string';
  if (kind === 'names') return isNames(value);
  if (kind === 'name lists') return isRecord(value) && Object.values(value).every(isNames);
  if (kind === 'types') return TYPES.has(value) || (Array.isArray(value) && value.every((type) => TYPES.has(type)));
  if (kind === 'values') return Array.isArray(value) && value.length > 0;
  return true;
}

/** Whether a value is an object and no list. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isNames(value: unknown): boolean {
  return Array.isArray(value) && value.every((name) => typeof name === 'string');
}
