import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { BenchResult } from '../figures/result-line.ts';
import { textTable } from '../figures/table.ts';
import { optionHelp, parseBenchOptions } from '../gateway/bench-options.ts';
import { bestGenerator, ownGenerator } from '../load/load-generator.ts';
import { freePort } from '@portcullis/testkit';
import { inspectOption, memoryAfterCollection } from '../machine/inspector.ts';
import { pinProcesses } from '../machine/pinning.ts';
import { processUsage } from '../machine/process-usage.ts';
import { build, gatewayEntry } from '../peers/built.ts';
import { freezeApp } from '../peers/frozen-app.ts';
import { gatewayPeer } from '../peers/gateway-peer.ts';
import { clientHeaders, loadedPath } from '../peers/terms.ts';
import { startUpstream } from '../peers/upstream.ts';
import type { Scenario } from '../scenario.ts';
import { growthOf } from './growth.ts';

/** Whether the gateway's memory stays what it is while requests pass. */
export const memoryScenario: Scenario = {
  name: 'gateway-memory',
  summary: 'heap after garbage collection and resident memory of the gateway over a million requests with policies',
  options: optionHelp,
  run,
};

/** Readings of the memory, at even distances. */
const readings = 10;
/** Until the gateway has sent its reports. */
const settleMs = 3000;

interface Reading {
  readonly requests: number;
  readonly heapMegabytes: number;
  readonly externalMegabytes: number;
  readonly residentMegabytes: number;
}

async function run(args: readonly string[]): Promise<BenchResult> {
  const options = parseBenchOptions(['--requests=1000000', '--warm-up=100000', ...args], ['peers', 'repetitions']);
  build(['@portcullis/benchmarks', ...(options.gateway === undefined ? ['@portcullis/gateway'] : [])]);
  const pinning = pinProcesses();
  const generator = bestGenerator(pinning);
  const { requests, connections, warmUp } = options;
  console.log(`gateway-memory: ${requests} requests over ${connections} connections, after ${warmUp} to warm up`);
  console.log(`load: ${generator.name}; ${pinning.description}`);
  await using frozen = await freezeApp(options.gateway === undefined ? gatewayEntry : resolve(options.gateway));
  await using upstream = await startUpstream(pinning);
  const inspectorPort = await freePort();
  const peer = gatewayPeer('policies', pinning, frozen.entry);
  await using running = await peer.start(upstream.port, [inspectOption(inspectorPort)]);
  const order = { port: running.port, path: loadedPath, headers: clientHeaders('policies'), connections };
  const seen: Reading[] = [];
  let passed = 0;
  let errors = 0;
  const read = async (): Promise<void> => {
    await delay(settleMs);
    running.reported?.(); // Lets the stand-in of the control plane forget the batches.
    const { residentMegabytes } = processUsage(running.process.pid);
    const { heapMegabytes, externalMegabytes } = await memoryAfterCollection(inspectorPort);
    seen.push({ requests: passed, heapMegabytes, externalMegabytes, residentMegabytes });
    console.error(`${passed} requests: heap ${heapMegabytes.toFixed(2)} MB, RSS ${residentMegabytes.toFixed(0)} MB`);
  };
  const warm = await ownGenerator(pinning).run({ ...order, requests: warmUp }, 1);
  await read();
  while (passed < requests) {
    const part = Math.min(Math.ceil(requests / readings), requests - passed);
    const load = await generator.run({ ...order, requests: part }, warm.requestsPerSecond);
    passed += load.answered + load.errors;
    errors += load.errors;
    await read();
  }
  return report(seen, errors, { connections, load: generator.name });
}

function report(
  seen: readonly Reading[],
  errors: number,
  settings: { readonly connections: number; readonly load: string },
): BenchResult {
  const heads = ['requests', 'heap MB', 'external MB', 'RSS MB'];
  const rows = seen.map((one) => [
    one.requests.toLocaleString('en-US'),
    one.heapMegabytes.toFixed(2),
    one.externalMegabytes.toFixed(2),
    one.residentMegabytes.toFixed(0),
  ]);
  console.log(`\n${textTable(heads, rows)}\n`);
  const heap = growthOf(seen.map(({ requests, heapMegabytes }) => [requests, heapMegabytes]));
  const resident = growthOf(seen.map(({ requests, residentMegabytes }) => [requests, residentMegabytes]));
  console.log(
    `growth per million requests: heap ${heap.toFixed(2)} MB, RSS ${resident.toFixed(1)} MB; errors: ${errors}`,
  );
  return {
    bench: 'gateway-memory',
    ratios: { heap_end_over_start: (seen.at(-1)?.heapMegabytes ?? 0) / (seen[0]?.heapMegabytes ?? 1) },
    figures: {
      requests: seen.at(-1)?.requests ?? 0,
      errors,
      heap_mb_first: seen[0]?.heapMegabytes ?? 0,
      heap_mb_last: seen.at(-1)?.heapMegabytes ?? 0,
      heap_mb_per_million: heap,
      rss_mb_first: seen[0]?.residentMegabytes ?? 0,
      rss_mb_last: seen.at(-1)?.residentMegabytes ?? 0,
      rss_mb_per_million: resident,
      settings,
    },
  };
}
