import { parseArgs } from 'node:util';
import { textTable } from '../figures/table.ts';
import type { Scenario } from '../scenario.ts';
import { lookUpTimes, type LookUpTime } from './look-up-time.ts';
import { routeSets, narrowSets, type RouteSet } from './route-sets.ts';
import { tableCost, type TableCost } from './table-cost.ts';

const sizes = [1, 100, 10_000, 100_000] as const;
const narrowSizes = [1, 1_000] as const;
/** Where every route is asked, a look-up takes a thousand times as long. */
const narrowLookUps = 300;

/** What a look-up in a table of routes costs, by kind and number of routes. Source: decisions, 34. */
export const routerScenario: Scenario = {
  name: 'router',
  summary: 'look-up time of 1, 100, 10,000 and 100,000 routes, by kind; memory, build and change',
  options: '    --rounds 7       rounds, of which medians are taken\n    --look-ups 50000  look-ups of a round',
  run: async (args) => {
    const { values } = parseArgs({
      args: [...args],
      options: { rounds: { type: 'string', default: '7' }, 'look-ups': { type: 'string', default: '50000' } },
    });
    const rounds = Number(values.rounds);
    const lookUps = Number(values['look-ups']);
    const ratios: Record<string, number> = {};
    const figures: Record<string, Record<string, number>> = {};
    const rows: string[][] = [];
    for (const [set, ofSizes] of [
      ...routeSets.map((one) => [one, sizes] as const),
      ...narrowSets.map((one) => [one, narrowSizes] as const),
    ]) {
      const costs = await costsOf(set, ofSizes);
      const times = lookUpTimes(
        set,
        costs.map(({ table }, index) => ({ table, size: ofSizes[index] ?? 1 })),
        rounds,
        ofSizes === sizes ? lookUps : Math.min(lookUps, narrowLookUps),
      );
      for (const [index, size] of ofSizes.entries()) {
        const [cost, time, first] = [costs[index], times[index], times[0]];
        if (cost === undefined || time === undefined || first === undefined) continue;
        const ratio = time.ns / first.ns;
        rows.push(row(`${set.name}, ${size.toLocaleString('en')}`, size, time, first, cost));
        figures[`${set.name}, ${size}`] = {
          look_up_ns: time.ns,
          ratio_to_one: ratio,
          ...(time.floorNs !== undefined && { map_ns: time.floorNs }),
          bytes_per_route: cost.heapBytes / size,
          build_ms: cost.buildMs,
          longest_slice_ms: cost.longestSliceMs,
          change_us: cost.changeUs,
        };
        if (size !== 10_000) continue;
        ratios[set.name] = ratio;
        if (time.floorNs !== undefined) ratios[`${set.name}, plain Map`] = time.floorNs / (first.floorNs ?? 1);
      }
    }
    console.log(textTable(header, rows));
    return { bench: 'router', ratios, figures };
  },
};

const header = [
  ...['routes', 'look-up ns', 'of one', 'added ns', 'Map ns', 'of one', 'added ns'],
  ...['bytes each', 'build ms', 'slice ms', 'change us'],
];

function row(name: string, size: number, time: LookUpTime, first: LookUpTime, cost: TableCost): string[] {
  const { heapBytes, buildMs, longestSliceMs, changeUs } = cost;
  const floor = time.floorNs === undefined ? ['', '', ''] : compared(time.floorNs, first.floorNs ?? time.floorNs);
  const bytes = size < 1000 ? '' : (heapBytes / size).toFixed(0);
  const rest = [buildMs, longestSliceMs, changeUs].map((figure) => figure.toFixed(1));
  return [name, ...compared(time.ns, first.ns), ...floor, bytes, ...rest];
}

/** A time, how many times as long as with one route it is, and how much longer. */
function compared(ns: number, ofOne: number): string[] {
  return [ns.toFixed(1), (ns / ofOne).toFixed(2), (ns - ofOne).toFixed(1)];
}

async function costsOf(set: RouteSet, ofSizes: readonly number[]): Promise<readonly TableCost[]> {
  const costs: TableCost[] = [];
  for (const size of ofSizes) costs.push(await tableCost(set, size));
  return costs;
}
