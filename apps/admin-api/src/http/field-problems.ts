import { problemCode } from '@portcullis/resources';
import * as v from 'valibot';
import type { FieldProblem } from './problem.ts';
import { misplacedLists } from './misplaced-lists.ts';
import { fieldProblemsMax, pointerTo } from './text-problems.ts';

/** The outcome of validating a value: what the schema makes of it, or every mistake in it. */
export type Validation<Output> =
  | { readonly ok: true; readonly value: Output }
  | { readonly ok: false; readonly problems: readonly FieldProblem[] };

/**
 * Validates a value and collects all its mistakes, at most 100. The schema library names only the first unknown field
 * of each object; unknown fields are therefore taken away and looked for again.
 */
export function validate<Schema extends v.GenericSchema>(
  schema: Schema,
  value: unknown,
): Validation<v.InferOutput<Schema>> {
  const lists = misplacedLists(schema, value).map(listProblem);
  const result = v.safeParse(schema, value);
  if (result.success && lists.length === 0) return { ok: true, value: result.output };
  const problems = fieldProblemsOf(result.issues ?? []);
  const unknown = problems.filter((problem) => problem.code === unknownField);
  const all = [...lists, ...problems, ...furtherUnknownFields(schema, value, unknown)];
  return { ok: false, problems: all.filter((problem) => !isInside(problem, lists)).slice(0, fieldProblemsMax) };
}

function furtherUnknownFields(
  schema: v.GenericSchema,
  value: unknown,
  first: readonly FieldProblem[],
): readonly FieldProblem[] {
  const further: FieldProblem[] = [];
  if (first.length === 0) return further;
  const rest = structuredClone(value);
  let unknown = first;
  for (let pass = 0; pass < unknownFieldPassesMax && unknown.length > 0; pass += 1) {
    const removed = unknown.filter((problem) => removeAt(rest, problem.pointer));
    const issues = removed.length > 0 ? v.safeParse(schema, rest).issues : undefined;
    unknown = fieldProblemsOf(issues ?? []).filter((problem) => problem.code === unknownField);
    further.push(...unknown);
  }
  return further;
}

function listProblem(pointer: string): FieldProblem {
  return { pointer, code: 'type', message: 'must be an object' };
}

/** Whether a mistake is about the content of a list that has no business being there. */
function isInside(problem: FieldProblem, lists: readonly FieldProblem[]): boolean {
  return lists.some((list) => problem !== list && problem.pointer.startsWith(list.pointer));
}

/** Issues of the schema library as mistakes with pointers and stable codes. Values are never repeated in them. */
export function fieldProblemsOf(issues: readonly v.BaseIssue<unknown>[]): FieldProblem[] {
  return issues.slice(0, fieldProblemsMax).flatMap((issue) => problemsOf(issue, ''));
}

const unknownField = 'unknown_field';
/** How often a body is validated again to name further unknown fields of the same object. */
const unknownFieldPassesMax = 20;

/** What each schema of the library asks for, in words. */
const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  strict_tuple: 'a list',
  object: 'an object',
  strict_object: 'an object',
  loose_object: 'an object',
  record: 'an object',
  null: 'null',
};

/** Words for rules that schemas state without a message of their own. */
const ruleNames: Readonly<Record<string, (requirement: unknown) => string>> = {
  min_value: (bound) => `must be at least ${String(bound)}`,
  max_value: (bound) => `must be at most ${String(bound)}`,
  gt_value: (bound) => `must be above ${String(bound)}`,
  lt_value: (bound) => `must be below ${String(bound)}`,
  min_length: (bound) => `must have a length of at least ${String(bound)}`,
  max_length: (bound) => `must have a length of at most ${String(bound)}`,
  non_empty: () => 'must not be empty',
  integer: () => 'must be a whole number',
  url: () => 'must be a URL',
  regex: () => 'has the wrong form',
};

function problemsOf(issue: v.BaseIssue<unknown>, parent: string): FieldProblem[] {
  const path = issue.path ?? [];
  const pointer = path.reduce((place, item) => pointerTo(place, String(item.key)), parent);
  const isKeyIssue = path.at(-1)?.origin === 'key';
  if (issue.kind === 'schema' && isKeyIssue && objectTypes.has(issue.type)) {
    return issue.expected === 'never'
      ? [{ pointer, code: unknownField, message: 'is not a known field' }]
      : [{ pointer, code: 'required', message: 'is required' }];
  }
  if (issue.type === 'union' && issue.issues) {
    const nested = issue.issues.filter((inner) => inner.path !== undefined || inner.kind !== 'schema');
    if (nested.length > 0) return nested.flatMap((inner) => problemsOf(inner, pointer));
  }
  return [{ pointer, code: problemCode(issue), message: ownMessage(issue) ?? standardMessage(issue) }];
}

const objectTypes: ReadonlySet<string> = new Set(['strict_object', 'object', 'loose_object']);
const choiceTypes: ReadonlySet<string> = new Set(['picklist', 'enum', 'literal', 'variant']);

/** The schema author's message, or nothing when the library made one: that one repeats the caller's value. */
function ownMessage(issue: v.BaseIssue<unknown>): string | undefined {
  return /^Invalid [^:]+: (?:Expected [\s\S]* but received|Received) /.test(issue.message) ? undefined : issue.message;
}

function standardMessage(issue: v.BaseIssue<unknown>): string {
  if (issue.kind !== 'schema') return ruleNames[issue.type]?.(issue.requirement) ?? 'is invalid';
  if (choiceTypes.has(issue.type)) return `must be one of ${String(issue.expected)}`;
  if (issue.received === 'undefined') return 'is required';
  const typeName = typeNames[issue.type];
  return typeName === undefined ? 'has the wrong type' : `must be ${typeName}`;
}

/** Removes the field that a pointer names. False when there is none. */
function removeAt(document: unknown, pointer: string): boolean {
  const steps = pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  const last = steps.pop();
  let place: unknown = document;
  for (const step of steps) place = isContainer(place) ? place[step] : undefined;
  return last !== undefined && isContainer(place) && Object.hasOwn(place, last) && delete place[last];
}

function isContainer(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
