import type * as v from 'valibot';

/** Codes of rules. What is not among them is about the form of a value. */
const ruleCodes: Readonly<Record<string, string>> = {
  min_length: 'min_length',
  non_empty: 'min_length',
  min_entries: 'min_length',
  max_length: 'max_length',
  max_entries: 'max_length',
  min_value: 'min_value',
  gt_value: 'min_value',
  max_value: 'max_value',
  lt_value: 'max_value',
  integer: 'integer',
};

const choiceTypes: ReadonlySet<string> = new Set(['picklist', 'enum', 'literal', 'variant']);

/**
 * The stable code of what a schema found wrong with a field that is known and given, or missing: programs decide by it, so it
 * says nothing of the library. Source: wire contract, Errors.
 */
export function problemCode(issue: Pick<v.BaseIssue<unknown>, 'kind' | 'type' | 'received'>): string {
  if (issue.kind !== 'schema') return ruleCodes[issue.type] ?? 'format';
  if (choiceTypes.has(issue.type)) return 'one_of';
  return issue.received === 'undefined' ? 'required' : 'type';
}
