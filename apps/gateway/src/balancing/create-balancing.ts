import { createResolver } from '@portcullis/egress';
import type { HealthPort } from '../health/endpoint-health.ts';
import type { AddressGuard } from '../transport/address-guard.ts';
import { UpstreamPools } from '../transport/upstream-pools.ts';
import { Balancing } from './balancing.ts';
import { addressesMax, NameDirectory } from './name-directory.ts';

/** What balancing takes from the process. */
export interface BalancingParts {
  readonly guard: AddressGuard;
  readonly health: HealthPort;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  /** Name servers to ask in place of the system's; then nothing else is asked, but for the hosts file. */
  readonly dnsServers: readonly string[];
  readonly log: { warn(details: Readonly<Record<string, unknown>>, message: string): void };
}

/** Balancing with real connections, clocks and name servers. */
export function createBalancing({ guard, health, random, dnsServers, log }: BalancingParts): Balancing {
  const names = new NameDirectory({
    resolver: createResolver(dnsServers),
    random,
    schedule: (callback, delayMs) => {
      const timer = setTimeout(callback, delayMs).unref();
      return () => clearTimeout(timer);
    },
    onTooMany: (name, found) => {
      log.warn({ name, found, used: addressesMax }, 'the name of a target stands for more addresses than are used');
    },
  });
  const clients = new UpstreamPools(guard, log);
  return new Balancing({ clients, refuses: (address, port) => guard.refuses(address, port), names, health, random });
}
