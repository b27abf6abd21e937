import { parentPort, workerData } from 'node:worker_threads';
import { openClient } from '../admin-api/client.ts';
import type { Client } from '../admin-api/client.ts';
import type { ProbeAnswer, ProbeSettings } from './others-probe.ts';

/**
 * Between two requests of one kind: often enough to notice a stall of some tens of milliseconds, and seldom enough that
 * answering takes little of the processor that is measured.
 */
const pauseMs = 30;

/** Asks one thing after the other until it is told to stop, and says how long the slowest took. */
function main({ url, token, tenantId }: ProbeSettings): void {
  const kinds: Readonly<Record<keyof ProbeAnswer, (client: Client) => Promise<unknown>>> = {
    healthMs: (client) => client.send('GET', '/health'),
    readMs: (client) => client.send('GET', `/api/v1/admin/consumers?tenant_id=${tenantId}&limit=1`),
    writeMs: (client) =>
      client.send('POST', `/api/v1/admin/consumers?tenant_id=${tenantId}`, {
        username: `probe-${crypto.randomUUID()}`,
      }),
  };
  const ending = new AbortController();
  const longest: Record<keyof ProbeAnswer, number> = { healthMs: 0, readMs: 0, writeMs: 0 };
  const asking = (Object.keys(longest) as (keyof ProbeAnswer)[]).map(async (kind) => {
    const client = openClient(url, token, 1);
    while (!ending.signal.aborted) {
      const startMs = performance.now();
      await kinds[kind](client);
      longest[kind] = Math.max(longest[kind], performance.now() - startMs);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
    await client.close();
  });
  parentPort?.once('message', () => {
    ending.abort();
    void Promise.all(asking).then(() => parentPort?.postMessage(longest satisfies ProbeAnswer));
  });
}

main(workerData as ProbeSettings);
