import * as v from 'valibot';

/** A mistake in a config. */
export interface ConfigProblem {
  /** A JSON pointer into what was read. */
  readonly pointer: string;
  readonly message: string;
}

/** What was read is no config of its kind. Messages hold none of its values. */
export class InvalidConfigError extends Error {
  override readonly name = 'InvalidConfigError';
  readonly problems: readonly ConfigProblem[];

  /** @param what for people, for instance `model route chat` */
  constructor(what: string, problems: readonly ConfigProblem[]) {
    super(`${what}: ${problems.map(({ pointer, message }) => `${pointer || '/'} ${message}`).join('; ')}`);
    this.problems = problems;
  }
}

/**
 * What a schema makes of a value.
 * @throws InvalidConfigError
 */
export function readConfig<Output>(schema: v.GenericSchema<unknown, Output>, given: unknown, what: string): Output {
  const result = v.safeParse(schema, given);
  if (result.success) return result.output;
  const problems = result.issues.map((issue) => ({
    pointer: (issue.path ?? []).map(({ key }) => `/${pointerPart(String(key))}`).join(''),
    message: issue.message,
  }));
  throw new InvalidConfigError(what, problems);
}

/** A name as a part of a JSON pointer. Source: RFC 6901. */
export function pointerPart(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** Two names of one field that say different things. */
export interface AliasProblem {
  readonly field: string;
  readonly message: string;
}

/** Contradictions between fields and their other names. @param aliases other name → field */
export function aliasProblems(
  given: Readonly<Record<string, unknown>>,
  aliases: Readonly<Record<string, string>>,
): readonly AliasProblem[] {
  const named = new Map<string, unknown>(Object.values(aliases).map((field) => [field, given[field]]));
  const problems: AliasProblem[] = [];
  for (const [alias, field] of Object.entries(aliases)) {
    const value = given[alias];
    const before = named.get(field);
    if (value === undefined) continue;
    if (before === undefined) named.set(field, value);
    else if (JSON.stringify(listed(before)) !== JSON.stringify(listed(value))) {
      problems.push({ field: alias, message: `is another name of ${field} and says something else` });
    }
  }
  return problems;
}

/** A rule between the fields of an object. */
export function fieldRule<Fields extends object>(
  schema: v.GenericSchema<Fields>,
  rule: (given: Readonly<Record<string, unknown>>) => readonly AliasProblem[],
): v.GenericSchema<Fields> {
  return v.pipe(
    schema,
    v.rawCheck<Fields>(({ dataset, addIssue }) => {
      if (!dataset.typed) return;
      const input = Object.fromEntries(Object.entries(dataset.value)) as Readonly<Record<string, unknown>>;
      for (const { field: key, message } of rule(input)) {
        addIssue({ message, path: [{ type: 'object', origin: 'value', input, key, value: input[key] }] });
      }
    }),
  );
}

/** One text says the same as a list of it. */
function listed(value: unknown): unknown {
  return typeof value === 'string' ? [value] : value;
}
