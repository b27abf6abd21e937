import { systemLookup } from '../adapters/system-lookup.ts';
import type { NameResolver } from './name-resolver.ts';
import { SystemResolver } from './system-resolver.ts';

/**
 * Resolves names as this machine does, or with the name servers that the operator lists; then nobody else is asked but the hosts file.
 * @param servers `address` or `address:port`
 */
export function createResolver(servers: readonly string[] = []): NameResolver {
  return new SystemResolver({ servers, systemLookup: servers.length > 0 ? undefined : systemLookup });
}
