import { FakeClock } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { DatabaseUnavailableError } from '../database/database-errors.ts';
import { HashQueueFullError } from '../identity/password-hasher.ts';
import { createFailureReport, type UnavailableCause } from './failure-report.ts';
import { Problem } from './problem.ts';

function reporting() {
  const clock = new FakeClock();
  const lines: { readonly facts: Readonly<Record<string, unknown>>; readonly message: string }[] = [];
  const counted: UnavailableCause[] = [];
  const keep = (facts: Readonly<Record<string, unknown>>, message: string): void => void lines.push({ facts, message });
  const report = createFailureReport({
    log: { debug: keep, info: keep, warn: keep, error: keep },
    monotonicMs: clock.monotonicMs,
    onUnavailable: (cause) => counted.push(cause),
  });
  return { clock, lines, counted, report };
}

const full = () => new DatabaseUnavailableError('SQLITE_FULL: database or disk is full');

describe('the report of failures', () => {
  it('counts every 503 by its cause, also those that a bound gives', () => {
    const { report, counted } = reporting();
    const thrown = [full(), full(), new HashQueueFullError('full'), new Problem('unavailable', 'Too many bundles')];
    const problems = thrown.map((error) => report.problemOf(error, 'r'));
    expect(problems.map(({ status }) => status)).toEqual([503, 503, 503, 503]);
    expect(problems.map(({ detail }) => detail).at(-1)).toBe('Too many bundles');
    expect(counted).toEqual(['database', 'database', 'password_hashing', 'heavy_work']);
  });

  it('writes one short line for each cause in ten seconds, without a stack, and the number of those between', () => {
    const { report, clock, lines } = reporting();
    for (let request = 0; request < 1000; request += 1) report.problemOf(full(), `r${request}`);
    report.problemOf(new HashQueueFullError('full'), 'other');
    clock.advance(9_999);
    report.problemOf(full(), 'still');
    clock.advance(1);
    report.problemOf(full(), 'later');
    const reason = 'SQLITE_FULL: database or disk is full';
    expect(lines.map(({ facts }) => facts)).toEqual([
      { cause: 'database', reason, request_id: 'r0', unlogged: 0 },
      { cause: 'password_hashing', reason: 'full', request_id: 'other', unlogged: 0 },
      { cause: 'database', reason, request_id: 'later', unlogged: 1000 },
    ]);
  });

  it('bounds the reason', () => {
    const { report, lines } = reporting();
    report.problemOf(new DatabaseUnavailableError('x'.repeat(5_000)), 'r');
    expect(String(lines[0]?.facts['reason'])).toHaveLength(200);
  });

  it('logs every bug, with the error itself, and counts and logs no refusal', () => {
    const { report, lines, counted } = reporting();
    const bug = new TypeError('a bug');
    expect(report.problemOf(bug, 'r1').code).toBe('internal');
    expect(report.problemOf('thrown text', 'r2').code).toBe('internal');
    expect(report.problemOf(new Problem('name_exists', 'There is one'), 'r3').code).toBe('name_exists');
    expect(lines.map(({ facts }) => facts)).toEqual([
      { err: bug, request_id: 'r1' },
      { err: 'thrown text', request_id: 'r2' },
    ]);
    expect(counted).toEqual([]);
  });
});
