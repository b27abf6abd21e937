import type { GenericSchema } from 'valibot';
import { validate } from '../http/field-problems.ts';
import type { FieldProblem } from '../http/problem.ts';
import type { Values } from './values.ts';

/** A record's `config` as the schema that its kind asks for reads it, and what is wrong with it. */
export interface TypedConfig {
  /** Defaults filled in; as it was sent where something is wrong or there is no schema. */
  readonly config: unknown;
  /** Pointers are into the record. */
  readonly problems: readonly FieldProblem[];
}

/** Where a config stands in its record. */
const place = '/config';

/**
 * Reads the `config` of a family whose records differ by kind.
 * @param schema of the record's kind; nothing for a kind that the family's own schema refuses
 * @param normalise what is done with a config that the schema took; its pointers are into the config
 */
export function readTypedConfig(
  schema: GenericSchema | undefined,
  values: Values,
  normalise: (config: Values) => { readonly config: Values; readonly problems: readonly FieldProblem[] } = asItIs,
): TypedConfig {
  const sent = values['config'];
  if (!schema) return { config: sent, problems: [] };
  const read = validate(schema, sent);
  const result = read.ok ? normalise(read.value as Values) : { config: sent, problems: read.problems };
  if (result.problems.length === 0) return { config: result.config, problems: [] };
  return {
    config: sent,
    problems: result.problems.map((problem) => ({ ...problem, pointer: `${place}${problem.pointer}` })),
  };
}

function asItIs(config: Values): { readonly config: Values; readonly problems: readonly FieldProblem[] } {
  return { config, problems: [] };
}
