import type { StandardIssue } from '@portcullis/plugin-runtime';
import type * as v from 'valibot';
import { heldIn, partsOf, type ConfigPath, type SchemaRule } from './schema-parts.ts';

/**
 * Lists and maps that are longer than their schema lets them be. Valibot checks every entry before it looks at the length: a list of
 * some 100,000 wrong entries takes it seconds, and gives as many mistakes. So lengths are looked at first, and what is too long is
 * the only mistake that is told.
 */
export function tooManyEntries(schema: v.GenericSchema, config: unknown): readonly StandardIssue[] {
  return [...longIn(schema, config, [])];
}

/** A list or map that is too long. */
interface TooLong extends StandardIssue {
  readonly kind: 'validation';
  /** The name by which the runtime knows the rule. */
  readonly type: string;
}

function* longIn(schema: v.GenericSchema, given: unknown, path: ConfigPath): Generator<TooLong> {
  if (typeof given !== 'object' || given === null) return;
  const { type, wrapped, options, pipe } = partsOf(schema);
  if (wrapped !== undefined) yield* longIn(wrapped, given, path);
  else if (options !== undefined) yield* longInAll(options, given, path);
  else {
    const rule = pipe?.find(limitsEntries);
    // A map in place of a list is refused as such, and at once. A list in place of a map is read as one.
    const isLookedInto = Array.isArray(given) || type !== 'array';
    if (rule !== undefined && isLookedInto && Object.keys(given).length > Number(rule.requirement)) {
      yield { kind: 'validation', type: rule.type, message: String(rule.message), path };
    } else for (const held of heldIn(schema, given, path)) yield* longIn(...held);
  }
}

function limitsEntries({ type }: SchemaRule): boolean {
  return type === 'max_length' || type === 'max_entries';
}

/** Of alternatives, a value is too long when it is for each that speaks of its kind: the others refuse it as another type. */
function longInAll(options: readonly v.GenericSchema[], given: object, path: ConfigPath): readonly TooLong[] {
  const isList = Array.isArray(given);
  const fitting = options.filter((option) => {
    const { item, value, entries } = partsOf(option);
    return isList ? item !== undefined : value !== undefined || entries !== undefined;
  });
  const found = fitting.map((option) => [...longIn(option, given, path)]);
  return found.some((issues) => issues.length === 0) ? [] : (found[0] ?? []);
}
