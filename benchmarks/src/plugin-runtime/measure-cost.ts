import { PerformanceObserver } from 'node:perf_hooks';
import type { ChainCost } from './chain-case.ts';
import type { ChainRun } from './contender-runs.ts';

/** Requests at a time that are counted together: so many that reading the clock does not show. */
const batchRequests = 1000;

const warmUpMs = 300;
const measuredMs = 400;

/** Requests whose memory is counted: few enough for a young generation of 256 MiB, also where one takes 50 KiB. */
const allocationRequests = 4000;

/**
 * Measures one chain in a process that has nothing else to do.
 * @param collect a full garbage collection; the process runs with `--expose-gc`
 */
export async function measureCost(run: ChainRun, collect: () => void): Promise<ChainCost> {
  await repeatFor(run, warmUpMs);
  const startedUs = processorUs();
  const requests = await repeatFor(run, measuredMs);
  const nanoseconds = ((processorUs() - startedUs) * 1000) / requests;
  return { nanoseconds, bytes: await bytesOf(run, collect) };
}

async function repeatFor(run: ChainRun, milliseconds: number): Promise<number> {
  const endUs = processorUs() + milliseconds * 1000;
  let requests = 0;
  while (processorUs() < endUs) {
    await batch(run, batchRequests);
    requests += batchRequests;
  }
  return requests;
}

/** A promise is awaited, as a host has to; what comes at once is not. */
async function batch(run: ChainRun, requests: number): Promise<void> {
  for (let done = 0; done < requests; done += 1) {
    const result = run();
    if (result instanceof Promise) await result;
  }
}

/** @throws Error when the heap was collected meanwhile: then the difference means nothing */
async function bytesOf(run: ChainRun, collect: () => void): Promise<number> {
  collect();
  let collections = 0;
  const observer = new PerformanceObserver((list) => (collections += list.getEntries().length));
  observer.observe({ entryTypes: ['gc'] });
  const before = process.memoryUsage().heapUsed;
  await batch(run, allocationRequests);
  const after = process.memoryUsage().heapUsed;
  await new Promise((resolve) => setImmediate(resolve));
  observer.disconnect();
  if (collections > 0) throw new Error('the heap was collected while its growth was measured');
  return Math.max(0, after - before) / allocationRequests;
}

function processorUs(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}
