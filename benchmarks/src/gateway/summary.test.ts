import { describe, expect, it } from 'vitest';
import type { Measurement } from './measurement.ts';
import { figuresOf, ratiosOf, summarise, summaryTable } from './summary.ts';

const one = (peer: string, mode: Measurement['mode'], cpu: number, more: Partial<Measurement> = {}): Measurement => ({
  peer,
  mode,
  cpuSecondsPer1000: cpu,
  requestsPerSecond: 10_000 * cpu,
  p50Ms: 1,
  p99Ms: 5,
  residentMegabytes: 90,
  errors: 0,
  ...more,
});

const measurements = [
  one('minimal', 'plain', 0.08),
  one('minimal', 'plain', 0.1),
  one('minimal', 'plain', 0.5),
  one('gateway', 'plain', 0.11, { reportedShare: 1 }),
  one('gateway', 'plain', 0.12, { reportedShare: 0.9, errors: 2 }),
  one('gateway', 'plain', 0.13, { reportedShare: 1, errors: 1 }),
  one('gateway', 'policies', 0.3),
  one('minimal', 'policies', 0.2),
];

describe('summaries of a run', () => {
  const summaries = summarise(measurements);

  it('take the median, so that one disturbed repetition decides nothing', () => {
    const [minimal] = summaries;
    expect(minimal).toMatchObject({ peer: 'minimal', mode: 'plain', cpuSecondsPer1000: 0.1, repetitions: 3 });
    expect(minimal).toMatchObject({ cpuLowest: 0.08, cpuHighest: 0.5, requestsPerSecond: 1000 });
    expect(minimal).not.toHaveProperty('reportedShare');
  });

  it('add errors up, and keep the worst share of reported requests', () => {
    expect(summaries[1]).toMatchObject({ peer: 'gateway', errors: 3, reportedShare: 0.9 });
  });

  it('compare plain with plain and policies with policies', () => {
    const ratios = ratiosOf(summaries);
    expect(Object.keys(ratios)).toEqual(['plain', 'policies']);
    expect(ratios['plain']).toBeCloseTo(1.2, 9);
    expect(ratios['policies']).toBeCloseTo(1.5, 9);
  });

  it('compare with every other peer by name', () => {
    const more = summarise([...measurements, one('nginx', 'plain', 0.03), one('HAProxy', 'policies', 0.1)]);
    expect(Object.keys(ratiosOf(more))).toEqual(['plain', 'plain, nginx', 'policies', 'policies, HAProxy']);
    expect(ratiosOf(more)['plain, nginx']).toBeCloseTo(4, 9);
  });

  it('give no ratio where one of the two was not measured', () => {
    expect(ratiosOf(summarise([one('gateway', 'plain', 1), one('minimal', 'policies', 1)]))).toEqual({});
  });

  it('make one row and one entry for each peer and mode', () => {
    const rows = summaryTable(summaries).split('\n').slice(2);
    expect(rows.map((row) => row.split(/ {2,}/)[0])).toEqual([
      'minimal, plain',
      'gateway, plain',
      'minimal, policies',
      'gateway, policies',
    ]);
    expect(rows[0]).toMatch(/0\.1000 +0\.0800 +0\.5000 +1,000 +1\.00 +5\.00 +90 +0$/);
    expect(figuresOf(summaries)).toMatchObject({
      plain: { minimal: { cpu_seconds_per_1000: 0.1, rps: 1000 }, gateway: { reported_share: 0.9 } },
      policies: { gateway: { cpu_seconds_per_1000: 0.3 } },
    });
  });
});
