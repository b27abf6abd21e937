import { median } from '../figures/quantile.ts';
import type { FigureTree } from '../figures/result-line.ts';
import { textTable } from '../figures/table.ts';
import { cases } from './measurement.ts';
import type { CaseMeasurement, CaseName, Measurements } from './measurement.ts';
import { databaseKinds } from './options.ts';
import type { DatabaseKind } from './options.ts';

/** Medians of one case over all repetitions, and the lowest and highest rate: how far the median is to be trusted. */
export interface CaseSummary extends CaseMeasurement {
  readonly lowest: number;
  readonly highest: number;
}

/** The run's figures for one database. */
export interface DatabaseSummary {
  readonly database: DatabaseKind;
  readonly cases: readonly CaseSummary[];
  readonly pages: { readonly firstMs: number; readonly farMs: number } | undefined;
}

/** Medians by database, in the order of {@link databaseKinds}; a database without measurements is left out. */
export function summarise(measured: Measurements): readonly DatabaseSummary[] {
  return databaseKinds.flatMap((database) => {
    const own = measured.cases.filter((one) => one.database === database);
    const pages = measured.pages.filter((one) => one.database === database);
    if (own.length + pages.length === 0) return [];
    return [
      {
        database,
        cases: cases.flatMap(({ name }) => summaryOf(own.filter((one) => one.name === name))),
        pages:
          pages.length === 0
            ? undefined
            : { firstMs: median(pages.map((one) => one.firstMs)), farMs: median(pages.map((one) => one.farMs)) },
      },
    ];
  });
}

function summaryOf(own: readonly CaseMeasurement[]): readonly CaseSummary[] {
  const [first] = own;
  if (first === undefined) return [];
  const rates = own.map(({ perSecond }) => perSecond);
  const middle = (name: 'p50Ms' | 'p99Ms' | 'cpuSecondsPer1000'): Record<string, number> => {
    const values = own.flatMap((one) => one[name] ?? []);
    return values.length === 0 ? {} : { [name]: median(values) };
  };
  return [
    {
      database: first.database,
      name: first.name,
      perSecond: median(rates),
      lowest: Math.min(...rates),
      highest: Math.max(...rates),
      ...middle('p50Ms'),
      ...middle('p99Ms'),
      ...middle('cpuSecondsPer1000'),
    },
  ];
}

/** Creates over bare inserts with as many connections, and the far page over the first one. */
export function ratiosOf(summaries: readonly DatabaseSummary[]): Readonly<Record<string, number>> {
  const ratios = summaries.flatMap(({ database, cases: own, pages }) => {
    const rate = (name: CaseName): number | undefined => own.find((one) => one.name === name)?.perSecond;
    const over = (name: string, upper: number | undefined, lower: number | undefined): [string, number][] =>
      upper === undefined || lower === undefined ? [] : [[`${database}_${name}`, upper / lower]];
    return [
      ...over('create_1', rate('create_1'), rate('bare_1')),
      ...over('create_16', rate('create_16'), rate('bare_16')),
      ...over('create_16_tenants', rate('create_16_tenants'), rate('bare_16')),
      ...over('far_page', pages?.farMs, pages?.firstMs),
    ];
  });
  return Object.fromEntries(ratios);
}

/** The table that people read. */
export function summaryTable(summaries: readonly DatabaseSummary[]): string {
  const heads = ['case', 'per second', 'lowest', 'highest', 'p50 ms', 'p99 ms', 'CPU s / 1,000'];
  const whole = (value: number): string => Math.round(value).toLocaleString('en-US');
  const rows = summaries.flatMap(({ database, cases: own, pages }) => [
    ...own.map((one) => [
      `${database}: ${cases.find(({ name }) => name === one.name)?.what ?? one.name}`,
      whole(one.perSecond),
      whole(one.lowest),
      whole(one.highest),
      one.p50Ms?.toFixed(2) ?? '',
      one.p99Ms?.toFixed(2) ?? '',
      one.cpuSecondsPer1000?.toFixed(3) ?? '',
    ]),
    ...(pages === undefined
      ? []
      : [
          [`${database}: first page of the long list`, '', '', '', pages.firstMs.toFixed(2)],
          [`${database}: far page of the long list`, '', '', '', pages.farMs.toFixed(2)],
        ]),
  ]);
  return textTable(heads, rows);
}

/** The same figures for machines: database, then case. */
export function figuresOf(summaries: readonly DatabaseSummary[]): FigureTree {
  const ofCase = (one: CaseSummary): FigureTree => ({
    per_second: one.perSecond,
    per_second_lowest: one.lowest,
    per_second_highest: one.highest,
    ...(one.p50Ms === undefined ? {} : { p50_ms: one.p50Ms }),
    ...(one.p99Ms === undefined ? {} : { p99_ms: one.p99Ms }),
    ...(one.cpuSecondsPer1000 === undefined ? {} : { cpu_seconds_per_1000: one.cpuSecondsPer1000 }),
  });
  return Object.fromEntries(
    summaries.map(({ database, cases: own, pages }) => [
      database,
      {
        ...Object.fromEntries(own.map((one) => [one.name, ofCase(one)])),
        ...(pages === undefined ? {} : { first_page_ms: pages.firstMs, far_page_ms: pages.farMs }),
      },
    ]),
  );
}
