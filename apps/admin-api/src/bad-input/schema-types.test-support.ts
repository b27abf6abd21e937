import type { Schema } from '../isolation/described-operations.test-support.ts';

/** The types of values that a schema takes. */
export function typesOf(schema: Schema): readonly string[] {
  if (schema['const'] !== undefined) return [typeof schema['const']];
  const { type } = schema;
  if (type === 'number') return ['number', 'integer'];
  if (typeof type === 'string') return [type];
  return Array.isArray(schema['enum']) ? schema['enum'].map((value) => typeof value) : [];
}
