import { lookup } from 'node:dns/promises';
import type { RefusedNetwork } from '@portcullis/egress';
import { AddressGuard } from './address-guard.ts';

/** How often the control plane's name is resolved again: it may move, or name servers may be late when the gateway starts. */
const learnAgainMs = 30_000;

/** What the guard has to know. */
export interface GuardParts {
  readonly controlPlaneUrl: string;
  /** Of this process; 0 when it is not known yet. */
  readonly statusPort: number;
  readonly refusedAddresses: readonly RefusedNetwork[];
  /** Where the gateway's own counters are, if it has such a place. */
  readonly redis?: ServiceAddress | undefined;
  /** The servers of the gateway's own databases. */
  readonly databases?: readonly ServiceAddress[];
}

/** A service of the gateway's own. */
export interface ServiceAddress {
  readonly host: string;
  readonly port: number;
}

/**
 * The guard of the process. It knows the control plane, Redis and databases by their literal addresses at once, by their names' addresses soon, and
 * follows them.
 * @param signal ends that
 */
export function createAddressGuard(parts: GuardParts, signal: AbortSignal): AddressGuard {
  const { hostname, port, protocol } = new URL(parts.controlPlaneUrl);
  const host = hostname.replace(/^\[|\]$/g, '');
  const controlPlane = { host, port: Number(port) || (protocol === 'https:' ? 443 : 80) };
  const guard = new AddressGuard(controlPlane, undefined, parts.refusedAddresses);
  if (parts.statusPort !== 0) guard.refuseOwnPort(parts.statusPort);
  const { redis, databases = [] } = parts;
  const services = redis === undefined ? databases : [redis, ...databases];
  for (const { host: name, port: own } of services) guard.refuse(name, own);
  const learn = (): void => {
    lookup(host, { all: true })
      .then((addresses) => guard.learn(addresses.map(({ address }) => address)))
      .catch(() => undefined); // What is known stays, and it is asked for again.
    for (const service of services) {
      lookup(service.host, { all: true })
        .then((addresses) => addresses.forEach(({ address }) => guard.refuse(address, service.port)))
        .catch(() => undefined);
    }
  };
  learn();
  const timer = setInterval(learn, learnAgainMs).unref();
  signal.addEventListener('abort', () => clearInterval(timer), { once: true });
  return guard;
}
