import {
  checkServerIdentity,
  createSecureContext,
  type ConnectionOptions,
  type PeerCertificate,
  type SecureContext,
} from 'node:tls';
import { isIP } from 'node:net';
import type { UpstreamAddress } from './upstream-transport.ts';

/**
 * How the gateway meets an upstream in TLS. Source: wire contract, Gateways, services, routes; Upstreams, targets, health. Plans that say
 * the same have equal values: connections are shared by {@link id}.
 */
export interface UpstreamTls {
  /** Stands for all the rest where connections are looked up: a digest, never key material. */
  readonly id: string;
  /** Whether the certificate must be trusted and name the host. */
  readonly verify: boolean;
  /** Intermediate certificates that the chain may have; no bound when absent. */
  readonly verifyDepth?: number;
  /** Whom to trust, in PEM; the platform's authorities when absent. */
  readonly authorities?: readonly string[];
  /** What the gateway presents when it is asked. */
  readonly clientCertificate?: { readonly certificate: string; readonly key: string };
}

/** What of an address says how it is met. */
export type TlsAddress = Pick<UpstreamAddress, 'host' | 'servername' | 'tls'>;

/**
 * Options of `node:tls` for an address; its context is made once for each configuration of TLS, not for each connection.
 * @throws Error of `node:tls` for certificates or keys that it cannot read
 */
export function tlsOptionsOf(
  address: TlsAddress,
): Pick<ConnectionOptions, 'secureContext' | 'rejectUnauthorized' | 'checkServerIdentity' | 'servername'> {
  const { tls } = address;
  const name = serverNameOf(address);
  return {
    secureContext: contextOf(tls),
    rejectUnauthorized: tls?.verify ?? true,
    // Without a name to ask for, the certificate has to be for the address itself.
    ...(name !== undefined && { servername: name }),
    ...(tls?.verifyDepth !== undefined && { checkServerIdentity: identityWithin(tls.verifyDepth) }),
  };
}

/** The name that is asked for and that the certificate must have; `undefined` for an address without one. Source: RFC 6066, section 3. */
export function serverNameOf({ host, servername }: TlsAddress): string | undefined {
  const name = servername ?? host;
  return isIP(name) === 0 ? name : undefined;
}

const contexts = new WeakMap<UpstreamTls, SecureContext>();
let platformContext: SecureContext | undefined;

function contextOf(tls: UpstreamTls | undefined): SecureContext {
  if (tls?.authorities === undefined && tls?.clientCertificate === undefined) {
    return (platformContext ??= createSecureContext(versions));
  }
  const known = contexts.get(tls);
  if (known !== undefined) return known;
  const { authorities, clientCertificate } = tls;
  const context = createSecureContext({
    ...versions,
    ...(authorities && { ca: [...authorities] }),
    ...(clientCertificate && { cert: clientCertificate.certificate, key: clientCertificate.key }),
  });
  contexts.set(tls, context);
  return context;
}

/** Source: RFC 8996, what is older must not be used. */
const versions = { minVersion: 'TLSv1.2' } as const;

/** OpenSSL's bound on the depth is out of reach in Node, so the chain is counted once it is verified. */
function identityWithin(depthMax: number): typeof checkServerIdentity {
  return (hostname, certificate) => {
    const mistake = checkServerIdentity(hostname, certificate);
    if (mistake !== undefined || intermediatesOf(certificate) <= depthMax) return mistake;
    return Object.assign(new Error('the chain of certificates is too long'), { code: 'CERT_CHAIN_TOO_LONG' });
  };
}

/** Certificates between the server's own and the authority that is trusted, which is the last one. */
function intermediatesOf(certificate: PeerCertificate): number {
  let length = 1;
  let last: LinkedCertificate = certificate as PeerCertificate & LinkedCertificate;
  while (last.issuerCertificate !== undefined && last.issuerCertificate !== last) {
    last = last.issuerCertificate;
    length += 1;
  }
  return Math.max(0, length - 2);
}

interface LinkedCertificate {
  readonly issuerCertificate?: LinkedCertificate;
}
