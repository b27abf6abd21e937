import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { median } from '../figures/quantile.ts';
import type { BenchResult, FigureTree } from '../figures/result-line.ts';
import { textTable } from '../figures/table.ts';
import { startChild } from '../machine/child.ts';
import { OptionError } from '../gateway/bench-options.ts';
import type { Scenario } from '../scenario.ts';
import { chains, contenders, nameOfChain, type ChainCase, type ChainCost, type Contender } from './chain-case.ts';

const repetitionsInitial = 7;
const repetitionsMax = 99;
const caseLimitMs = 60_000;

/** Runs from its source, and the packages that it measures too: nothing has to be built. */
const chainCostProgram = fileURLToPath(new URL('./chain-cost.process.ts', import.meta.url));

/** One line per option. */
export const runtimeOptionHelp: string = `  --repetitions N (default ${repetitionsInitial}, at most ${repetitionsMax})`;

/** What the plugin runtime adds to the hooks that it runs. Source: the goals of the plugin runtime in benchmarks/README.md. */
export const runtimeScenario: Scenario = {
  name: 'plugin-runtime',
  summary: 'a chain of plugins beside a plain loop and two composes',
  options: runtimeOptionHelp,
  async run(args) {
    const repetitions = repetitionsOf(args);
    const costs = new Map<string, ChainCost[]>();
    for (let repetition = 0; repetition < repetitions; repetition += 1) {
      const cases = chains.flatMap((chain) => contenders.map((contender) => ({ ...chain, contender })));
      for (const one of repetition % 2 === 0 ? cases : cases.toReversed()) {
        const key = keyOf(one.contender, nameOfChain(one));
        costs.set(key, [...(costs.get(key) ?? []), await measure(one)]);
      }
    }
    return report(costs);
  },
};

async function measure(one: ChainCase): Promise<ChainCost> {
  const flags = [
    '--expose-gc',
    '--max-semi-space-size=256',
    '--min-semi-space-size=256',
    '--conditions=@portcullis/source',
  ];
  const command = [process.execPath, ...flags, chainCostProgram, JSON.stringify(one)] as const;
  return JSON.parse(await startChild([...command], {}, caseLimitMs).output) as ChainCost;
}

function report(costs: ReadonlyMap<string, readonly ChainCost[]>): BenchResult {
  const of = (contender: Contender, chain: string, figure: keyof ChainCost): number =>
    median((costs.get(keyOf(contender, chain)) ?? []).map((cost) => cost[figure]));
  const names = chains.map((chain) => nameOfChain(chain));
  const rows = names.flatMap((chain) =>
    contenders.map((contender) => [
      `${chain}, ${contender}`,
      of(contender, chain, 'nanoseconds').toFixed(1),
      of(contender, chain, 'bytes').toFixed(0),
      (of('runtime', chain, 'nanoseconds') / of(contender, chain, 'nanoseconds')).toFixed(2),
    ]),
  );
  console.log(`\n${textTable(['hooks, run by', 'ns / request', 'bytes / request', 'runtime / this'], rows)}\n`);
  const ratio = (chain: string, contender: Contender): number =>
    of('runtime', chain, 'nanoseconds') / of(contender, chain, 'nanoseconds');
  const listeningNs = (of('listened', '10 sync', 'nanoseconds') - of('runtime', '10 sync', 'nanoseconds')) / 10;
  console.log(`a host that counts how long each hook takes: ${listeningNs.toFixed(0)} ns a hook more\n`);
  const figures: FigureTree = Object.fromEntries(
    names.map((chain) => [
      chain.replace(' ', '_'),
      Object.fromEntries(
        contenders.map((contender) => [
          contender,
          { nanoseconds: of(contender, chain, 'nanoseconds'), bytes: of(contender, chain, 'bytes') },
        ]),
      ),
    ]),
  );
  return {
    bench: runtimeScenario.name,
    ratios: {
      sync_10_to_loop: ratio('10 sync', 'loop'),
      sync_10_to_hono: ratio('10 sync', 'hono'),
      sync_10_to_koa: ratio('10 sync', 'koa'),
      async_10_to_loop: ratio('10 async', 'loop'),
    },
    figures: { ...figures, listening_ns_per_hook: listeningNs },
  };
}

function keyOf(contender: Contender, chain: string): string {
  return `${contender} ${chain}`;
}

/** @throws OptionError for anything but `--repetitions N` */
function repetitionsOf(args: readonly string[]): number {
  let text: string | undefined;
  try {
    text = parseArgs({ args: [...args], options: { repetitions: { type: 'string' } } }).values.repetitions;
  } catch (error) {
    throw new OptionError(error instanceof Error ? error.message : String(error));
  }
  const repetitions = Number(text ?? repetitionsInitial);
  if (Number.isInteger(repetitions) && repetitions >= 1 && repetitions <= repetitionsMax) return repetitions;
  throw new OptionError(`--repetitions must be a whole number from 1 to ${repetitionsMax}, not ${text}`);
}
