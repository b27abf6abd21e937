import * as v from 'valibot';
import type { QueryParameter } from '../../http/operation.ts';

/** A place in a log, from 0 (before the first record) on; nothing when it is not given. */
export function sequenceParameter(name: string, description: string, least = 0): QueryParameter {
  const schema = v.optional(
    v.pipe(
      v.string(),
      v.regex(/^[0-9]{1,15}$/, 'must be a whole number of at most 15 digits'),
      v.transform(Number),
      v.number(),
      v.minValue(least, `must be at least ${least}`),
      v.metadata({ type: 'integer' }),
    ),
  );
  return { name, description, schema };
}
