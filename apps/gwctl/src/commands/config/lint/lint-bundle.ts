import type { BundleRecord } from '@portcullis/bundle-diff';
import { lintedBundle, textOf } from './linted-bundle.ts';
import { severities } from './rule.ts';
import type { LintRule, Severity } from './rule.ts';

/** What a rule found, and where. */
export interface Finding {
  readonly rule: string;
  readonly severity: Severity;
  readonly resource_type: string;
  readonly name: string | null;
  /** JSON Pointer into the bundle. */
  readonly pointer: string;
  readonly message: string;
}

/** Severities by rule; `off` takes a rule out. */
export type RuleSwitches = Readonly<Record<string, Severity | 'off'>>;

/**
 * What rules find in a bundle, the worst first, then in the order of the bundle.
 * @param document a bundle that `validateBundle` accepts
 */
export function lintBundle(
  document: BundleRecord,
  rules: readonly LintRule[],
  switches: RuleSwitches,
): readonly Finding[] {
  const bundle = lintedBundle(document);
  const findings = rules.flatMap((rule) => {
    const severity = switches[rule.id] ?? rule.severity;
    if (severity === 'off') return [];
    return rule.check(bundle).map(({ record, at, message }) => ({
      rule: rule.id,
      severity,
      resource_type: record.key,
      name: textOf(record.values, 'name') ?? textOf(record.values, 'username') ?? null,
      pointer: record.pointer + at,
      message,
    }));
  });
  return findings.toSorted((one, other) => severities.indexOf(other.severity) - severities.indexOf(one.severity));
}
