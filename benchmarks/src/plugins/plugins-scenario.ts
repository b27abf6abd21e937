import { fileURLToPath } from 'node:url';
import type { BenchResult, FigureTree } from '../figures/result-line.ts';
import { textTable } from '../figures/table.ts';
import { startChild } from '../machine/child.ts';
import type { Scenario } from '../scenario.ts';
import { baseLine, caseNames, wholeBaseLine } from './case-names.ts';
import { comparisonRatios, comparisonText, type Comparison } from './comparison-report.ts';
import { logRate, logRateText, type LogRate } from './log-rate.ts';
import { measureCases, type MeasuredCases, type PluginCost } from './measured-cases.ts';
import { readOptions, repetitionsInitial, type PluginBenchOptions } from './plugin-options.ts';

const caseLimitMs = 120_000;
const scaleLimitMs = 600_000;

const program = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/**
 * Of all cases together, where nobody says how many repetitions are wanted: with what follows, a run ends within six minutes also where others
 * are at work.
 */
const casesBudgetMs = 180_000;

/** What each built-in plugin costs on a typical request. Source: the goals of the plugins in benchmarks/README.md. */
export const pluginsScenario: Scenario = {
  name: 'plugins',
  summary:
    'each built-in plugin on a typical request, some beside what others use, API keys among a million, and a log plugin whose sink is slow',
  options: `  --repetitions N (default ${repetitionsInitial})\n  --plugins NAME,NAME,… (default all)`,
  async run(args) {
    const options = readOptions(args, caseNames);
    const { costs, failures: failed } = await measured(options);
    const failures = new Map(failed);
    const compare = () => child<Comparison>('./comparisons.process.ts', [], scaleLimitMs);
    const comparison = options.isWhole ? await attempted('comparisons', failures, compare) : undefined;
    const scale = options.isWhole ? await attempted('key scale', failures, keyScale) : undefined;
    const rate = options.isWhole ? await attempted('log rate', failures, () => logRate(child)) : undefined;
    for (const [name, reason] of failures) console.error(`${name} failed: ${reason}\n`);
    if (failures.size > 0) process.exitCode = 1;
    return report(costs, { comparison, scale, rate }, [...failures.keys()]);
  },
};

function measured({ repetitions, isCountGiven, plugins }: PluginBenchOptions): Promise<MeasuredCases> {
  const effort = { repetitions, budgetMs: isCountGiven ? Number.POSITIVE_INFINITY : casesBudgetMs };
  const costOf = (name: string) => child<PluginCost>('./plugin-cost.process.ts', [name], caseLimitMs);
  return measureCases(plugins, effort, costOf, () => performance.now());
}

/** A part whose figures are missing when it fails: the others are told all the same. */
async function attempted<T>(
  part: string,
  failures: Map<string, string>,
  run: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await run();
  } catch (error) {
    failures.set(part, error instanceof Error ? error.message : String(error));
    return undefined;
  }
}

/** Nanoseconds of a request. */
interface KeyScale {
  readonly empty: number;
  /** Of ten clients, among 10 credentials and among 1,000,000. */
  readonly few: number;
  readonly same: number;
  /** Of 10,000 clients by turns, among 1,000,000. */
  readonly many: number;
  /** The digest of a key in a plain `Map` of 10, and of 1,000,000 asked by 10,000 clients: no plugin, no request. */
  readonly map_few: number;
  readonly map_many: number;
}

function keyScale(): Promise<KeyScale> {
  return child<KeyScale>('./key-scale.process.ts', [], scaleLimitMs, ['--max-old-space-size=8192']);
}

async function child<T>(
  name: string,
  args: readonly string[],
  limitMs: number,
  flags: readonly string[] = [],
): Promise<T> {
  const semiSpace = ['--max-semi-space-size=256', '--min-semi-space-size=256'];
  const command = [process.execPath, '--expose-gc', ...semiSpace, ...flags, '--conditions=@portcullis/source'] as const;
  return JSON.parse(await startChild([...command, program(name), ...args], {}, limitMs).output) as T;
}

/** What is measured beside the cases; a part that failed is missing. */
interface Parts {
  readonly comparison: Comparison | undefined;
  readonly scale: KeyScale | undefined;
  readonly rate: LogRate | undefined;
}

function report(
  costs: ReadonlyMap<string, PluginCost>,
  { comparison, scale, rate }: Parts,
  failed: readonly string[],
): BenchResult {
  const [base, wholeBase] = [costs.get(baseLine), costs.get(wholeBaseLine)];
  if (base === undefined || wholeBase === undefined) throw new Error(`the base line is missing: ${failed.join(', ')}`);
  const added = [...costs]
    .filter(([name]) => name !== baseLine && name !== wholeBaseLine)
    .map(([name, { nanoseconds, bytes, isWhole, firstUs }]) => ({
      name,
      nanoseconds: nanoseconds - (isWhole ? wholeBase : base).nanoseconds,
      bytes: bytes - (isWhole ? wholeBase : base).bytes,
      firstUs,
    }));
  const rows = added.map(({ name, nanoseconds, bytes, firstUs }) => [
    name,
    nanoseconds.toFixed(0),
    bytes.toFixed(0),
    firstUs?.toFixed(0) ?? '',
  ]);
  const baseRows = [
    ['(empty plugin)', base.nanoseconds.toFixed(0), base.bytes.toFixed(0), ''],
    ['(the same with a response)', wholeBase.nanoseconds.toFixed(0), wholeBase.bytes.toFixed(0), ''],
  ];
  console.log(`\n${textTable(['plugin', 'ns / call', 'bytes / call', 'first µs'], [...baseRows, ...rows])}\n`);
  if (comparison !== undefined) console.log(`${comparisonText(comparison)}\n`);
  if (scale !== undefined) {
    const [ten, same, all] = [scale.few, scale.same, scale.many].map((ns) => (ns - scale.empty).toFixed(0));
    const [mapTen, mapAll] = [scale.map_few, scale.map_many].map((ns) => ns.toFixed(0));
    console.log(`api_key_auth of ten clients: among 10 credentials ${ten} ns, among 1,000,000 ${same} ns`);
    console.log(`of 10,000 clients by turns among 1,000,000: ${all} ns; a plain Map: ${mapTen} and ${mapAll} ns\n`);
  }
  if (rate !== undefined) console.log(`${logRateText(rate)}\n`);
  const figures: FigureTree = Object.fromEntries(
    added.map(({ name, nanoseconds, bytes, firstUs }) => [name, { nanoseconds, bytes, first_us: firstUs ?? null }]),
  );
  return {
    bench: pluginsScenario.name,
    ratios: {
      ...(comparison === undefined ? {} : comparisonRatios(comparison)),
      ...(scale === undefined ? {} : keyRatios(scale)),
    },
    figures: {
      ...(comparison === undefined ? {} : { compared: comparison }),
      ...(rate === undefined ? {} : { log_rate: { ...rate } }),
      failed: Object.fromEntries(failed.map((name) => [name, true])),
      empty: { nanoseconds: base.nanoseconds, bytes: base.bytes },
      ...figures,
    },
  };
}

function keyRatios({ empty, few, same, many, map_few, map_many }: KeyScale): Readonly<Record<string, number>> {
  return {
    api_keys_million_to_ten: (same - empty) / (few - empty),
    api_keys_million_to_ten_whole_call: same / few,
    api_keys_million_cold_to_ten: (many - empty) / (few - empty),
    map_million_cold_to_ten: map_many / map_few,
  };
}
