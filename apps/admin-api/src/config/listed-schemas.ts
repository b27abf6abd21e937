import * as v from 'valibot';

/** What answers say of lists that are bounded; see `listed-max.ts`. */

export const notListedSchema = v.optional(
  v.pipe(
    v.object({ changes: v.number(), unmanaged: v.number() }),
    v.description(
      'How many are left out of these lists, which are bounded; absent where none is. `summary` counts all',
    ),
  ),
);

export const resultsNotListedSchema = v.optional(
  v.pipe(v.number(), v.description('How many lines are left out of `results`; absent where none is. `counts` has all')),
);
