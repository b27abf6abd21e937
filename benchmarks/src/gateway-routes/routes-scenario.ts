import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { median } from '../figures/quantile.ts';
import type { BenchResult, FigureTree } from '../figures/result-line.ts';
import { textTable } from '../figures/table.ts';
import { optionHelp, parseBenchOptions } from '../gateway/bench-options.ts';
import { interleaved } from '../gateway/interleaved.ts';
import { bestGenerator, ownGenerator } from '../load/load-generator.ts';
import type { LoadGenerator } from '../load/load-generator.ts';
import { freePort } from '@portcullis/testkit';
import { inspectOption, memoryAfterCollection } from '../machine/inspector.ts';
import { pinProcesses } from '../machine/pinning.ts';
import { processUsage } from '../machine/process-usage.ts';
import { build, gatewayEntry } from '../peers/built.ts';
import { routesConfiguration } from '../peers/configuration.ts';
import { freezeApp } from '../peers/frozen-app.ts';
import { gatewayPeer } from '../peers/gateway-peer.ts';
import type { RunningPeer } from '../peers/peer.ts';
import { startUpstream } from '../peers/upstream.ts';
import type { Scenario } from '../scenario.ts';
import { routeTable } from './route-table.ts';

/** What tables of 1 to 100,000 routes cost per request and in memory. */
export const routesScenario: Scenario = {
  name: 'gateway-routes',
  summary: 'CPU per request and memory of the gateway with 1, 100, 10,000 and 100,000 routes',
  options: optionHelp,
  run,
};

const sizes = [1, 100, 10_000, 100_000] as const;
const settleMs = 2000;

interface Table extends AsyncDisposable {
  readonly routes: number;
  readonly running: RunningPeer;
  readonly inspectorPort: number;
  readonly readyMs: number;
}

interface Turn {
  readonly routes: number;
  readonly cpuSecondsPer1000: number;
  readonly p99Ms: number;
  readonly errors: number;
}

/** Everything of a size. */
interface SizeSummary {
  readonly routes: number;
  readonly cpuSecondsPer1000: number;
  /** Median of the ratios to one route within each repetition. */
  readonly ratio: number;
  readonly p99Ms: number;
  readonly heapMegabytes: number;
  readonly residentMegabytes: number;
  readonly readyMs: number;
  readonly errors: number;
}

async function run(args: readonly string[]): Promise<BenchResult> {
  const options = parseBenchOptions(['--repetitions=7', ...args], ['peers']);
  build(['@portcullis/benchmarks', ...(options.gateway === undefined ? ['@portcullis/gateway'] : [])]);
  const pinning = pinProcesses();
  const generator = bestGenerator(pinning);
  const { repetitions, requests, connections } = options;
  console.log(
    `gateway-routes: ${repetitions} repetitions of ${requests} requests, spread over all routes, interleaved`,
  );
  console.log(`load: ${generator.name}; ${pinning.description}`);
  await using gateway = await freezeApp(options.gateway === undefined ? gatewayEntry : resolve(options.gateway));
  await using upstream = await startUpstream(pinning);
  await using stack = new AsyncDisposableStack();
  const tables: Table[] = [];
  for (const routes of sizes) {
    const table = stack.use(
      await startTable(routes, upstream.port, (configuration) =>
        gatewayPeer('plain', pinning, gateway.entry, configuration),
      ),
    );
    tables.push(table);
    console.error(`${routes} routes: ready after ${table.readyMs.toFixed(0)} ms`);
  }
  const load = { connections, requests };
  const warmer = ownGenerator(pinning);
  const rates = new Map<number, number>();
  for (const { routes, running } of tables) {
    // Every route once at least: its series and counters are made then.
    const order = {
      ...orderOf(running, routes),
      connections,
      requests: Math.max(options.warmUp, Math.min(routes, 20_000)),
    };
    const { requestsPerSecond, errors } = await warmer.run(order, 1);
    if (errors > 0) throw new Error(`${routes} routes: ${errors} requests failed while warming up`);
    rates.set(routes, requestsPerSecond);
  }
  const turns = await interleaved(repetitions, tables, async (table, repetition) => {
    const turn = await take(table, generator, load, rates.get(table.routes) ?? 1);
    console.error(
      `[${repetition}/${repetitions}] ${table.routes} routes: ${turn.cpuSecondsPer1000.toFixed(4)} CPU s / 1,000`,
    );
    return turn;
  });
  const summaries: SizeSummary[] = [];
  for (const table of tables) summaries.push(await summaryOf(table, turns));
  return report(summaries, { repetitions, requests, connections, load: generator.name });
}

async function startTable(
  routes: number,
  upstreamPort: number,
  peerWith: (configuration: Parameters<typeof gatewayPeer>[3]) => ReturnType<typeof gatewayPeer>,
): Promise<Table> {
  const inspectorPort = await freePort();
  const startMs = performance.now();
  const peer = peerWith((port) => routesConfiguration('plain', port, routeTable(routes)));
  const running = await peer.start(upstreamPort, [inspectOption(inspectorPort)]);
  const readyMs = performance.now() - startMs;
  return { routes, running, inspectorPort, readyMs, [Symbol.asyncDispose]: () => running[Symbol.asyncDispose]() };
}

function orderOf(running: RunningPeer, routes: number): { port: number; path: string; headers: {}; spread: number } {
  return { port: running.port, path: '/', headers: {}, spread: routes };
}

async function take(
  { routes, running }: Table,
  generator: LoadGenerator,
  load: { readonly connections: number; readonly requests: number },
  rate: number,
): Promise<Turn> {
  const before = processUsage(running.process.pid);
  const seen = await generator.run({ ...orderOf(running, routes), ...load }, rate);
  await delay(settleMs);
  const used = processUsage(running.process.pid).cpuSeconds - before.cpuSeconds;
  const { answered, errors, p99Ms } = seen;
  return { routes, cpuSecondsPer1000: (used / (answered + errors)) * 1000, p99Ms, errors };
}

async function summaryOf(table: Table, turns: readonly Turn[]): Promise<SizeSummary> {
  const own = turns.filter(({ routes }) => routes === table.routes);
  const single = turns.filter(({ routes }) => routes === 1);
  const { residentMegabytes } = processUsage(table.running.process.pid);
  const { heapMegabytes } = await memoryAfterCollection(table.inspectorPort);
  return {
    routes: table.routes,
    cpuSecondsPer1000: median(own.map(({ cpuSecondsPer1000 }) => cpuSecondsPer1000)),
    ratio: median(own.map((turn, at) => turn.cpuSecondsPer1000 / (single[at]?.cpuSecondsPer1000 ?? Number.NaN))),
    p99Ms: median(own.map(({ p99Ms }) => p99Ms)),
    heapMegabytes,
    residentMegabytes,
    readyMs: table.readyMs,
    errors: own.reduce((sum, { errors }) => sum + errors, 0),
  };
}

function report(summaries: readonly SizeSummary[], settings: FigureTree): BenchResult {
  const heads = ['routes', 'CPU s / 1,000', 'to one route', 'p99 ms', 'heap MB', 'RSS MB', 'ready ms', 'errors'];
  const rows = summaries.map((one) => [
    one.routes.toLocaleString('en-US'),
    one.cpuSecondsPer1000.toFixed(4),
    one.ratio.toFixed(2),
    one.p99Ms.toFixed(2),
    one.heapMegabytes.toFixed(1),
    one.residentMegabytes.toFixed(0),
    one.readyMs.toFixed(0),
    `${one.errors}`,
  ]);
  console.log(`\n${textTable(heads, rows)}\n`);
  for (const { routes, errors } of summaries) {
    if (errors > 0) console.log(`${routes} routes: ${errors} requests failed; the figures are not to be used`);
  }
  const heapOf = (routes: number): number => summaries.find((one) => one.routes === routes)?.heapMegabytes ?? 0;
  const heapPer10000 = ((heapOf(100_000) - heapOf(1)) / 100_000) * 10_000;
  console.log(`heap per 10,000 routes: ${heapPer10000.toFixed(1)} MB`);
  return {
    bench: 'gateway-routes',
    ratios: Object.fromEntries(summaries.map(({ routes, ratio }) => [`${routes}`, ratio])),
    figures: {
      ...Object.fromEntries(summaries.map((one) => [`${one.routes}`, figuresOf(one)])),
      heap_mb_per_10000_routes: heapPer10000,
      settings,
    },
  };
}

function figuresOf(one: SizeSummary): FigureTree {
  return {
    cpu_seconds_per_1000: one.cpuSecondsPer1000,
    p99_ms: one.p99Ms,
    heap_mb: one.heapMegabytes,
    rss_mb: one.residentMegabytes,
    ready_ms: one.readyMs,
    errors: one.errors,
  };
}
