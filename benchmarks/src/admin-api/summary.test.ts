import { describe, expect, it } from 'vitest';
import { figuresOf, ratiosOf, summarise, summaryTable } from './summary.ts';
import type { CaseMeasurement, CaseName } from './measurement.ts';

const one = (name: CaseName, perSecond: number, cpu?: number): CaseMeasurement => ({
  database: 'sqlite',
  name,
  perSecond,
  ...(cpu !== undefined && { p50Ms: 1, p99Ms: 9, cpuSecondsPer1000: cpu }),
});

const measured = {
  cases: [
    one('bare_1', 1000),
    one('bare_1', 5000),
    one('bare_1', 2000),
    one('create_1', 500, 1.5),
    one('create_1', 400, 0.5),
    one('create_1', 900, 1),
    { ...one('read_1', 10, 1), database: 'postgres' as const },
  ],
  pages: [
    { database: 'sqlite' as const, firstMs: 2, farMs: 5 },
    { database: 'sqlite' as const, firstMs: 4, farMs: 90 },
    { database: 'sqlite' as const, firstMs: 3, farMs: 6 },
  ],
};

describe('summaries of a run', () => {
  const summaries = summarise(measured);

  it('take medians, so that one disturbed repetition decides nothing', () => {
    expect(summaries.map(({ database }) => database)).toEqual(['sqlite', 'postgres']);
    expect(summaries[0]?.cases[0]).toEqual({
      database: 'sqlite',
      name: 'bare_1',
      perSecond: 2000,
      lowest: 1000,
      highest: 5000,
    });
    expect(summaries[0]?.cases[1]).toMatchObject({ perSecond: 500, cpuSecondsPer1000: 1 });
    expect(summaries[0]?.pages).toEqual({ firstMs: 3, farMs: 6 });
  });

  it('compare creates with bare inserts and the far page with the first, where both are there', () => {
    expect(ratiosOf(summaries)).toEqual({ sqlite_create_1: 0.25, sqlite_far_page: 2 });
  });

  it('make a row and an entry of each case and page', () => {
    const rows = summaryTable(summaries).split('\n').slice(2);
    expect(rows.map((row) => row.split(/ {2,}/)[0])).toEqual([
      'sqlite: bare insert, 1 connection',
      'sqlite: create, 1 caller',
      'sqlite: first page of the long list',
      'sqlite: far page of the long list',
      'postgres: read, 1 caller',
    ]);
    expect(rows[1]).toMatch(/ 500 +400 +900 +1\.00 +9\.00 +1\.000$/);
    expect(figuresOf(summaries)).toMatchObject({
      sqlite: { create_1: { per_second: 500, cpu_seconds_per_1000: 1 }, far_page_ms: 6 },
      postgres: { read_1: { per_second: 10 } },
    });
  });
});
