import { setTimeout as delay } from 'node:timers/promises';
import type { LoadGenerator } from '../load/load-generator.ts';
import { processUsage } from '../machine/process-usage.ts';
import type { Peer } from '../peers/peer.ts';
import { clientHeaders, loadedPath } from '../peers/terms.ts';
import { verifyPeer } from '../peers/verify-peer.ts';
import type { BenchOptions } from './bench-options.ts';
import type { Measurement } from './measurement.ts';

/**
 * Pause after a load before the processor time is read. The gateway reports what it saw up to a second later: that work
 * belongs to the requests. All peers wait alike; an idle one uses next to nothing.
 */
const settleMs = 2000;

/** What takes part in a measurement beside the peer. */
export interface MeasuringTools {
  readonly upstreamPort: number;
  /** Warms up with a number of requests. */
  readonly warmer: LoadGenerator;
  readonly generator: LoadGenerator;
  readonly options: BenchOptions;
}

/** Starts a peer, verifies it, warms it up, loads it, reads what it took, and stops it. */
export async function measure(peer: Peer, tools: MeasuringTools): Promise<Measurement> {
  const { upstreamPort, warmer, generator, options } = tools;
  await using running = await peer.start(upstreamPort);
  const { port, process: child } = running;
  await verifyPeer(peer.name, peer.mode, port);
  const order = { port, path: loadedPath, headers: clientHeaders(peer.mode), connections: options.connections };
  const warm = await warmer.run({ ...order, requests: options.warmUp }, 1);
  await delay(settleMs);
  const reportedBefore = running.reported?.();
  const before = processUsage(child.pid);
  const load = await generator.run({ ...order, requests: options.requests }, warm.requestsPerSecond);
  const { residentMegabytes } = processUsage(child.pid);
  await delay(settleMs);
  const after = processUsage(child.pid);
  if (load.answered === 0) throw new Error(`${peer.name} (${peer.mode}) answered none of ${load.errors} requests`);
  const reported = running.reported?.();
  return {
    peer: peer.name,
    mode: peer.mode,
    cpuSecondsPer1000: ((after.cpuSeconds - before.cpuSeconds) / (load.answered + load.errors)) * 1000,
    requestsPerSecond: load.requestsPerSecond,
    p50Ms: load.p50Ms,
    p99Ms: load.p99Ms,
    residentMegabytes,
    errors: load.errors + warm.errors,
    ...(reported !== undefined && reportedBefore !== undefined
      ? { reportedShare: (reported - reportedBefore) / (load.answered + load.errors) }
      : {}),
  };
}
