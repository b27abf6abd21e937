import * as v from 'valibot';
import { objectMistake } from './fields.ts';

type Sets = readonly (readonly string[])[];

/**
 * Secrets of which one set has to be whole. JSON Schema gets the rule as `anyOf`.
 * @param sets in the order in which they count when several are given
 */
export function oneSetOf<const Entries extends v.ObjectEntries>(
  entries: Entries,
  sets: Sets,
  message: string,
): v.GenericSchema<v.InferInput<v.StrictObjectSchema<Entries, undefined>>> {
  return v.pipe(
    v.strictObject(entries, objectMistake),
    v.check((given) => sets.some((set) => set.every((name) => isGiven(given, name))), message),
    v.metadata({ anyOf: sets.map((required) => ({ required: [...required] })) }),
  ) as v.GenericSchema<v.InferInput<v.StrictObjectSchema<Entries, undefined>>>;
}

function isGiven(given: object, name: string): boolean {
  return Object.hasOwn(given, name) && (given as Record<string, unknown>)[name] !== undefined;
}
