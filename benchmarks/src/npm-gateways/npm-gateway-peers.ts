import { portOf, startChild } from '../machine/child.ts';
import type { Pinning } from '../machine/pinning.ts';
import { builtEntry } from '../peers/built.ts';
import { serverLimitMs } from '../peers/limits.ts';
import type { Peer } from '../peers/peer.ts';
import type { Mode } from '../peers/terms.ts';

/** Gateways and proxies that npm offers, by the name of their package. */
export const npmGatewayNames = [
  'fast-gateway',
  '@fastify/http-proxy',
  'http-proxy',
  'httpxy',
  'http-proxy-middleware',
] as const;

/** One of them. */
export type NpmGatewayName = (typeof npmGatewayNames)[number];

/** One of them as a peer. */
export function npmGatewayPeer(name: NpmGatewayName, mode: Mode, pinning: Pinning): Peer {
  return {
    name,
    mode,
    async start(upstreamPort, nodeOptions = []) {
      const entry = builtEntry('npm-gateway');
      const command = pinning.wrap('peer', [process.execPath, ...nodeOptions, entry, name, mode, `${upstreamPort}`]);
      const child = startChild(command, { NODE_ENV: 'production' }, serverLimitMs);
      return { process: child, port: await portOf(child), [Symbol.asyncDispose]: () => child.stop() };
    },
  };
}
