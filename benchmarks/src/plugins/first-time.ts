import { median } from '../figures/quantile.ts';
import type { CaseRun } from './case-run.ts';

/** Requests whose time does not count: code is compiled and connections are opened in them. */
const warmUpRequests = 3;

/**
 * Processor time of the whole process for a request with a credential that was not seen before, in microseconds: the median. Servers that the
 * case runs in this process, and hashing in other threads, are in it.
 * @throws Error for one that does not pass
 */
export async function firstTimeUs(run: CaseRun, unseen: readonly (readonly string[])[]): Promise<number> {
  const times: number[] = [];
  for (const headers of unseen) {
    const before = process.cpuUsage();
    const result = await run(headers);
    const { user, system } = process.cpuUsage(before);
    if (result !== 'continue') throw new Error(`a request with a credential of its own ends with ${result}`);
    times.push(user + system);
  }
  return median(times.slice(warmUpRequests));
}
