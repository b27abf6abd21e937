import { Resolver } from 'node:dns/promises';
import { networkInterfaces } from 'node:os';
import { HostsFile } from '../adapters/hosts-file.ts';
import type { NameResolver, ResolvedAddress } from './name-resolver.ts';

/** How long one name server may take, and how often each is asked. */
const questionTimeoutMs = 2000;
const questionTries = 2;

/** How long an address holds that came without a TTL: from the hosts file, or from the system's own way of resolving. */
export const ttlSecondsWithoutTtl = 10;

/** What resolving takes from the process; tests put their own in place. */
export interface ResolverParts {
  /** `address` or `address:port` of name servers; the system's when there are none. */
  readonly servers?: readonly string[];
  readonly hosts?: Pick<HostsFile, 'addressesOf'>;
  /** The system's own way, which knows search domains and further sources; asked when the name servers know nothing. */
  readonly systemLookup?: ((name: string) => Promise<readonly string[]>) | undefined;
  /** Whether this machine can reach IPv6 addresses other than its own. */
  readonly reachesIpv6?: () => boolean;
}

/**
 * Resolves names as the system would, and with the TTLs: hosts file, then name servers (A and AAAA), then the system's own
 * lookup. IPv6 addresses are left out where the machine has none itself and there are others.
 */
export class SystemResolver implements NameResolver {
  readonly #resolver: Resolver;
  readonly #hosts: Pick<HostsFile, 'addressesOf'>;
  readonly #systemLookup: ((name: string) => Promise<readonly string[]>) | undefined;
  readonly #reachesIpv6: () => boolean;
  #isStopped = false;

  constructor({ servers = [], hosts = new HostsFile(), systemLookup, reachesIpv6 = hasIpv6 }: ResolverParts = {}) {
    this.#resolver = new Resolver({ timeout: questionTimeoutMs, tries: questionTries });
    if (servers.length > 0) this.#resolver.setServers(servers);
    this.#hosts = hosts;
    this.#systemLookup = systemLookup;
    this.#reachesIpv6 = reachesIpv6;
  }

  known(name: string): readonly ResolvedAddress[] | undefined {
    return this.#hosts
      .addressesOf(name)
      ?.map((address) => ({ address: plainVersionFour(address), ttlSeconds: ttlSecondsWithoutTtl }));
  }

  async resolve(name: string): Promise<readonly ResolvedAddress[]> {
    const known = this.known(name);
    if (known !== undefined) return known;
    const [four, six] = await Promise.allSettled([
      this.#resolver.resolve4(name, { ttl: true }),
      this.#resolver.resolve6(name, { ttl: true }),
    ]);
    const all = [four, six]
      .flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
      .map(({ address, ttl }) => ({ address: plainVersionFour(address), ttlSeconds: ttl }));
    if (all.length > 0) return this.#reachable(all);
    if (this.#systemLookup === undefined || this.#isStopped)
      throw four.status === 'rejected' ? four.reason : new Error('no address');
    const addresses = await this.#systemLookup(name);
    return this.#reachable(
      addresses.map((address) => ({ address: plainVersionFour(address), ttlSeconds: ttlSecondsWithoutTtl })),
    );
  }

  stop(): void {
    this.#isStopped = true;
    this.#resolver.cancel();
  }

  #reachable(all: readonly ResolvedAddress[]): readonly ResolvedAddress[] {
    const versionFour = all.filter(({ address }) => !address.includes(':'));
    return versionFour.length === 0 || this.#reachesIpv6() ? all : versionFour;
  }
}

/** `::ffff:192.0.2.1` is an IPv4 address in other clothes. */
function plainVersionFour(address: string): string {
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
}

/** Whether an interface has an IPv6 address that is neither loopback nor of the link alone. */
function hasIpv6(): boolean {
  return Object.values(networkInterfaces()).some((list) =>
    list?.some(({ family, internal, address }) => family === 'IPv6' && !internal && !address.startsWith('fe80:')),
  );
}
