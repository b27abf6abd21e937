import type { FoundRoute, RequestFacts, RouteRule, RouteTable } from '@portcullis/router';
import { median } from '../figures/quantile.ts';
import type { RouteSet } from './route-sets.ts';

/** Requests that are asked for by turns, spread over all routes of a table. */
const requestsPerTable = 10_000;
/** Rounds before those that count: until the compiler is done. */
const warmUps = 3;

/** A table that is measured. */
export interface MeasuredTable {
  readonly size: number;
  readonly table: RouteTable<RouteRule>;
}

/** Medians of a table's rounds. */
export interface LookUpTime {
  readonly ns: number;
  /**
   * The same requests, in the same rounds, looked up in a plain `Map` by the one text that decides. It shows what memory alone costs: no
   * table of routes can be found with less. Missing where no single text decides.
   */
  readonly floorNs: number | undefined;
}

interface Series {
  /** Makes the requests anew where they are looked up once: what a table remembers of a request is not there yet. */
  readonly prepare: () => void;
  /** Looks all requests up once; how many were not found. */
  readonly pass: () => number;
  readonly passes: number;
  readonly lookUps: number;
  readonly times: number[];
}

/**
 * Nanoseconds of processor time of one look-up in each table: medians of rounds that go through the tables, and their floors, by turns, so
 * that a noisy neighbour disturbs them all.
 */
export function lookUpTimes(
  set: RouteSet,
  tables: readonly MeasuredTable[],
  rounds: number,
  lookUps: number,
): readonly LookUpTime[] {
  const contenders = tables.map(({ size, table }) => {
    const count = Math.min(requestsPerTable, lookUps);
    const made = (): readonly RequestFacts[] =>
      Array.from({ length: count }, (_, index) => set.request(spread(index, size)));
    let requests = made();
    const prepare = (): void => {
      if (lookUps <= count) requests = made();
    };
    const series = (pass: () => number): Series => ({
      ...{ prepare, pass, passes: Math.ceil(lookUps / count), lookUps: Math.ceil(lookUps / count) * count },
      times: [],
    });
    const floor = floorOf(set, size);
    return { ofTable: series(() => missedOf(table, requests)), ofFloor: floor && series(() => floor(requests)) };
  });
  const all = contenders.flatMap(({ ofTable, ofFloor }) => (ofFloor ? [ofTable, ofFloor] : [ofTable]));
  for (let round = 0; round < warmUps + rounds; round += 1) {
    for (const one of all) {
      one.prepare();
      const ns = timeOf(one);
      if (round >= warmUps) one.times.push(ns);
    }
  }
  return contenders.map(({ ofTable, ofFloor }) => ({
    ns: median(ofTable.times),
    floorNs: ofFloor && median(ofFloor.times),
  }));
}

/** Visits all of a table, in an order without pattern, the same in every run. */
function spread(index: number, size: number): number {
  return Math.floor(((Math.imul(index + 1, 0x9e3779b1) >>> 0) / 2 ** 32) * size);
}

function timeOf({ pass, passes, lookUps }: Series): number {
  let missed = 0;
  const begin = process.cpuUsage();
  for (let at = 0; at < passes; at += 1) missed += pass();
  const { user, system } = process.cpuUsage(begin);
  if (missed > 0) throw new Error(`${missed} requests found no route`);
  return ((user + system) * 1000) / lookUps;
}

/** Looks up as the gateway does, and reads which route it is; of the route itself nothing is read, neither here nor of the floor's. */
function missedOf(table: RouteTable<RouteRule>, requests: readonly RequestFacts[]): number {
  const found: FoundRoute<RouteRule> = { route: undefined, matchedLength: 0 };
  let missed = 0;
  for (const request of requests) missed += table.find(request, found) && found.route !== undefined ? 0 : 1;
  return missed;
}

function floorOf(set: RouteSet, size: number): ((requests: readonly RequestFacts[]) => number) | undefined {
  const { decidedBy } = set;
  if (decidedBy === undefined) return undefined;
  const found = new Map<string, RouteRule>();
  for (let index = 0; index < size; index += 1) found.set(decidedBy(set.request(index)), set.route(index));
  return (requests) => {
    let missed = 0;
    for (const request of requests) missed += found.get(decidedBy(request)) === undefined ? 1 : 0;
    return missed;
  };
}
