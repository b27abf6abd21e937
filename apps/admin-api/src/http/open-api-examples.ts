import * as v from 'valibot';
import type { JsonSchema } from './open-api-schemas.ts';
import type { BodyDescription } from './operation.ts';

type Components = Readonly<Record<string, JsonSchema>>;

/** Deepest nesting of an example. Schemas are not recursive; this only keeps a mistake from running away. */
const depthMax = 8;

/**
 * A small body that an operation's schema takes: its required fields, and of the others as many as it takes to be valid.
 * Nothing when none was found; a test says so.
 */
export function requestExample(body: BodyDescription, schema: JsonSchema, components: Components): unknown {
  const root = resolved(schema, components);
  const isValid = (value: unknown): boolean => v.safeParse(body.schema, value).success;
  if (root['type'] !== 'object') {
    const value = sample(root, components, '', 0);
    return isValid(value) ? value : undefined;
  }
  const required = sample(root, components, '', 0) as Record<string, unknown>;
  const optional = Object.entries(propertiesOf(root)).filter(([name]) => !(name in required));
  const hasContent = (value: Record<string, unknown>): boolean =>
    Object.keys(value).length > 0 || optional.length === 0;
  if (isValid(required) && hasContent(required)) return required;
  let best: { readonly value: Record<string, unknown>; readonly mistakes: number } = {
    value: required,
    mistakes: mistakesOf(body, required),
  };
  for (const [name, property] of optional) {
    const value = { ...best.value, [name]: sample(property, components, name, 1) };
    if (isValid(value)) return value;
    const mistakes = mistakesOf(body, value);
    if (mistakes < best.mistakes) best = { value, mistakes };
  }
  return undefined;
}

function mistakesOf(body: BodyDescription, value: unknown): number {
  return v.safeParse(body.schema, value).issues?.length ?? 0;
}

function propertiesOf(schema: JsonSchema): Readonly<Record<string, JsonSchema>> {
  return (schema['properties'] as Record<string, JsonSchema> | undefined) ?? {};
}

function resolved(schema: JsonSchema, components: Components): JsonSchema {
  const reference = schema['$ref'];
  if (typeof reference !== 'string') return schema;
  return components[reference.slice(reference.lastIndexOf('/') + 1)] ?? {};
}

function sample(schema: JsonSchema, components: Components, name: string, depth: number): unknown {
  const node = resolved(schema, components);
  if (depth > depthMax) return null;
  if ('const' in node) return node['const'];
  if (Array.isArray(node['examples'])) return (node['examples'] as unknown[])[0];
  if (node['default'] !== undefined && node['default'] !== null) return node['default'];
  if (Array.isArray(node['enum'])) return (node['enum'] as unknown[])[0];
  const choices = (node['anyOf'] ?? node['oneOf']) as JsonSchema[] | undefined;
  if (choices) {
    const choice = choices.find((option) => option['type'] !== 'null') ?? choices[0] ?? {};
    return sample(choice, components, name, depth + 1);
  }
  switch (node['type']) {
    case 'object':
      return sampleObject(node, components, depth);
    case 'array':
      return sampleArray(node, components, name, depth);
    case 'integer':
    case 'number':
      return sampleNumber(node);
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return sampleText(node, name);
  }
}

function sampleObject(node: JsonSchema, components: Components, depth: number): Record<string, unknown> {
  const required = (node['required'] as string[] | undefined) ?? [];
  const properties = propertiesOf(node);
  return Object.fromEntries(
    required.map((name) => [name, sample(properties[name] ?? {}, components, name, depth + 1)]),
  );
}

function sampleArray(node: JsonSchema, components: Components, name: string, depth: number): unknown[] {
  if (Array.isArray(node['prefixItems'])) {
    return (node['prefixItems'] as JsonSchema[]).map((item) => sample(item, components, name, depth + 1));
  }
  const items = node['items'] as JsonSchema | undefined;
  const count = Math.max(1, Number(node['minItems'] ?? 0));
  return items ? Array.from({ length: count }, () => sample(items, components, name, depth + 1)) : [];
}

function sampleNumber(node: JsonSchema): number {
  const least = Number(node['minimum'] ?? Number(node['exclusiveMinimum'] ?? 0) + 1);
  const most = Number(node['maximum'] ?? Number.MAX_SAFE_INTEGER);
  return Math.min(Math.max(least, 1), most);
}

/** Texts that a field of this name usually holds, tried before the general ones. */
const textsByName: Readonly<Record<string, string>> = {
  description: 'What it is for',
  email: 'kim@example.com',
  username: 'kim',
  password: 'a long enough password',
};

/** Texts of the forms that patterns ask for; the first that fits is taken. */
const texts = [
  'example',
  'https://api.example.com',
  'api.example.com',
  '/example',
  'GET',
  '2030-01-01T00:00:00.000Z',
  '0199f7a2-3c54-7d10-9b1e-5f8a4c2e6d70',
  '10.0.0.1',
  '1',
  '200',
  'eyJhbGciOiJub25lIn0',
];

const formats: Readonly<Record<string, RegExp>> = {
  uri: /^https:/,
  'date-time': /^\d{4}-.*Z$/,
  uuid: /^[0-9a-f-]{36}$/,
  email: /@/,
  ipv4: /^10\./,
};

function sampleText(node: JsonSchema, name: string): string {
  const named = Object.hasOwn(textsByName, name) ? [textsByName[name] ?? ''] : [];
  const pattern = typeof node['pattern'] === 'string' ? new RegExp(node['pattern'], 'u') : undefined;
  const format = typeof node['format'] === 'string' ? formats[node['format']] : undefined;
  const least = Number(node['minLength'] ?? 0);
  const most = Number(node['maxLength'] ?? Number.POSITIVE_INFINITY);
  const isFit = (text: string): boolean =>
    text.length >= least && text.length <= most && (pattern?.test(text) ?? true) && (format?.test(text) ?? true);
  return [...named, ...texts, 'x'.repeat(least)].find(isFit) ?? 'example';
}
