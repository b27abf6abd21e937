/**
 * What a host can tell of whoever sent a request. The web's request knows none of it.
 * @typeParam Source what the host is asked with: the request, or what a framework wraps it in
 */
export interface PeerOptions<Source> {
  /** The client's address. Default: none, the empty text. */
  readonly clientIp?: (source: Source) => string;
  /** Whether the connection's other end is a proxy that is believed about its client. Default: nobody is. */
  readonly isFromTrustedPeer?: (source: Source) => boolean;
  /** The certificates that the other end presented in TLS, in DER, its own first. Called when a plugin asks. Default: none. */
  readonly peerCertificates?: (source: Source) => readonly Uint8Array[];
}

/** What is known of whoever sent one request. */
export interface Peer {
  readonly clientIp: string;
  readonly isFromTrustedPeer: boolean;
  readonly peerCertificates?: () => readonly Uint8Array[];
}

/** Asks a host of the sender of one request, but for the certificates. Throws what the host's own functions throw. */
export function peerOf<Source>(options: PeerOptions<Source>, source: Source): Peer {
  const { clientIp, isFromTrustedPeer, peerCertificates } = options;
  return {
    clientIp: clientIp?.(source) ?? '',
    isFromTrustedPeer: isFromTrustedPeer?.(source) === true,
    ...(peerCertificates === undefined ? {} : { peerCertificates: () => peerCertificates(source) }),
  };
}
