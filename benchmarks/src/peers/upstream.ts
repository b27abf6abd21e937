import { portOf, startChild } from '../machine/child.ts';
import type { Pinning } from '../machine/pinning.ts';
import { builtEntry } from './built.ts';
import { processLimitMs } from './limits.ts';

/** A running upstream. */
export interface RunningUpstream extends AsyncDisposable {
  readonly port: number;
}

/** Runs in one go as long as the scenario does, on the side of the load. */
const upstreamLimitMs = 12 * processLimitMs;

/** Starts the upstream that all peers proxy to. */
export async function startUpstream(pinning: Pinning): Promise<RunningUpstream> {
  const child = startChild(pinning.wrap('load', [process.execPath, builtEntry('upstream')]), {}, upstreamLimitMs);
  return { port: await portOf(child), [Symbol.asyncDispose]: () => child.stop() };
}
