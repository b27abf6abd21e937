import * as v from 'valibot';
import { NO_OBJECT, UNKNOWN_FIELD } from './fields.ts';

/** One mistake of an input. */
export interface InputIssue {
  /** JSON Pointer from `{config, secrets}`: `/config/region`. */
  readonly pointer: string;
  /** What must hold there. It repeats no value. */
  readonly message: string;
}

/** A schema, the fields it has, and what is to be of it. */
export interface CheckedInput {
  readonly place: 'config' | 'secrets';
  readonly schema: v.GenericSchema;
  readonly names: ReadonlySet<string>;
  readonly value: unknown;
}

/**
 * All that is wrong with an input. The library takes a list for an object, stops at the first unknown field, and takes names that every
 * object has (`constructor`) for known ones: those are said here.
 */
export function inputIssues({ place, schema, names, value }: CheckedInput): readonly InputIssue[] {
  if (Array.isArray(value)) return [{ pointer: pointerTo([place]), message: NO_OBJECT }];
  const found = (v.safeParse(schema, value).issues ?? []).map(({ path = [], message }) => ({
    pointer: pointerTo([place, ...path.map(({ key }) => String(key))]),
    message,
  }));
  const given = typeof value === 'object' && value !== null ? Object.keys(value) : [];
  const unknown = given
    .filter((name) => !names.has(name))
    .map((name) => ({ pointer: pointerTo([place, name]), message: UNKNOWN_FIELD }));
  return [...found, ...unknown.filter(({ pointer }) => !found.some((issue) => issue.pointer === pointer))];
}

/** Source: RFC 6901, section 3. */
function pointerTo(tokens: readonly string[]): string {
  return tokens.map((token) => `/${token.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
