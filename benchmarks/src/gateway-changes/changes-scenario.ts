import { fillTable } from './fill-table.ts';
import { startControlPlane } from '../admin-api/control-plane.ts';
import { sqlitePlace } from '../admin-api/sqlite-place.ts';
import { quantile } from '../figures/quantile.ts';
import type { BenchResult, FigureTree } from '../figures/result-line.ts';
import { textTable } from '../figures/table.ts';
import { pinProcesses } from '../machine/pinning.ts';
import type { Pinning } from '../machine/pinning.ts';
import { adminApiEntry, build, gatewayEntry } from '../peers/built.ts';
import { startGateway } from '../peers/gateway-process.ts';
import { freezeApp } from '../peers/frozen-app.ts';
import { startUpstream } from '../peers/upstream.ts';
import type { Scenario } from '../scenario.ts';
import { changesOptionHelp, parseChangesOptions } from './changes-options.ts';
import { measureChanges } from './measure-changes.ts';
import type { ChangesMeasurement } from './measure-changes.ts';

/** How soon a change in the administration API governs requests, and what it costs the others. */
export const changesScenario: Scenario = {
  name: 'gateway-changes',
  summary: 'from a change in the admin API (SQLite) to the first request that it governs, under load',
  options: changesOptionHelp,
  run,
};

interface SizeSummary {
  readonly routes: number;
  readonly changes: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly acceptedP50Ms: number;
  readonly steadyP99Ms: number;
  readonly changingP99Ms: number;
  /** Without a gateway between. */
  readonly directSteadyP99Ms: number;
  readonly directChangingP99Ms: number;
  readonly requests: number;
  readonly failed: number;
}

async function run(args: readonly string[]): Promise<BenchResult> {
  const options = parseChangesOptions(args);
  build(['@portcullis/benchmarks', '@portcullis/gateway', '@portcullis/admin-api']);
  const pinning = pinProcesses();
  console.log(
    `gateway-changes: ${options.cycles} routes made, changed and deleted, ${options.connections} connections of load`,
  );
  console.log(pinning.description);
  await using gateway = await freezeApp(gatewayEntry);
  await using controlPlane = await freezeApp(adminApiEntry);
  await using upstream = await startUpstream(pinning);
  const summaries: SizeSummary[] = [];
  for (const routes of options.routes) {
    const entries = { gateway: gateway.entry, controlPlane: controlPlane.entry };
    const measurement = await measureSize(routes, entries, pinning, upstream.port, options);
    summaries.push(summaryOf(routes, measurement));
  }
  return report(summaries, { cycles: options.cycles, connections: options.connections });
}

async function measureSize(
  routes: number,
  entries: { readonly gateway: string; readonly controlPlane: string },
  pinning: Pinning,
  upstreamPort: number,
  options: { readonly cycles: number; readonly connections: number },
): Promise<ChangesMeasurement> {
  await using place = await sqlitePlace();
  await using controlPlane = await startControlPlane(entries.controlPlane, place, pinning);
  const client = controlPlane.client(4);
  const table = await fillTable(client, routes, upstreamPort);
  console.error(`${routes} routes: the control plane has them`);
  await using gateway = await startGateway(pinning, entries.gateway, {
    url: controlPlane.url,
    token: table.nodeToken,
  });
  console.error(`${routes} routes: the gateway serves them`);
  const changed = { ...table, client, proxyPort: gateway.port, upstreamPort };
  return await measureChanges(changed, options.cycles, options.connections);
}

function summaryOf(routes: number, measurement: ChangesMeasurement): SizeSummary {
  const { shownMs, acceptedMs, steady, changing, direct } = measurement;
  return {
    routes,
    changes: shownMs.length,
    p50Ms: quantile(shownMs, 0.5) ?? 0,
    p99Ms: quantile(shownMs, 0.99) ?? 0,
    acceptedP50Ms: quantile(acceptedMs, 0.5) ?? 0,
    steadyP99Ms: quantile(steady.latenciesMs, 0.99) ?? 0,
    changingP99Ms: quantile(changing.latenciesMs, 0.99) ?? 0,
    directSteadyP99Ms: quantile(direct.steady.latenciesMs, 0.99) ?? 0,
    directChangingP99Ms: quantile(direct.changing.latenciesMs, 0.99) ?? 0,
    requests: steady.requests + changing.requests,
    failed: steady.failed + changing.failed,
  };
}

function report(summaries: readonly SizeSummary[], settings: FigureTree): BenchResult {
  const rows = summaries.map((one) => [
    one.routes.toLocaleString('en-US'),
    `${one.changes}`,
    one.p50Ms.toFixed(1),
    one.p99Ms.toFixed(1),
    one.acceptedP50Ms.toFixed(1),
    one.steadyP99Ms.toFixed(2),
    one.changingP99Ms.toFixed(2),
    (one.changingP99Ms / one.steadyP99Ms).toFixed(2),
    (one.directChangingP99Ms / one.directSteadyP99Ms).toFixed(2),
    `${one.failed} of ${one.requests}`,
  ]);
  const heads = [
    'routes',
    'changes',
    'p50 ms',
    'p99 ms',
    'accepted p50 ms',
    'steady p99 ms',
    'changing p99 ms',
    'ratio',
    'upstream alone',
    'failed',
  ];
  console.log(`\n${textTable(heads, rows)}\n`);
  return {
    bench: 'gateway-changes',
    ratios: Object.fromEntries(summaries.map((one) => [`${one.routes}`, one.changingP99Ms / one.steadyP99Ms])),
    figures: {
      ...Object.fromEntries(
        summaries.map((one): [string, FigureTree] => [
          `${one.routes}`,
          {
            changes: one.changes,
            shown_p50_ms: one.p50Ms,
            shown_p99_ms: one.p99Ms,
            accepted_p50_ms: one.acceptedP50Ms,
            steady_p99_ms: one.steadyP99Ms,
            changing_p99_ms: one.changingP99Ms,
            direct_steady_p99_ms: one.directSteadyP99Ms,
            direct_changing_p99_ms: one.directChangingP99Ms,
            requests: one.requests,
            failed: one.failed,
          },
        ]),
      ),
      settings,
    },
  };
}
