import { fileURLToPath } from 'node:url';
import { median } from '../figures/quantile.ts';
import type { BenchResult, FigureTree } from '../figures/result-line.ts';
import { textTable } from '../figures/table.ts';
import { OptionError } from '../gateway/bench-options.ts';
import { startChild } from '../machine/child.ts';
import type { Scenario } from '../scenario.ts';
import { baseLine, caseNames, wholeBaseLine } from './case-names.ts';
import { comparisonRatios, comparisonText, type Comparison } from './comparison-report.ts';
import { readOptions, repetitionsInitial, type PluginBenchOptions } from './plugin-options.ts';

const caseLimitMs = 120_000;
const scaleLimitMs = 600_000;

const program = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** What one plugin costs on one request. */
interface PluginCost {
  /** Processor time. */
  readonly nanoseconds: number;
  /** Memory that has to be collected afterwards. */
  readonly bytes: number;
  /** Whether the response stage and the end of the exchange are in it. */
  readonly isWhole: boolean;
  /** Processor time of a request with a credential that was not seen before, in microseconds. */
  readonly firstUs?: number;
}

/** What each built-in plugin costs on a typical request. Source: the goals of the plugins in benchmarks/README.md. */
export const pluginsScenario: Scenario = {
  name: 'plugins',
  summary:
    'each built-in plugin on a typical request, limiters and address lists beside others, and API keys among a million',
  options: `  --repetitions N (default ${repetitionsInitial})\n  --plugins NAME,NAME,… (default all)`,
  async run(args) {
    const options = readOptions(args, caseNames);
    const costs = await measured(options);
    const comparison = options.isWhole
      ? await child<Comparison>('./comparisons.process.ts', [], scaleLimitMs)
      : undefined;
    const scale = options.isWhole ? await keyScale() : undefined;
    return report(costs, comparison, scale);
  },
};

async function measured({ repetitions, plugins }: PluginBenchOptions): Promise<ReadonlyMap<string, PluginCost>> {
  const all = new Map<string, PluginCost[]>();
  for (let repetition = 0; repetition < repetitions; repetition += 1) {
    for (const name of repetition % 2 === 0 ? plugins : plugins.toReversed()) {
      const cost = await child<PluginCost>('./plugin-cost.process.ts', [name], caseLimitMs);
      all.set(name, [...(all.get(name) ?? []), cost]);
    }
  }
  return new Map([...all].map(([name, costs]) => [name, medianCost(costs)]));
}

function medianCost(costs: readonly PluginCost[]): PluginCost {
  const first = costs.flatMap(({ firstUs }) => (firstUs === undefined ? [] : [firstUs]));
  return {
    nanoseconds: median(costs.map((cost) => cost.nanoseconds)),
    bytes: median(costs.map((cost) => cost.bytes)),
    isWhole: costs.some((cost) => cost.isWhole),
    ...(first.length > 0 && { firstUs: median(first) }),
  };
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

function report(
  costs: ReadonlyMap<string, PluginCost>,
  comparison: Comparison | undefined,
  scale: KeyScale | undefined,
): BenchResult {
  const [base, wholeBase] = [costs.get(baseLine), costs.get(wholeBaseLine)];
  if (base === undefined || wholeBase === undefined) throw new OptionError('the base line is missing');
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
