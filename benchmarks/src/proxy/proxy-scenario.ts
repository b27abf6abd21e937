import { resolve } from 'node:path';
import type { BenchResult } from '../figures/result-line.ts';
import { bestGenerator, ownGenerator } from '../load/load-generator.ts';
import { findExecutable } from '../machine/executable.ts';
import { pinProcesses } from '../machine/pinning.ts';
import type { Pinning } from '../machine/pinning.ts';
import { build, gatewayEntry } from '../peers/built.ts';
import { freezeApp } from '../peers/frozen-app.ts';
import { gatewayPeer } from '../peers/gateway-peer.ts';
import { minimalPeer } from '../peers/minimal-peer.ts';
import { administratorFolders, nginxPeer } from '../peers/nginx-peer.ts';
import type { Peer } from '../peers/peer.ts';
import { modes } from '../peers/terms.ts';
import { startUpstream } from '../peers/upstream.ts';
import type { Scenario } from '../scenario.ts';
import { parseBenchOptions } from './bench-options.ts';
import { measure } from './measure.ts';
import type { Measurement } from './measurement.ts';
import { figuresOf, ratiosOf, summarise, summaryTable } from './summary.ts';
import type { PeerSummary } from './summary.ts';

/** The gateway beside a minimal Node proxy and, where it is installed, nginx: without policies and with them. */
export const proxyScenario: Scenario = {
  name: 'proxy',
  summary: 'CPU per request of the gateway beside a minimal Node proxy (and nginx), without and with policies',
  run,
};

async function run(args: readonly string[]): Promise<BenchResult> {
  const options = parseBenchOptions(args);
  build(['@portcullis/benchmarks', ...(options.gateway === undefined ? ['@portcullis/gateway'] : [])]);
  const pinning = pinProcesses();
  const nginx = findExecutable('nginx', administratorFolders);
  const generator = bestGenerator(pinning);
  const { repetitions, requests, connections } = options;
  console.log(`proxy: ${repetitions} repetitions of ${requests} requests over ${connections} connections, interleaved`);
  console.log(
    `load: ${generator.name}; ${pinning.description}${nginx === undefined ? '; nginx: not installed, skipped' : ''}`,
  );
  await using gateway = await freezeApp(options.gateway === undefined ? gatewayEntry : resolve(options.gateway));
  await using upstream = await startUpstream(pinning);
  const tools = { upstreamPort: upstream.port, warmer: ownGenerator(pinning), generator, options };
  const measurements = await interleaved(repetitions, peersOf(pinning, gateway.entry, nginx), (peer) =>
    measure(peer, tools),
  );
  const summaries = summarise(measurements);
  console.log(`\n${summaryTable(summaries)}\n`);
  for (const warning of warningsOf(summaries)) console.log(warning);
  const ratios = ratiosOf(summaries);
  console.log(
    `gateway / minimal: ${Object.entries(ratios)
      .map(([mode, ratio]) => `${mode} ${ratio.toFixed(2)}`)
      .join(', ')}`,
  );
  const settings = { repetitions, requests, connections, load: generator.name, nginx: nginx !== undefined };
  return { bench: 'proxy', ratios, figures: { ...figuresOf(summaries), settings } };
}

function peersOf(pinning: Pinning, gateway: string, nginx: string | undefined): readonly Peer[] {
  return modes.flatMap((mode) => [
    minimalPeer(mode, pinning),
    gatewayPeer(mode, pinning, gateway),
    ...(nginx === undefined ? [] : [nginxPeer(mode, pinning, nginx)]),
  ]);
}

/** Every peer once in each repetition, in turning order, so that a drift of the machine favours none. */
async function interleaved(
  repetitions: number,
  peers: readonly Peer[],
  one: (peer: Peer) => Promise<Measurement>,
): Promise<readonly Measurement[]> {
  const measurements: Measurement[] = [];
  for (let repetition = 1; repetition <= repetitions; repetition += 1) {
    for (const peer of repetition % 2 === 1 ? peers : peers.toReversed()) {
      const measurement = await one(peer);
      measurements.push(measurement);
      const { cpuSecondsPer1000, requestsPerSecond } = measurement;
      const figures = `${cpuSecondsPer1000.toFixed(4)} CPU s / 1,000, ${Math.round(requestsPerSecond)} RPS`;
      console.error(`[${repetition}/${repetitions}] ${peer.name}, ${peer.mode}: ${figures}`);
    }
  }
  return measurements;
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
