import * as v from 'valibot';
import type { FieldEntries } from '../../family.ts';
import * as field from '../../fields.ts';
import { maxCharacters, minCharacters } from '../../text-length.ts';

/** Characters of names of models, providers and indexes. */
export const aiNameLengthMax = 256;
/** Patterns, targets or hints in one list. */
export const aiListItemsMax = 256;
/** Characters of one hint or keyword. */
const hintLengthMax = 1000;

/** The name of a model, a provider, a group. */
export const aiName: v.GenericSchema<string> = v.pipe(
  v.string(),
  minCharacters(1),
  maxCharacters(aiNameLengthMax),
  v.check(field.hasNoControlCharacters, 'must not contain control characters'),
);

/** Which models are meant: an exact name, `*`, or the beginning of names with `*` after it. Source: spec, AI gateway records. */
export const modelPattern: v.GenericSchema<string> = v.pipe(
  aiName,
  v.check((text) => !text.slice(0, -1).includes('*'), 'may hold a * only as its last character'),
);

/** A number within bounds that both count as within. */
export function numberBetween(minimum: number, maximum: number): v.GenericSchema<number> {
  return v.pipe(
    v.number(),
    v.minValue(minimum, `must be at least ${minimum}`),
    v.maxValue(maximum, `must be at most ${maximum}`),
  );
}

/** A whole number within bounds that both count as within. */
export function integerBetween(minimum: number, maximum: number): v.GenericSchema<number> {
  return v.pipe(v.number(), v.integer('must be a whole number'), numberBetween(minimum, maximum));
}

/** A whole number from `minimum` on: bounds that runtimes clamp to are no business of what is stored. */
export function countFrom(minimum: number): v.GenericSchema<number> {
  return integerBetween(minimum, Number.MAX_SAFE_INTEGER);
}

/** Texts that a prompt is compared with: one, or a list. It becomes a list. */
export const hintTexts: v.GenericSchema<string | string[], string[]> = v.pipe(
  v.union([hint(), v.pipe(v.array(hint()), v.maxLength(aiListItemsMax, `must have at most ${aiListItemsMax} items`))]),
  v.transform((given) => (Array.isArray(given) ? given : [given])),
);

/** Other names that a config accepts for its fields: alias → field. */
export type ConfigAliases = Readonly<Record<string, string>>;

/** The entries with each alias as another name of its field, and neither required by the shape: see `withoutAliases`. */
export function withAliases(entries: FieldEntries, aliases: ConfigAliases): FieldEntries {
  const twins = Object.entries(aliases).map(([alias, name]) => [alias, entries[name]]);
  return { ...entries, ...(Object.fromEntries(twins) as FieldEntries) };
}

function hint() {
  return v.pipe(v.string(), minCharacters(1), maxCharacters(hintLengthMax));
}
