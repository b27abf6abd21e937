import { databaseKinds } from '../admin-api/options.ts';
import { median } from '../figures/quantile.ts';
import type { FigureTree } from '../figures/result-line.ts';
import { textTable } from '../figures/table.ts';
import type { LibraryMeasurement } from './measure-library.ts';
import { caseNames } from './measure-server.ts';
import type { Measurement } from './measure-server.ts';

/** Medians of one case over all repetitions; memory and waiting are the highest seen, the lowest and highest time are kept. */
export interface ConfigSummary extends Measurement {
  readonly lowestMs: number;
  readonly highestMs: number;
}

/** Medians by database, size and case. */
export function summarise(measured: readonly Measurement[]): readonly ConfigSummary[] {
  const groups = Map.groupBy(measured, ({ database, name, entities }) => JSON.stringify([database, name, entities]));
  return [...groups.values()].map(summaryOf).toSorted(byPlace);
}

function summaryOf(own: readonly Measurement[]): ConfigSummary {
  const [first] = own;
  if (first === undefined) throw new RangeError('a case without measurements');
  const all = (figure: (one: Measurement) => number): number[] => own.map(figure);
  const times = all((one) => one.ms);
  return {
    ...first,
    ms: median(times),
    lowestMs: Math.min(...times),
    highestMs: Math.max(...times),
    cpuMs: median(all((one) => one.cpuMs)),
    peakMegabytes: Math.max(...all((one) => one.peakMegabytes)),
    answerMegabytes: median(all((one) => one.answerMegabytes)),
    healthMs: Math.max(...all((one) => one.healthMs)),
    readMs: Math.max(...all((one) => one.readMs)),
    writeMs: Math.max(...all((one) => one.writeMs)),
  };
}

function byPlace(left: ConfigSummary, right: ConfigSummary): number {
  return (
    databaseKinds.indexOf(left.database) - databaseKinds.indexOf(right.database) ||
    left.entities - right.entities ||
    caseNames.indexOf(left.name) - caseNames.indexOf(right.name)
  );
}

/** The table that people read. */
export function serverTable(summaries: readonly ConfigSummary[]): string {
  const heads = ['case', 'ms', 'lowest', 'highest', 'CPU ms', 'peak MB', 'answer MB', 'health', 'read', 'write'];
  const whole = (value: number): string => Math.round(value).toLocaleString('en-US');
  const rows = summaries.map((one) => [
    `${one.database}: ${one.name} of ${one.entities.toLocaleString('en-US')}`,
    ...[one.ms, one.lowestMs, one.highestMs, one.cpuMs, one.peakMegabytes].map(whole),
    one.answerMegabytes.toFixed(2),
    ...[one.healthMs, one.readMs, one.writeMs].map(whole),
  ]);
  return textTable(heads, rows);
}

/** The steps of the library alone. */
export function libraryTable(measured: readonly LibraryMeasurement[]): string {
  const heads = ['library alone, ms', 'parse JSON', 'parse YAML', 'validate', 'resolve', 'diff'];
  const rows = measured.map((one) => [
    one.entities.toLocaleString('en-US'),
    ...[one.parseJsonMs, one.parseYamlMs, one.validateMs, one.resolveMs, one.diffMs].map((ms) => ms.toFixed(0)),
  ]);
  return textTable(heads, rows);
}

/** What a thousand entities of the largest bundle cost over what they cost in the smallest: 1 is linear. */
export function growthOf(summaries: readonly ConfigSummary[]): Readonly<Record<string, number>> {
  const groups = Map.groupBy(summaries, ({ database, name }) => `${database}_${name}`);
  return Object.fromEntries(
    [...groups].flatMap(([name, own]) => {
      const [smallest, largest] = [own.at(0), own.at(-1)];
      if (!smallest || !largest || smallest === largest) return [];
      return [[name, largest.cpuMs / largest.entities / (smallest.cpuMs / smallest.entities)]];
    }),
  );
}

/** The same figures for machines: database, then case and size. */
export function figuresOf(summaries: readonly ConfigSummary[], library: readonly LibraryMeasurement[]): FigureTree {
  const server = Map.groupBy(summaries, ({ database }) => database);
  return {
    ...Object.fromEntries(
      [...server].map(([database, own]) => [
        database,
        Object.fromEntries(own.map((one) => [`${one.name}_${one.entities}`, figureOf(one)])),
      ]),
    ),
    library: Object.fromEntries(
      library.map(({ entities, parseJsonMs, parseYamlMs, validateMs, resolveMs, diffMs }) => [
        String(entities),
        {
          parse_json_ms: parseJsonMs,
          parse_yaml_ms: parseYamlMs,
          validate_ms: validateMs,
          resolve_ms: resolveMs,
          diff_ms: diffMs,
        },
      ]),
    ),
  };
}

function figureOf(one: ConfigSummary): FigureTree {
  return {
    ms: one.ms,
    lowest_ms: one.lowestMs,
    highest_ms: one.highestMs,
    cpu_ms: one.cpuMs,
    peak_mb: one.peakMegabytes,
    answer_mb: one.answerMegabytes,
    longest_health_ms: one.healthMs,
    longest_read_ms: one.readMs,
    longest_write_ms: one.writeMs,
  };
}
