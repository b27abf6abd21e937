import { describe, expect, it } from 'vitest';
import { sumOf, summaryLine } from './outcome.ts';
import { skipReasons } from './skip-reasons.ts';
import { readReport } from './vitest-report.ts';

const file = (status: string, ...tests: (readonly [string, string])[]) => ({
  name: 'x.test.ts',
  status,
  assertionResults: tests.map(([fullName, state]) => ({ fullName, status: state })),
});
const report = (...testResults: readonly object[]): string => JSON.stringify({ testResults });

describe('readReport', () => {
  it('counts tests by how they ended', () => {
    const text = report(
      file('failed', ['a', 'passed'], ['b', 'failed'], [' c', 'skipped'], ['d', 'pending'], ['e', 'todo']),
    );
    expect(readReport(text, 1)).toEqual({ passed: 1, failed: 1, skipped: 3, skippedNames: ['c', 'd', 'e'] });
  });

  it.each([
    [
      'a file that could not be loaded',
      report(file('failed'), file('passed', ['a', 'passed'])),
      1,
      { passed: 1, failed: 1 },
    ],
    ['an unhandled error beside passing tests', report(file('passed', ['a', 'passed'])), 1, { passed: 1, failed: 1 }],
    ['a run that wrote no report', undefined, null, { passed: 0, failed: 1 }],
    ['a good run', report(file('passed', ['a', 'passed'])), 0, { passed: 1, failed: 0 }],
  ])('counts %s', (_name, text, exitCode, expected) => {
    expect(readReport(text, exitCode)).toMatchObject(expected);
  });
});

describe('skipReasons', () => {
  it('counts per service and names every other skipped test', () => {
    const names = [
      'a (needs PORTCULLIS_TEST_LDAP_URL)',
      'b PORTCULLIS_TEST_REDIS_URL',
      'c PORTCULLIS_TEST_REDIS_URL',
      'd',
    ];
    expect(skipReasons(names, { PORTCULLIS_TEST_LDAP_URL: 'ldap://x', PORTCULLIS_TEST_REDIS_URL: '' })).toEqual([
      'skipped: 1 test for PORTCULLIS_TEST_LDAP_URL, which is set, but they were skipped all the same',
      'skipped: 2 tests for PORTCULLIS_TEST_REDIS_URL, which is not set',
      'skipped: d',
    ]);
  });
});

describe('summaryLine', () => {
  it('adds up and has the one form that others read', () => {
    expect(
      summaryLine(
        sumOf([
          { passed: 1, failed: 0, skipped: 2 },
          { passed: 3, failed: 1, skipped: 0 },
        ]),
      ),
    ).toBe('4 passed, 1 failed, 2 skipped');
  });
});
