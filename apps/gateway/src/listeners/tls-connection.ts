import type { TLSSocket } from 'node:tls';
import type { ConnectionEnds } from '../transport/connection-facts.ts';
import type { ConnectionFacts } from '../transport/server-transport.ts';

/** Longest chain that is handed to plugins; what a client sends beyond it is left out. */
const chainMax = 10;

/** What is known of a connection whose TLS ended here. */
export class TlsConnection implements ConnectionFacts {
  readonly peerAddress: string;
  readonly peerPort: number;
  readonly localAddress: string;
  readonly localPort: number;
  readonly encrypted = true;
  readonly serverName: string | undefined;
  readonly isClientVerified: boolean;
  readonly clientAsks: string;
  /** One function for all requests of the connection, which hand it on. */
  readonly clientCertificates: () => readonly Uint8Array[];
  #certificates: readonly Uint8Array[] | undefined;

  constructor(ends: ConnectionEnds, serverName: string | undefined, clientAsks: string, socket: TLSSocket) {
    this.peerAddress = ends.peerAddress;
    this.peerPort = ends.peerPort;
    this.localAddress = ends.localAddress;
    this.localPort = ends.localPort;
    this.serverName = serverName;
    this.isClientVerified = socket.authorized;
    this.clientAsks = clientAsks;
    this.clientCertificates = () => (this.#certificates ??= chainOf(socket));
  }
}

function chainOf(socket: TLSSocket): readonly Uint8Array[] {
  const chain: Uint8Array[] = [];
  // Asked for the first time: Node takes the issuers out of the connection as it hands them over.
  let certificate = socket.getPeerX509Certificate();
  while (certificate !== undefined && chain.length < chainMax) {
    const { raw, issuerCertificate } = certificate;
    if (chain.some((seen) => raw.equals(seen))) break;
    chain.push(raw);
    certificate = issuerCertificate;
  }
  return chain;
}
