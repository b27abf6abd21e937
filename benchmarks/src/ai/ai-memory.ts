import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '@portcullis/testkit';
import { growthOf } from '../gateway-memory/growth.ts';
import type { LoadGenerator } from '../load/load-generator.ts';
import { inspectOption, memoryAfterCollection } from '../machine/inspector.ts';
import { processUsage } from '../machine/process-usage.ts';
import type { AiPeer } from './ai-peers.ts';
import { answerKinds } from './ai-terms.ts';
import { bodyFor } from './verify-ai-peer.ts';

/** How the gateway's memory went while chats passed, whole and streamed by turns. */
export interface AiMemory {
  readonly requests: number;
  readonly heapFirstMegabytes: number;
  readonly heapLastMegabytes: number;
  readonly residentFirstMegabytes: number;
  readonly residentLastMegabytes: number;
  /** Slopes of the lines that fit best, in megabytes for a million requests. */
  readonly heapGrowth: number;
  readonly residentGrowth: number;
}

const readings = 10;
const settleMs = 2000;

/** Watches it; the first tenth warms up. */
export async function watchAiMemory(
  peer: AiPeer,
  providerPort: number,
  generator: LoadGenerator,
  requests: number,
  connections: number,
): Promise<AiMemory> {
  const inspectorPort = await freePort();
  await using running = await peer.start(providerPort, [inspectOption(inspectorPort)]);
  const headers = { 'content-type': 'application/json', ...peer.headers(providerPort) };
  const part = Math.ceil(requests / readings / answerKinds.length);
  const seen: { readonly requests: number; readonly heap: number; readonly resident: number }[] = [];
  for (let reading = 0; reading <= readings; reading += 1) {
    for (const kind of answerKinds) {
      const order = { port: running.port, path: peer.path, headers, connections, body: bodyFor(kind, peer.model) };
      const { errors } = await generator.run({ ...order, requests: part }, 1);
      if (errors > 0) throw new Error(`${errors} requests failed while the memory was watched`);
    }
    await delay(settleMs);
    const { residentMegabytes: resident } = processUsage(running.process.pid);
    const { heapMegabytes: heap } = await memoryAfterCollection(inspectorPort);
    seen.push({ requests: (reading + 1) * part * answerKinds.length, heap, resident });
    console.error(`${seen.at(-1)?.requests} requests: heap ${heap.toFixed(2)} MB, RSS ${resident.toFixed(0)} MB`);
  }
  const [first, last] = [seen[0], seen.at(-1)];
  return {
    requests: last?.requests ?? 0,
    heapFirstMegabytes: first?.heap ?? 0,
    heapLastMegabytes: last?.heap ?? 0,
    residentFirstMegabytes: first?.resident ?? 0,
    residentLastMegabytes: last?.resident ?? 0,
    heapGrowth: growthOf(seen.map((one) => [one.requests, one.heap])),
    residentGrowth: growthOf(seen.map((one) => [one.requests, one.resident])),
  };
}
