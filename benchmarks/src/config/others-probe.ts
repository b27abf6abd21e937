import { Worker } from 'node:worker_threads';

/** Whom a probe asks. */
export interface ProbeSettings {
  readonly url: string;
  readonly token: string;
  /** A tenant that has nothing to do with what is measured. */
  readonly tenantId: string;
}

/** The longest that anyone else waited, milliseconds. */
export interface ProbeAnswer {
  readonly healthMs: number;
  /** A short list of another tenant. */
  readonly readMs: number;
  /** A create of another tenant. */
  readonly writeMs: number;
}

/**
 * Asks for other things while some work runs, from a thread of its own: what the caller's thread does meanwhile, reading
 * a large answer for instance, does not count as a stall of the server.
 */
export async function whileProbing<Result>(
  settings: ProbeSettings,
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly others: ProbeAnswer }> {
  const worker = new Worker(new URL('./others-probe.entry.ts', import.meta.url), { workerData: settings });
  const failed = new Promise<never>((_, reject) => worker.once('error', reject));
  failed.catch(() => undefined);
  try {
    await Promise.race([new Promise((resolve) => worker.once('online', resolve)), failed]);
    const result = await work();
    const answer = new Promise<ProbeAnswer>((resolve) => worker.once('message', resolve));
    worker.postMessage('stop');
    return { result, others: await Promise.race([answer, failed]) };
  } finally {
    await worker.terminate();
  }
}
