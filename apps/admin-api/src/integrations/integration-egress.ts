import { createEgress, createResolver, type Network, type RefusedNetwork, RefusedNetworks } from '@portcullis/egress';
import type { SyncFetch } from '@portcullis/integrations';
import { egressFetch } from './egress-fetch.ts';
import { type AddressesOf, databaseServer, ownServer } from './own-addresses.ts';

/** How often the name of the database's server is resolved again: it may move. */
export const databaseAddressesEveryMs = 30_000;

/** What the way out of integrations has to know. */
export interface IntegrationEgressParts {
  readonly databaseUrl: string;
  readonly allowedAddresses: readonly Network[];
  readonly refusedAddresses: readonly RefusedNetwork[];
  /** Resolves the database's name. Default: as the system does. */
  readonly addressesOf?: AddressesOf;
}

/** The way out of integrations. */
export interface IntegrationEgress {
  readonly fetch: SyncFetch;
  /** Takes in the addresses that the database's server has now. Earlier ones stay refused. */
  learn(): Promise<void>;
  /** Refuses the service itself. @param url where it listens */
  refuseOwn(url: string): void;
  /** Cuts what is under way. */
  close(): Promise<void>;
}

/**
 * Makes it, with name look-ups of its own that end in bounded time: names are tenants', and one whose name servers are silent must not hold a thread that the rest of
 * the service needs.
 */
export async function createIntegrationEgress(parts: IntegrationEgressParts): Promise<IntegrationEgress> {
  const refused = new RefusedNetworks(parts.refusedAddresses);
  const add = (networks: readonly RefusedNetwork[]): void => networks.forEach((network) => refused.add(network));
  const learn = async (): Promise<void> => add(await databaseServer(parts.databaseUrl, parts.addressesOf));
  await learn();
  const resolver = createResolver();
  const egress = createEgress({
    allowed: parts.allowedAddresses,
    refused,
    lookup: async (name) => (await resolver.resolve(name)).map(({ address }) => address),
  });
  return {
    fetch: egressFetch(egress),
    learn,
    refuseOwn: (url) => add(ownServer(url)),
    close: async () => {
      resolver.stop();
      await egress.close();
    },
  };
}
