import { startChild } from '../machine/child.ts';
import type { Pinning } from '../machine/pinning.ts';
import { builtEntry } from '../peers/built.ts';
import { serverLimitMs } from '../peers/limits.ts';

/** The upstream of all peers, running. */
export interface ProtocolUpstream extends AsyncDisposable {
  /** HTTP/1.1. */
  readonly port: number;
  /** HTTP/2 in cleartext. */
  readonly callsPort: number;
}

/** Starts it on the side of the load. */
export async function startProtocolUpstream(pinning: Pinning): Promise<ProtocolUpstream> {
  const child = startChild(
    pinning.wrap('load', [process.execPath, builtEntry('protocol-upstream')]),
    {},
    serverLimitMs,
  );
  const [port = 0, callsPort = 0] = (await child.firstLine).split(' ').map(Number);
  return { port, callsPort, [Symbol.asyncDispose]: () => child.stop() };
}
