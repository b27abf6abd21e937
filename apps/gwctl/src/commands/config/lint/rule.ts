import type { LintedBundle, LintRecord } from './linted-bundle.ts';

/** How much a finding matters, the worst last. */
export const severities = ['info', 'warning', 'error'] as const;

/** See {@link severities}. */
export type Severity = (typeof severities)[number];

/** What a rule says about a record. */
export interface RuleFinding {
  readonly record: LintRecord;
  /** JSON Pointer within the record, such as `/url`; empty for all of it. */
  readonly at: string;
  /** Says why it is unwise, and holds no value that may be secret. */
  readonly message: string;
}

/** One thing that is legal but unwise. */
export interface LintRule {
  /** Stable, in kebab-case: what switches name. */
  readonly id: string;
  readonly description: string;
  /** Where no switch says another. */
  readonly severity: Severity;
  readonly check: (bundle: LintedBundle) => readonly RuleFinding[];
}
