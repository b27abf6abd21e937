import { setTimeout as delay } from 'node:timers/promises';
import { startChild } from '../machine/child.ts';
import type { Pinning } from '../machine/pinning.ts';
import { processUsage } from '../machine/process-usage.ts';
import { builtEntry } from '../peers/built.ts';
import { processLimitMs } from '../peers/limits.ts';
import type { ProtocolPeer, RunningProtocolPeer } from './protocol-peers.ts';
import type { ProtocolCase, ProtocolOrder, ProtocolReport } from './protocol-terms.ts';
import type { ProtocolUpstream } from './protocol-upstream.ts';

/** What one peer took for one case in one repetition. */
export interface ProtocolMeasurement {
  readonly peer: string;
  readonly kind: ProtocolCase;
  /** User and system time of the peer's process tree, in microseconds for one unit. */
  readonly cpuMicroseconds: number;
  readonly unitsPerSecond: number;
  readonly residentMegabytes: number;
  readonly errors: number;
}

/** Reports of what was seen leave up to a second later: that work belongs to the units. */
const settleMs = 2000;

/** Of the measured units; before them. */
const warmUpShare = 0.25;

/** Starts a peer, warms it up, loads it with one case, reads what it took, and stops it. */
export async function measureProtocol(
  pinning: Pinning,
  peer: ProtocolPeer,
  upstream: ProtocolUpstream,
  load: Pick<ProtocolOrder, 'kind' | 'connections' | 'units' | 'serverNames'>,
): Promise<ProtocolMeasurement> {
  await using running = await peer.start(upstream);
  return await measureRunning(pinning, peer.name, running, load);
}

/** The same with a peer that runs already. */
export async function measureRunning(
  pinning: Pinning,
  name: string,
  { process: child, port, tlsPort }: RunningProtocolPeer,
  load: Pick<ProtocolOrder, 'kind' | 'connections' | 'units' | 'serverNames'>,
): Promise<ProtocolMeasurement> {
  const order = { ...load, port, tlsPort };
  await runLoad(pinning, { ...order, units: Math.ceil(load.units * warmUpShare) });
  await delay(settleMs);
  const before = processUsage(child.pid);
  const { units, errors, seconds } = await runLoad(pinning, order);
  const { residentMegabytes } = processUsage(child.pid);
  await delay(settleMs);
  const after = processUsage(child.pid);
  if (errors === units) throw new Error(`${name} answered none of ${units} units of ${load.kind}: ${child.printed()}`);
  return {
    peer: name,
    kind: load.kind,
    cpuMicroseconds: ((after.cpuSeconds - before.cpuSeconds) / units) * 1e6,
    unitsPerSecond: units / seconds,
    residentMegabytes,
    errors,
  };
}

async function runLoad(pinning: Pinning, order: ProtocolOrder): Promise<ProtocolReport> {
  const command = pinning.wrap('load', [process.execPath, builtEntry('protocol-load'), JSON.stringify(order)]);
  return JSON.parse(await startChild(command, {}, processLimitMs).output) as ProtocolReport;
}
