import { connect as connectPlain, type LookupFunction, type Socket } from 'node:net';
import { connect as connectSecure, createSecureContext } from 'node:tls';
import { tlsOptionsOf } from '../../transport/upstream-tls.ts';
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
 * A TLS connection of a probe, which trusts whom requests trust and presents what they present. The certificate has to be for the server
 * name that is asked for: the record's, the upstream's `host`, or the target's own.
 * @throws Error of `node:tls` for certificates or keys that it cannot read
 */
export function secureConnection(
  { guard, ca }: ConnectionParts,
  { host, port, name }: ProbeAddress,
  { sni, verifiesCertificate, tls }: ProbePlan,
  protocols: readonly string[],
): Socket {
  return connectSecure({
    host,
    port,
    lookup: guard.lookupFor(port),
    ...tlsOptionsOf({ host: name, ...(sni !== undefined && { servername: sni }), ...(tls && { tls }) }),
    rejectUnauthorized: verifiesCertificate,
    ALPNProtocols: [...protocols],
    ...(ca && tls?.authorities === undefined && { secureContext: createSecureContext({ ca: [...ca] }) }),
  });
}
