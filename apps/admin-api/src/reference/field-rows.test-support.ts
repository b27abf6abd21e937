import { metadataOf } from '@portcullis/resources';
import { toJsonSchema } from '@valibot/to-json-schema';
import type { GenericSchema } from 'valibot';

/** One row of a table of fields. */
export interface FieldRow {
  /** The field's name; with dots and `[]` for what lies inside of it. */
  readonly name: string;
  readonly type: string;
  /** As JSON; empty for none. */
  readonly fallback: string;
  /** What a value must keep to, and what is special about the field. */
  readonly rules: readonly string[];
  readonly meaning: string;
}

type Json = Readonly<Record<string, unknown>>;

/** Rows of one field and of everything named inside of it. @param isRequired whether a new record has to have it */
export function fieldRows(name: string, schema: GenericSchema, isRequired: boolean): readonly FieldRow[] {
  const json = toJsonSchema(schema, { target: 'draft-2020-12', typeMode: 'input', errorMode: 'ignore' }) as Json;
  const { secret, immutable, writeOnly } = metadataOf(schema);
  const marks = [
    ...(isRequired ? ['required'] : []),
    ...(immutable === true ? ['fixed at creation'] : []),
    ...(secret === true ? ['secret'] : []),
    ...(writeOnly === true ? ['never shown'] : []),
  ];
  return rowsOf(name, json, marks);
}

function rowsOf(name: string, given: Json, marks: readonly string[]): readonly FieldRow[] {
  const { schema, isNullable } = withoutNull(given);
  const items = isObject(schema['items']) ? withoutNull(schema['items']).schema : undefined;
  const row: FieldRow = {
    name,
    type: typeOf(schema) + (isNullable ? ' or null' : ''),
    fallback: 'default' in given ? JSON.stringify(given['default']) : '',
    rules: [...marks, ...rulesOf(schema), ...(items ? rulesOf(items).map((rule) => `each ${rule}`) : [])],
    meaning: textOf(given['description']) ?? textOf(schema['description']) ?? '',
  };
  return [row, ...partsOf(name, schema), ...(items ? partsOf(`${name}[]`, items) : [])];
}

function partsOf(name: string, schema: Json): readonly FieldRow[] {
  if (!isObject(schema['properties'])) return [];
  const required = Array.isArray(schema['required']) ? (schema['required'] as unknown[]) : [];
  return Object.entries(schema['properties']).flatMap(([part, inner]) =>
    isObject(inner) ? rowsOf(`${name}.${part}`, inner, required.includes(part) ? ['required'] : []) : [],
  );
}

/** A schema of a value that may be null, and the same without. */
function withoutNull(schema: Json): { readonly schema: Json; readonly isNullable: boolean } {
  const choices = Array.isArray(schema['anyOf']) ? (schema['anyOf'] as Json[]) : [];
  const [only, ...others] = choices.filter((choice) => choice['type'] !== 'null');
  if (only === undefined || others.length > 0 || choices.length < 2) return { schema, isNullable: false };
  return { schema: only, isNullable: true };
}

function typeOf(schema: Json): string {
  if (Array.isArray(schema['enum'])) return schema['enum'].map((value) => `\`${String(value)}\``).join(', ');
  if ('const' in schema) return `\`${String(schema['const'])}\``;
  if (schema['type'] === 'array') return isObject(schema['items']) ? `list of ${plainType(schema['items'])}` : 'list';
  const choices = (schema['anyOf'] ?? schema['oneOf']) as Json[] | undefined;
  if (choices) return [...new Set(choices.map(typeOf))].join(' or ');
  if (schema['type'] === 'object' && isObject(schema['additionalProperties'])) {
    const inner = schema['additionalProperties'];
    return Object.keys(inner).length === 0 ? 'object' : `object of ${plainType(inner)}`;
  }
  if (isId(schema)) return 'ID';
  return schema['format'] === 'date-time' ? 'time' : (textOf(schema['type']) ?? 'any');
}

function plainType(schema: Json): string {
  return Array.isArray(schema['enum']) ? `(${typeOf(schema)})` : typeOf(schema);
}

/** Patterns that many fields share, said in words. */
const patternWords: ReadonlyMap<string, string> = new Map([['^[^\\u0000-\\u001F\\u007F]*$', 'no control characters']]);

const idPattern = '^(?!\\.{1,2}$)[A-Za-z0-9._~-]{1,128}$';

function isId(schema: Json): boolean {
  return schema['pattern'] === idPattern;
}

/** Words for the keywords that bound a value. */
const bounds: readonly (readonly [keyword: string, words: (value: unknown) => string])[] = [
  ['minimum', (value) => `at least ${String(value)}`],
  ['exclusiveMinimum', (value) => `above ${String(value)}`],
  ['maximum', (value) => `at most ${String(value)}`],
  ['exclusiveMaximum', (value) => `below ${String(value)}`],
  ['minLength', (value) => (value === 1 ? 'not empty' : `at least ${String(value)} characters`)],
  ['maxLength', (value) => `at most ${String(value)} characters`],
  ['minItems', (value) => `at least ${String(value)} items`],
  ['maxItems', (value) => `at most ${String(value)} items`],
  ['maxProperties', (value) => `at most ${String(value)} entries`],
  ['pattern', (value) => patternWords.get(String(value)) ?? `matches ${code(String(value))}`],
];

/** Text that may hold anything, as code. */
function code(text: string): string {
  return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``;
}

function rulesOf(schema: Json): readonly string[] {
  if (isId(schema)) return [];
  return bounds.flatMap(([keyword, words]) => (keyword in schema ? [words(schema[keyword])] : []));
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
