import * as v from 'valibot';
import { refuse } from './body-input.ts';
import { fieldProblemsOf } from './field-problems.ts';
import type { Operation, QueryParameter } from './operation.ts';
import { type FieldProblem, Problem } from './problem.ts';
import { isStorableText } from './text-problems.ts';

/**
 * The declared query parameters of a request, parsed. A parameter given twice is 400 unless repeatable; an unknown
 * one is ignored on reads and 400 on writes; a value out of bounds is 422.
 * Source: decisions, 7; wire contract, Paths and small rules.
 * @throws Problem for the first kind of mistake found; all bad values come together
 */
export function queryInput(
  operation: Pick<Operation, 'method' | 'query'>,
  query: URLSearchParams,
): Readonly<Record<string, unknown>> {
  const declared = new Map((operation.query ?? []).map((parameter) => [parameter.name, parameter]));
  for (const name of new Set(query.keys())) checkName(name, query, declared.get(name), operation.method);
  const input: Record<string, unknown> = {};
  const problems: FieldProblem[] = [];
  for (const parameter of declared.values()) {
    const given = query.getAll(parameter.name);
    if (given.length === 0 && parameter.required) problems.push(problemIn(parameter, 'required', 'is required'));
    const result = v.safeParse(parameter.schema, parameter.repeatable ? given : given[0]);
    if (result.success) input[parameter.name] = result.output;
    else if (given.length > 0) problems.push(...issuesOf(parameter, result.issues));
  }
  refuse(problems);
  return input;
}

function checkName(
  name: string,
  query: URLSearchParams,
  parameter: QueryParameter | undefined,
  method: Operation['method'],
): void {
  const values = query.getAll(name);
  if (values.length > 1 && !parameter?.repeatable) {
    throw new Problem('invalid_parameter', `The query parameter ${shown(name)} is given more than once`);
  }
  if (!parameter && method !== 'GET') {
    throw new Problem('invalid_parameter', `The query parameter ${shown(name)} is not known here`);
  }
  if (parameter && !values.every(isStorableText)) {
    throw new Problem('invalid_parameter', `The query parameter ${shown(name)} must not contain U+0000`);
  }
}

/** A caller's parameter name, short enough for an answer. */
function shown(name: string): string {
  return name.slice(0, 64).toWellFormed();
}

function issuesOf(parameter: QueryParameter, issues: readonly v.BaseIssue<unknown>[]): FieldProblem[] {
  const [first] = fieldProblemsOf(issues);
  return first ? [problemIn(parameter, first.code, first.message)] : [];
}

function problemIn(parameter: QueryParameter, code: string, message: string): FieldProblem {
  return { pointer: `/${parameter.name}`, code, message, in: 'query' };
}
