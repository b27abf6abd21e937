import { lookup } from 'node:dns/promises';
import { SystemResolver } from './system-resolver.ts';

/** Resolves names as this machine does, or with the name servers that the operator lists; then nobody else is asked but the hosts file. */
export function createResolver(dnsServers: readonly string[]): SystemResolver {
  return new SystemResolver({ servers: dnsServers, systemLookup: dnsServers.length > 0 ? undefined : lookupAll });
}

async function lookupAll(name: string): Promise<readonly string[]> {
  return (await lookup(name, { all: true })).map(({ address }) => address);
}
