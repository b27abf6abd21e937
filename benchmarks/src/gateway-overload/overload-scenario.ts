import { resolve } from 'node:path';
import type { BenchResult } from '../figures/result-line.ts';
import { textTable } from '../figures/table.ts';
import { ownGenerator } from '../load/load-generator.ts';
import type { OpenLoadOrder, OpenPhaseReport } from '../load/open-load.ts';
import { startChild } from '../machine/child.ts';
import { pinProcesses } from '../machine/pinning.ts';
import { build, builtEntry, gatewayEntry } from '../peers/built.ts';
import { benchConfiguration, policy } from '../peers/configuration.ts';
import { freezeApp } from '../peers/frozen-app.ts';
import { gatewayPeer } from '../peers/gateway-peer.ts';
import { processLimitMs } from '../peers/limits.ts';
import { clientHeaders, loadedPath } from '../peers/terms.ts';
import { startUpstream } from '../peers/upstream.ts';
import type { Scenario } from '../scenario.ts';
import { overloadOptionHelp, parseOverloadOptions } from './overload-options.ts';

/** Whether the gateway sheds what it cannot serve, serves the rest in time, and recovers. Source: reliability goals, 12. */
export const overloadScenario: Scenario = {
  name: 'overload',
  summary: 'an open load of several times the measured capacity: what is shed, how soon the rest is served, recovery',
  options: overloadOptionHelp,
  run,
};

/** A closed load of so many connections finds the capacity; nothing of it may be shed. */
const capacityConnections = 64;
const capacityRequests = 20_000;

/** Part of the capacity that comes before and after the overload. */
const calmShare = 0.5;
const calmBeforeSeconds = 3;

async function run(args: readonly string[]): Promise<BenchResult> {
  const options = parseOverloadOptions(args);
  const { mode, times, seconds, connections, workUs } = options;
  build(['@portcullis/benchmarks', ...(options.gateway === undefined ? ['@portcullis/gateway'] : [])]);
  const pinning = pinProcesses();
  console.log(
    `overload (${mode}, ${workUs} µs of plugin work): ${times} times the capacity for ${seconds} s over ${connections} connections`,
  );
  console.log(pinning.description);
  await using frozen = await freezeApp(options.gateway === undefined ? gatewayEntry : resolve(options.gateway));
  await using upstream = await startUpstream(pinning);
  const busy = workUs > 1 ? [policy('bench_busy', 'before_request', 100, { work_us: workUs })] : [];
  const configuration = (port: number) => benchConfiguration(mode, port, busy);
  const environment = { PORTCULLIS_PLUGIN_PACKAGES: builtEntry('busy-plugin') };
  await using running = await gatewayPeer(mode, pinning, frozen.entry, configuration, environment).start(upstream.port);
  const target = { port: running.port, path: loadedPath, headers: clientHeaders(mode) };
  const closed = { ...target, connections: capacityConnections, requests: capacityRequests };
  const warm = await ownGenerator(pinning).run(closed, 1);
  const measured = await ownGenerator(pinning).run(closed, 1);
  const capacity = measured.requestsPerSecond;
  const errors = warm.errors + measured.errors;
  console.log(`capacity: ${capacity.toFixed(0)} requests a second (${errors} of ${2 * capacityRequests} not served)`);
  const calm = capacity * calmShare;
  const order: OpenLoadOrder = {
    ...target,
    connections,
    phases: [
      { perSecond: calm, seconds: calmBeforeSeconds },
      { perSecond: capacity * times, seconds },
      { perSecond: calm, seconds },
    ],
  };
  const command = pinning.wrap('load', [process.execPath, builtEntry('open-load'), JSON.stringify(order)]);
  const phases = JSON.parse(await startChild(command, {}, processLimitMs).output) as readonly OpenPhaseReport[];
  return report(phases, {
    mode,
    times,
    seconds,
    connections,
    work_us: workUs,
    capacity_rps: capacity,
    capacity_errors: errors,
  });
}

const names = ['before', 'overload', 'after'] as const;

function report(phases: readonly OpenPhaseReport[], settings: BenchResult['figures']): BenchResult {
  const heads = ['phase', 'sent', 'served', 'shed', 'failed', 'p50 ms', 'p99 ms', 'after 1 s', 'shed p99', 'late p99'];
  const rows = phases.map((one, at) => [
    names[at] ?? '',
    `${one.sent}`,
    `${one.served}`,
    `${one.shed}`,
    `${one.failed}`,
    one.p50Ms.toFixed(1),
    one.p99Ms.toFixed(1),
    one.laterP99Ms.toFixed(1),
    one.shedP99Ms.toFixed(1),
    one.lateP99Ms.toFixed(1),
  ]);
  console.log(`\n${textTable(heads, rows)}\n`);
  const failures = phases.flatMap((one) => Object.entries(one.failures).map(([what, count]) => `${count} ${what}`));
  if (failures.length > 0) console.log(`failed: ${failures.join(', ')}`);
  const [, overload, after] = phases;
  const recoverySeconds = after?.troubledSeconds ?? 0;
  console.log(`recovered ${recoverySeconds.toFixed(2)} s after the overload; late: the load's own delay in sending`);
  const ratios: Record<string, number> = {};
  if (overload !== undefined) ratios['shed_share'] = overload.shed / overload.sent;
  return {
    bench: 'overload',
    ratios,
    figures: {
      recovery_seconds: recoverySeconds,
      ...Object.fromEntries(phases.map((one, at) => [names[at] ?? '', { ...one }])),
      settings,
    },
  };
}
