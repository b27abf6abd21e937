import type { StandardIssue } from '@portcullis/plugin-runtime';
import type * as v from 'valibot';

/**
 * Lists and maps that are longer than their schema lets them be. Valibot checks every entry before it looks at the length: a list of
 * some 100,000 wrong entries takes it seconds, and gives as many mistakes. So lengths are looked at first, and what is too long is
 * the only mistake that is told.
 */
export function tooManyEntries(schema: v.GenericSchema, config: unknown): readonly StandardIssue[] {
  return [...longIn(schema, config, [])];
}

type Path = readonly (string | number)[];

/** A rule of a valibot pipe. */
interface Rule {
  readonly type: string;
  readonly requirement?: unknown;
  readonly message?: unknown;
}

/** The parts of valibot's schemas that hold other schemas, and the rules of a pipe. */
interface Parts {
  readonly wrapped?: v.GenericSchema;
  readonly item?: v.GenericSchema;
  readonly value?: v.GenericSchema;
  readonly entries?: Readonly<Record<string, v.GenericSchema>>;
  readonly options?: readonly v.GenericSchema[];
  readonly pipe?: readonly Rule[];
}

/** A list or map that is too long. */
interface TooLong extends StandardIssue {
  readonly kind: 'validation';
  /** The name by which the runtime knows the rule. */
  readonly type: string;
}

function* longIn(schema: v.GenericSchema, given: unknown, path: Path): Generator<TooLong> {
  if (typeof given !== 'object' || given === null) return;
  const { wrapped, item, value, entries, options, pipe = [] } = schema as unknown as Parts;
  if (wrapped !== undefined) yield* longIn(wrapped, given, path);
  else if (options !== undefined) yield* longInAll(options, given, path);
  else {
    const lengthRule = Array.isArray(given) ? 'max_length' : 'max_entries';
    const rule = pipe.find(({ type }) => type === lengthRule);
    const length = Array.isArray(given) ? given.length : Object.keys(given).length;
    if (typeof rule?.requirement === 'number' && length > rule.requirement) {
      yield { kind: 'validation', type: lengthRule, message: String(rule.message), path };
      return;
    }
    const schemaOf = (name: string): v.GenericSchema | undefined =>
      item ?? value ?? (entries !== undefined && Object.hasOwn(entries, name) ? entries[name] : undefined);
    for (const [name, one] of Object.entries(given)) {
      const inner = schemaOf(name);
      if (inner !== undefined) yield* longIn(inner, one, [...path, Array.isArray(given) ? Number(name) : name]);
    }
  }
}

/** Of alternatives, a value is too long when it is for each that speaks of its kind: the others refuse it as another type. */
function longInAll(options: readonly v.GenericSchema[], given: object, path: Path): readonly TooLong[] {
  const kind = Array.isArray(given) ? 'array' : 'object';
  const fitting = options.filter((option) => {
    const { item, value, entries } = option as unknown as Parts;
    return kind === 'array' ? item !== undefined : value !== undefined || entries !== undefined;
  });
  const found = fitting.map((option) => [...longIn(option, given, path)]);
  return found.find((issues) => issues.length === 0) === undefined ? (found[0] ?? []) : [];
}
