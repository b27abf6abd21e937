import { connect as connectPlain, isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as connectSecure } from 'node:tls';
import type { ProbeAddress, ProbePlan } from './probe.ts';

/** Which addresses probes may call: the rule of traffic. */
export interface ProbeGuard {
  refuses(address: string, port: number): boolean;
  lookupFor(port: number): LookupFunction;
}

/** What connections of probes are made with. */
export interface ConnectionParts {
  readonly guard: ProbeGuard;
  /** Authorities to trust in place of the platform's, in PEM. */
  readonly ca?: readonly string[];
}

/** A cleartext connection of a probe. */
export function plainConnection({ guard }: ConnectionParts, { host, port }: ProbeAddress): Socket {
  return connectPlain({ host, port, lookup: guard.lookupFor(port) });
}

/**
 * A TLS connection of a probe. The certificate has to be for the server name that is asked for, the target's own where the
 * record gives none.
 */
export function secureConnection(
  { guard, ca }: ConnectionParts,
  { host, port, name }: ProbeAddress,
  { sni, verifiesCertificate }: ProbePlan,
  protocols: readonly string[],
): Socket {
  const serverName = sni ?? name;
  return connectSecure({
    host,
    port,
    lookup: guard.lookupFor(port),
    // An address must not be sent as a server name; it is what the certificate is compared with all the same.
    ...(isIP(serverName) === 0 && { servername: serverName }),
    rejectUnauthorized: verifiesCertificate,
    ALPNProtocols: [...protocols],
    ...(ca && { ca: [...ca] }),
  });
}
