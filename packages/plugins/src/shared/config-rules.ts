import * as v from 'valibot';

/** A field, or fields that are needed together. */
export type Alternative = string | readonly string[];

type Config = Record<string, unknown>;

/**
 * Requires one of several alternatives at least. Says so in both worlds: a check for configs, and `anyOf` for the JSON Schema,
 * which the converter cannot derive from a check.
 */
export function requireOneOf<Schema extends v.GenericSchema<Config, Config>>(
  schema: Schema,
  alternatives: readonly Alternative[],
): Schema {
  const groups = alternatives.map((alternative) => (typeof alternative === 'string' ? [alternative] : alternative));
  const words = groups.map((fields) => fields.join(' with ')).join(', ');
  const checked: v.GenericSchema<Config, Config> = v.pipe(
    schema,
    v.check(
      (config: Config) => groups.some((fields) => fields.every((field) => config[field] !== undefined)),
      `needs at least one of ${words}`,
    ),
    v.metadata({ anyOf: groups.map((required) => ({ required })) }),
  );
  // Checks change no type, but a pipe has the type of its last part.
  return checked as Schema;
}

/** A mistake that only shows between fields. */
export interface CrossFieldIssue {
  readonly field: string;
  /** Of the entry of the field's list. Default: the mistake is the field's. */
  readonly index?: number;
  readonly message: string;
}

/** Adds a rule between fields to a config. All its issues are reported, each at its field. */
export function crossFieldRule<Schema extends v.GenericSchema<Config, Config>>(
  schema: Schema,
  rule: (config: v.InferOutput<Schema>) => readonly CrossFieldIssue[],
): Schema {
  const checked: v.GenericSchema<Config, Config> = v.pipe(
    schema,
    v.rawCheck<Config>(({ dataset, addIssue }) => {
      if (!dataset.typed) return;
      const input = dataset.value;
      for (const { field: key, index, message } of rule(input)) {
        const value = input[key];
        const field = { type: 'object', origin: 'value', input, key, value } as const;
        if (index === undefined || !Array.isArray(value)) addIssue({ message, path: [field] });
        else {
          const entry = { type: 'array', origin: 'value', input: value, key: index, value: value[index] } as const;
          addIssue({ message, path: [field, entry] });
        }
      }
    }),
  );
  // As above.
  return checked as Schema;
}

/** Two names of one setting: both may be given only with one meaning. */
export function sameOrAbsent(config: Config, first: string, second: string): readonly CrossFieldIssue[] {
  const isContradiction =
    config[first] !== undefined && config[second] !== undefined && config[first] !== config[second];
  return isContradiction ? [{ field: second, message: `is another name of ${first} and says something else` }] : [];
}
