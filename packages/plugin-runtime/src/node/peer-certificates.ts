import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';

/** Longest chain that is handed to plugins; what a peer sends beyond it is left out. */
const CHAIN_LENGTH_MAX = 10;

/**
 * The certificates that the other end of a request's connection presented in TLS, in DER, its own first. Empty on connections without
 * TLS, from peers without a certificate, and where the server did not ask (`requestCert`). Taken from the socket once: requests
 * that share a connection share the list. A resumed session has the peer's own certificate only.
 */
export function peerCertificatesOf({ socket }: Pick<IncomingMessage, 'socket'>): readonly Uint8Array[] {
  const known = chains.get(socket);
  if (known !== undefined) return known;
  const chain = Object.freeze(readChain(socket));
  chains.set(socket, chain);
  return chain;
}

/** Whether the server of a request verified what the other end presented: only with `requestCert` and the authorities of `ca`. */
export function isPeerVerified({ socket }: Pick<IncomingMessage, 'socket'>): boolean {
  return isTls(socket) && socket.authorized;
}

const chains = new WeakMap<Socket, readonly Uint8Array[]>();

function readChain(socket: Socket): Uint8Array[] {
  const chain: Uint8Array[] = [];
  let next = isTls(socket) ? socket.getPeerX509Certificate() : undefined;
  // A root names itself as its issuer, without end.
  while (next !== undefined && chain.length < CHAIN_LENGTH_MAX) {
    const { raw, issuerCertificate } = next;
    if (chain.some((seen) => raw.equals(seen))) break;
    chain.push(raw);
    next = issuerCertificate;
  }
  return chain;
}

function isTls(socket: Socket): socket is TLSSocket {
  return 'getPeerX509Certificate' in socket;
}
