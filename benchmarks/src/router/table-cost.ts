import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { compileRouteExpression } from '@portcullis/resources';
import { buildRouteTable, type RouteRule, type RouteTable } from '@portcullis/router';
import type { RouteSet } from './route-sets.ts';

/** What a table of one size costs besides look-ups. */
export interface TableCost {
  readonly table: RouteTable<RouteRule>;
  /** Of the processor, as are the slices: a busy machine changes how long they last. */
  readonly buildMs: number;
  /** Longest between two pauses of the build. */
  readonly longestSliceMs: number;
  /** Of the table alone, its arrays of numbers included: the routes' records are not counted. */
  readonly heapBytes: number;
  /** Median of changes that put one route in the place of another. */
  readonly changeUs: number;
}

const changes = 201;
/** After which the builds that are measured pause, as the gateway's do. */
const sliceMs = 4;

/** Builds a table and says what it took. */
export async function tableCost(set: RouteSet, size: number): Promise<TableCost> {
  const routes = Array.from({ length: size }, (_, index) => set.route(index));
  const before = usedHeap();
  const slices: number[] = [];
  let sliceEndsAt = performance.now() + sliceMs;
  let sliceBegin = process.cpuUsage();
  const endSlice = (): void => {
    slices.push(cpuMsSince(sliceBegin));
  };
  const table = await buildRouteTable(routes, {
    compile: compileRouteExpression,
    isSliceOver: () => performance.now() >= sliceEndsAt,
    pause: async () => {
      endSlice();
      await new Promise((resolve) => setImmediate(resolve));
      sliceBegin = process.cpuUsage();
      sliceEndsAt = performance.now() + sliceMs;
    },
  });
  endSlice();
  const buildMs = slices.reduce((sum, one) => sum + one, 0);
  const heapBytes = usedHeap() - before;
  return { table, buildMs, heapBytes, longestSliceMs: Math.max(...slices), changeUs: changeTime(table, set, size) };
}

function cpuMsSince(begin: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(begin);
  return (user + system) / 1000;
}

function changeTime(table: RouteTable<RouteRule>, set: RouteSet, size: number): number {
  const times: number[] = [];
  let changing = table;
  for (let change = 0; change < changes; change += 1) {
    const route = { ...set.route((change * 7919) % size), createdAtMs: change };
    const begin = performance.now();
    changing = changing.with({ upsert: [route] });
    times.push((performance.now() - begin) * 1000);
  }
  times.sort((left, right) => left - right);
  return times[Math.floor(changes / 2)] ?? 0;
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function usedHeap(): number {
  collectGarbage();
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
