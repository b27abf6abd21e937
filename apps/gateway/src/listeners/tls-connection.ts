import type { TLSSocket } from 'node:tls';
import type { ConnectionEnds } from '../transport/connection-facts.ts';
import type { ConnectionFacts } from '../transport/server-transport.ts';

/** Certificates of a chain that are looked at. OpenSSL verifies none that is longer. */
const chainMax = 100;

/** What is known of a connection whose TLS ended here. */
export class TlsConnection implements ConnectionFacts {
  readonly peerAddress: string;
  readonly peerPort: number;
  readonly localAddress: string;
  readonly localPort: number;
  readonly encrypted = true;
  readonly serverName: string | undefined;
  readonly isClientVerified: boolean;
  readonly #socket: TLSSocket;
  #certificates: readonly Uint8Array[] | undefined;

  constructor(ends: ConnectionEnds, serverName: string | undefined, socket: TLSSocket) {
    this.peerAddress = ends.peerAddress;
    this.peerPort = ends.peerPort;
    this.localAddress = ends.localAddress;
    this.localPort = ends.localPort;
    this.serverName = serverName;
    this.isClientVerified = socket.authorized;
    this.#socket = socket;
  }

  clientCertificates(): readonly Uint8Array[] {
    return (this.#certificates ??= chainOf(this.#socket));
  }
}

function chainOf(socket: TLSSocket): readonly Uint8Array[] {
  const chain: Uint8Array[] = [];
  let certificate = socket.getPeerCertificate(true);
  // The last one is its own issuer.
  while (certificate?.raw !== undefined && chain.length < chainMax) {
    chain.push(certificate.raw);
    if (certificate.issuerCertificate === certificate) break;
    certificate = certificate.issuerCertificate;
  }
  return chain;
}
