import { createEgress, createResolver, type Egress, type Network } from '@portcullis/egress';
import type { Outbound } from '@portcullis/plugin-runtime';
import type { AddressGuard } from './address-guard.ts';

/** What the way out of plugins has to know. */
export interface EgressParts {
  /** What upstreams must not call, plugins must not call either. It goes on learning. */
  readonly guard: AddressGuard;
  readonly dnsServers: readonly string[];
  readonly allowedNetworks: readonly Network[];
}

/** The way out of all plugins of a process. */
export interface PluginEgress extends Outbound, Pick<Egress, 'connector'> {
  /** Cuts what is under way. */
  close(): Promise<void>;
}

/** Makes it, on connections and name look-ups of its own: what plugins wait for holds up no upstream. */
export function createPluginEgress({ guard, dnsServers, allowedNetworks }: EgressParts): PluginEgress {
  const resolver = createResolver(dnsServers);
  const egress = createEgress({
    allowed: allowedNetworks,
    refused: { has: (address, port) => guard.refuses(address, port) },
    lookup: async (name) => (await resolver.resolve(name)).map(({ address }) => address),
  });
  return {
    request: egress.request,
    open: egress.open,
    resolve: egress.resolve,
    connector: egress.connector,
    close: async () => {
      resolver.stop();
      await egress.close();
    },
  };
}
