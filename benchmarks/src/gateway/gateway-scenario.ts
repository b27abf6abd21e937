import { resolve } from 'node:path';
import type { BenchResult } from '../figures/result-line.ts';
import { bestGenerator, ownGenerator } from '../load/load-generator.ts';
import { pinProcesses } from '../machine/pinning.ts';
import { build, gatewayEntry } from '../peers/built.ts';
import { freezeApp } from '../peers/frozen-app.ts';
import { startUpstream } from '../peers/upstream.ts';
import type { Scenario } from '../scenario.ts';
import { optionHelp, parseBenchOptions } from './bench-options.ts';
import { interleaved } from './interleaved.ts';
import { measure } from './measure.ts';
import { listPeers } from './peer-list.ts';
import { figuresOf, ratiosOf, summarise, summaryTable } from './summary.ts';
import type { PeerSummary } from './summary.ts';

/** The gateway beside a minimal Node proxy, gateways of npm and native proxies: without policies and with them. */
export const gatewayScenario: Scenario = {
  name: 'gateway',
  summary:
    'CPU per request of the gateway beside a minimal Node proxy, gateways of npm, nginx, nginx + Lua and HAProxy',
  options: optionHelp,
  run: (args) => run('gateway', args),
};

/** The same with the three peers that tell most in the least time. */
export const proxyScenario: Scenario = {
  name: 'proxy',
  summary: 'the short form of gateway: beside the minimal proxy and nginx',
  options: optionHelp,
  run: (args) => run('proxy', args.some(namesPeers) ? args : [...args, '--peers', 'minimal,gateway,nginx']),
};

const namesPeers = (arg: string): boolean => arg === '--peers' || arg.startsWith('--peers=');

async function run(bench: string, args: readonly string[]): Promise<BenchResult> {
  const options = parseBenchOptions(args);
  build(['@portcullis/benchmarks', ...(options.gateway === undefined ? ['@portcullis/gateway'] : [])]);
  const pinning = pinProcesses();
  const generator = bestGenerator(pinning);
  const { repetitions, requests, connections } = options;
  await using gateway = await freezeApp(options.gateway === undefined ? gatewayEntry : resolve(options.gateway));
  const { peers, missing } = listPeers(options.peers, pinning, gateway.entry);
  console.log(
    `${bench}: ${repetitions} repetitions of ${requests} requests over ${connections} connections, interleaved`,
  );
  console.log([`load: ${generator.name}`, pinning.description, ...missing].join('; '));
  await using upstream = await startUpstream(pinning);
  const tools = { upstreamPort: upstream.port, warmer: ownGenerator(pinning), generator, options };
  const measurements = await interleaved(repetitions, peers, async (peer, repetition) => {
    const measurement = await measure(peer, tools);
    const { cpuSecondsPer1000, requestsPerSecond } = measurement;
    const figures = `${cpuSecondsPer1000.toFixed(4)} CPU s / 1,000, ${Math.round(requestsPerSecond)} RPS`;
    console.error(`[${repetition}/${repetitions}] ${peer.name}, ${peer.mode}: ${figures}`);
    return measurement;
  });
  const summaries = summarise(measurements);
  console.log(`\n${summaryTable(summaries)}\n`);
  for (const warning of warningsOf(summaries)) console.log(warning);
  const ratios = ratiosOf(summaries);
  for (const [name, ratio] of Object.entries(ratios)) console.log(`gateway / ${name}: ${ratio.toFixed(2)}`);
  const settings = { repetitions, requests, connections, load: generator.name, missing: missing.join('; ') };
  return { bench, ratios, figures: { ...figuresOf(summaries), settings } };
}

/** wrk does not count the requests that it cuts off at the end: the gateway may have seen a few more. */
const reportedSlack = 0.01;

function warningsOf(summaries: readonly PeerSummary[]): readonly string[] {
  return summaries.flatMap(({ peer, mode, errors, reportedShare }) => [
    ...(errors > 0 ? [`${peer}, ${mode}: ${errors} requests failed; its figures are not to be used`] : []),
    ...(reportedShare !== undefined && Math.abs(reportedShare - 1) > reportedSlack
      ? [`${peer}, ${mode}: reported ${(reportedShare * 100).toFixed(1)} % of the requests that were answered`]
      : []),
  ]);
}
