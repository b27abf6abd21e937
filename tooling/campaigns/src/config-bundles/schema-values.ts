import type { Family } from '@portcullis/resources';
import { writeSchema } from '@portcullis/resources';
import * as fc from 'fast-check';
import type { GeneratorValue } from 'fast-check';
import * as v from 'valibot';

/** Part of a Valibot schema, as far as values are drawn from it. */
interface SchemaShape {
  readonly type: string;
  readonly wrapped?: SchemaShape;
  readonly pipe?: readonly SchemaShape[];
  readonly options?: readonly (string | number)[];
  readonly requirement?: number;
}

/** Texts as people write them, and some that only machines do. */
const text = fc.oneof(fc.string({ maxLength: 12 }), fc.string({ unit: 'grapheme', maxLength: 8 }));

const shared: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  description: text.filter((value) => !value.includes('\u0000')),
  labels: fc.dictionary(fc.constantFrom('a', 'é', 'x/y', '~', 'tier'), fc.constantFrom('', 'b', '日本', '"', 'x: y'), {
    maxKeys: 3,
  }),
};

/** Fields whose values depend on more than their schema: a plugin's trigger on its package. */
const dependent: ReadonlySet<string> = new Set(['trigger']);

/** How many of the fields that a record need not have are given. */
const shareOfFields = 0.25;

/**
 * Values for fields of a family that need not be given: those whose schema says by itself what they may be. What the family's
 * rules do not take together is left out.
 * @param given the record so far
 */
export function withSchemaValues(
  g: GeneratorValue,
  family: Family,
  given: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const record: Record<string, unknown> = { ...given };
  for (const [name, schema] of Object.entries(family.fields)) {
    const values = name in record || dependent.has(name) ? undefined : (shared[name] ?? valuesOf(schema));
    if (values === undefined || g(fc.double, { min: 0, max: 1, noNaN: true }) > shareOfFields) continue;
    record[name] = g(() => values);
    if (!isTaken(family, record)) delete record[name];
  }
  return record;
}

function isTaken(family: Family, record: Readonly<Record<string, unknown>>): boolean {
  const { tenant_id: _, ...own } = record;
  const parsed = v.safeParse(writeSchema(family), own);
  return parsed.success && (family.rules ?? []).every((rule) => rule(parsed.output).length === 0);
}

function valuesOf(schema: SchemaShape): fc.Arbitrary<unknown> | undefined {
  if (schema.wrapped !== undefined) return valuesOf(schema.wrapped);
  const parts = schema.pipe ?? [schema];
  const [base] = parts;
  if (base?.type === 'optional' && base.wrapped !== undefined) return valuesOf(base.wrapped);
  if (base?.type === 'boolean') return fc.boolean();
  if (base?.type === 'picklist' && base.options !== undefined) return fc.constantFrom(...base.options);
  if (base?.type !== 'number') return undefined;
  const bound = (type: string): number | undefined => parts.find((part) => part.type === type)?.requirement;
  const [min, max] = [bound('min_value'), bound('max_value')];
  return min === undefined || max === undefined ? undefined : fc.integer({ min, max });
}
