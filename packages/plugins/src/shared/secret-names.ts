import type { JsonSchema } from '../json-schema.ts';

/**
 * Maps of a config whose names are secrets, by the config's field. Names are shown wherever a config is; only values can be masked
 * and sealed. Such a map is therefore one of two ways to write the field: it is kept as a list, whose items hold the name as a value.
 */
export type SecretNames = Readonly<Record<string, SecretName>>;

/** How a map's entry becomes an item. */
export interface SecretName {
  /** Field of the item that takes the name. */
  readonly key: string;
  /** Field of the item that takes what stands there. Without it, what stands there is an object and becomes the item. */
  readonly value?: string;
}

/** A config with its maps written as lists. What is not fit for that stays, and the config's schema refuses it. */
export function listSecretNames(config: unknown, names: SecretNames): unknown {
  if (!isRecord(config)) return config;
  const listed = Object.entries(names).flatMap(([field, name]) => {
    const items = Object.hasOwn(config, field) ? itemsOf(config[field], name) : undefined;
    return items === undefined ? [] : [[field, items] as const];
  });
  return listed.length === 0 ? config : { ...config, ...Object.fromEntries(listed) };
}

/** The JSON Schema of a config, whose lists are lists, with the maps that may be written instead. */
export function withSecretNames(schema: JsonSchema, names: SecretNames): JsonSchema {
  const properties = asRecord(schema['properties']);
  const both = Object.entries(names).map(([field, name]) => {
    const { description, ...list } = asRecord(properties[field]);
    return [field, { description, anyOf: [list, mapSchema(list, name)] }] as const;
  });
  return both.length === 0 ? schema : { ...schema, properties: { ...properties, ...Object.fromEntries(both) } };
}

function itemsOf(map: unknown, { key, value }: SecretName): readonly unknown[] | undefined {
  if (!isRecord(map)) return undefined;
  const entries = Object.entries(map);
  if (value !== undefined) return entries.map(([name, inner]) => ({ [key]: name, [value]: inner }));
  const items = entries.flatMap(([name, inner]) =>
    isRecord(inner) && !Object.hasOwn(inner, key) ? [{ [key]: name, ...inner }] : [],
  );
  return items.length === entries.length ? items : undefined;
}

function mapSchema(list: JsonSchema, { key, value }: SecretName): JsonSchema {
  const item = asRecord(list['items']);
  const { [key]: named, ...fields } = asRecord(item['properties']);
  const required = Array.isArray(item['required']) ? item['required'].filter((name) => name !== key) : [];
  const { minLength, maxLength } = asRecord(named);
  return {
    type: 'object',
    propertyNames: { minLength, maxLength },
    additionalProperties: value === undefined ? { ...item, properties: fields, required } : fields[value],
    maxProperties: list['maxItems'],
  };
}

function asRecord(value: unknown): JsonSchema {
  return isRecord(value) ? value : {};
}

function isRecord(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
