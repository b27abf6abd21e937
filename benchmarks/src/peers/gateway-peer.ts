import type { Pinning } from '../machine/pinning.ts';
import { benchConfiguration } from './configuration.ts';
import type { BenchConfiguration } from './configuration.ts';
import { startControlPlane } from './control-plane.ts';
import { startGateway } from './gateway-process.ts';
import type { Peer } from './peer.ts';
import type { Mode } from './terms.ts';

const token = 'gwdp_bench_0123456789abcdef0123456789abcdef';

/**
 * The gateway as a peer, as it is in production: configured by a control plane, reporting observations to it.
 * @param entry the built `main.js`
 * @param configuration another one than that of the mode
 * @param environment further settings
 */
export function gatewayPeer(
  mode: Mode,
  pinning: Pinning,
  entry: string,
  configuration: (upstreamPort: number) => BenchConfiguration = (port) => benchConfiguration(mode, port),
  environment: Readonly<Record<string, string>> = {},
): Peer {
  return {
    name: 'gateway',
    mode,
    async start(upstreamPort, nodeOptions = []) {
      await using parts = new AsyncDisposableStack();
      const controlPlane = parts.use(await startControlPlane(configuration(upstreamPort), token));
      const { url } = controlPlane;
      const gateway = parts.use(await startGateway(pinning, entry, { url, token }, nodeOptions, environment));
      const owned = parts.move();
      return {
        process: gateway.process,
        port: gateway.port,
        reported: () => controlPlane.reported(),
        [Symbol.asyncDispose]: () => owned.disposeAsync(),
      };
    },
  };
}
