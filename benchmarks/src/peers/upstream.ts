import { portOf, startChild } from '../machine/child.ts';
import type { Pinning } from '../machine/pinning.ts';
import { builtEntry } from './built.ts';
import { serverLimitMs } from './limits.ts';

/** A running upstream. */
export interface RunningUpstream extends AsyncDisposable {
  readonly port: number;
}

/** Starts the upstream that all peers proxy to, on the side of the load. */
export async function startUpstream(pinning: Pinning): Promise<RunningUpstream> {
  const child = startChild(pinning.wrap('load', [process.execPath, builtEntry('upstream')]), {}, serverLimitMs);
  return { port: await portOf(child), [Symbol.asyncDispose]: () => child.stop() };
}
