import { setTimeout as delay } from 'node:timers/promises';
import type { LoadGenerator } from '../load/load-generator.ts';
import { processUsage } from '../machine/process-usage.ts';
import type { AiOptions } from './ai-options.ts';
import type { AiPeer } from './ai-peers.ts';
import type { AnswerKind } from './ai-terms.ts';
import { bodyFor, verifyAiPeer } from './verify-ai-peer.ts';

/** What one peer took for one kind of answer in one repetition. */
export interface AiMeasurement {
  readonly peer: string;
  readonly kind: AnswerKind;
  /** User and system time of the peer's process tree, in microseconds for one request. */
  readonly cpuMicroseconds: number;
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly residentMegabytes: number;
  readonly errors: number;
}

/** Reports of what was seen leave up to a second later: that work belongs to the requests. */
const settleMs = 2000;

/** Of the measured requests; before them. */
const warmUpShare = 0.25;

/** Starts a peer, verifies it, warms it up, loads it, reads what it took, and stops it. */
export async function measureAi(
  peer: AiPeer,
  kind: AnswerKind,
  providerPort: number,
  generator: LoadGenerator,
  { requests, connections }: AiOptions,
): Promise<AiMeasurement> {
  await using running = await peer.start(providerPort);
  const { port, process: child } = running;
  const headers = { 'content-type': 'application/json', ...peer.headers(providerPort) };
  const { path, model } = peer;
  await verifyAiPeer(peer.name, { port, path, headers, model });
  const order = { port, path, headers, connections, body: bodyFor(kind, model) };
  await generator.run({ ...order, requests: Math.ceil(requests * warmUpShare) }, 1);
  await delay(settleMs);
  const before = processUsage(child.pid);
  const load = await generator.run({ ...order, requests }, 1);
  const { residentMegabytes } = processUsage(child.pid);
  await delay(settleMs);
  const after = processUsage(child.pid);
  return {
    peer: peer.name,
    kind,
    cpuMicroseconds: ((after.cpuSeconds - before.cpuSeconds) / (load.answered + load.errors)) * 1e6,
    requestsPerSecond: load.requestsPerSecond,
    p50Ms: load.p50Ms,
    p99Ms: load.p99Ms,
    residentMegabytes,
    errors: load.errors,
  };
}
