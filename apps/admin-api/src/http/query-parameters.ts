import { maxCharacters } from '@portcullis/resources';
import * as v from 'valibot';
import type { QueryParameter } from './operation.ts';

/** A whole number in a range, with a default for when it is not given. */
export function integerParameter(
  name: string,
  description: string,
  range: { readonly minimum: number; readonly maximum: number; readonly fallback: number },
): QueryParameter {
  const schema = v.optional(
    v.pipe(
      v.string(),
      v.regex(/^-?[0-9]{1,15}$/, 'must be a whole number'),
      v.transform(Number),
      v.number(),
      v.minValue(range.minimum, `must be at least ${range.minimum}`),
      v.maxValue(range.maximum, `must be at most ${range.maximum}`),
      v.metadata({ type: 'integer' }),
    ),
    String(range.fallback),
  );
  return { name, description: `${description} Default ${range.fallback}.`, schema };
}

/** `true` or `false`; nothing when it is not given. */
export function booleanParameter(name: string, description: string): QueryParameter {
  const schema = v.optional(
    v.pipe(
      v.picklist(['true', 'false'], 'must be true or false'),
      v.transform((text) => text === 'true'),
      v.boolean(),
    ),
  );
  return { name, description, schema };
}

/** Free text up to a length. */
export function textParameter(name: string, description: string, lengthMax = 256): QueryParameter {
  return {
    name,
    description,
    schema: v.optional(v.pipe(v.string(), maxCharacters(lengthMax))),
  };
}

/** One of some words, with a default for when it is not given. */
export function choiceParameter<const Words extends readonly [string, ...string[]]>(
  name: string,
  description: string,
  words: Words,
  fallback?: Words[number],
): QueryParameter {
  const choice = v.picklist(words, `must be one of ${words.join(', ')}`);
  return { name, description, schema: fallback === undefined ? v.optional(choice) : v.optional(choice, fallback) };
}

/** The tenant that an operation is about; see `createTenantScope`. */
export const tenantIdParameter: QueryParameter = textParameter(
  'tenant_id',
  "The tenant's slug. Needed from a super administrator; anyone else may only name the own tenant.",
  128,
);

/** `skip` and `limit` of lists. Over the cap is 422, not a silent clamp. Source: wire contract, Lists and records. */
export const pageParameters: readonly QueryParameter[] = [
  integerParameter('skip', 'How many records to pass over.', { minimum: 0, maximum: 100_000_000, fallback: 0 }),
  integerParameter('limit', 'How many records to give at most.', { minimum: 1, maximum: 200, fallback: 50 }),
];
