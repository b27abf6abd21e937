import type { Outcome } from './outcome.ts';

/** The part of vitest's JSON report that is read. */
interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

/** Counts, and the full names of what was skipped. */
export interface TestOutcome extends Outcome {
  readonly skippedNames: readonly string[];
}

/**
 * Reads a report. A file that failed as a whole (it could not be loaded) counts as one failure, and so does a run that
 * failed without any failed test: an unhandled error, or a run that wrote no report.
 * @param text the report, undefined when there is none.
 * @param exitCode of vitest; null when a signal ended it.
 */
export function readReport(text: string | undefined, exitCode: number | null): TestOutcome {
  const files = text === undefined ? [] : (JSON.parse(text) as Report).testResults;
  const tests = files.flatMap((file) => file.assertionResults);
  const brokenFiles = files.filter(
    (file) => file.status === 'failed' && file.assertionResults.every((test) => test.status !== 'failed'),
  ).length;
  const failedTests = tests.filter((test) => test.status === 'failed').length + brokenFiles;
  const skippedNames = tests
    .filter((test) => test.status !== 'passed' && test.status !== 'failed')
    .map((test) => test.fullName.trim());
  return {
    passed: tests.filter((test) => test.status === 'passed').length,
    failed: failedTests === 0 && exitCode !== 0 ? 1 : failedTests,
    skipped: skippedNames.length,
    skippedNames,
  };
}
