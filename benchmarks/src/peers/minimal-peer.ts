import { portOf, startChild } from '../machine/child.ts';
import type { Pinning } from '../machine/pinning.ts';
import { builtEntry } from './built.ts';
import { serverLimitMs } from './limits.ts';
import type { Peer } from './peer.ts';
import type { Mode } from './terms.ts';

/** The minimal proxy as a peer. */
export function minimalPeer(mode: Mode, pinning: Pinning): Peer {
  return {
    name: 'minimal',
    mode,
    async start(upstreamPort, nodeOptions = []) {
      const entry = builtEntry('minimal-proxy');
      const command = pinning.wrap('peer', [process.execPath, ...nodeOptions, entry, mode, `${upstreamPort}`]);
      const child = startChild(command, {}, serverLimitMs);
      return { process: child, port: await portOf(child), [Symbol.asyncDispose]: () => child.stop() };
    },
  };
}
