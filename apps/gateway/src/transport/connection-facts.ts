import type { Socket } from 'node:net';
import type { ConnectionFacts } from './server-transport.ts';

const facts: unique symbol = Symbol('facts');

interface KnownSocket extends Socket {
  [facts]?: ConnectionFacts;
}

/** What is known of a socket's connection; a socket that nobody has spoken for is what it says itself, in cleartext. */
export function connectionOf(socket: Socket): ConnectionFacts {
  return ((socket as KnownSocket)[facts] ??= cleartext(socket.remoteAddress ?? '', socket.localPort ?? 0));
}

/** Says what a socket's connection is, before its first request. */
export function setConnection(socket: Socket, connection: ConnectionFacts): void {
  (socket as KnownSocket)[facts] = connection;
}

/** The facts of a connection without TLS. */
export function cleartext(peerAddress: string, localPort: number): ConnectionFacts {
  return {
    peerAddress,
    localPort,
    encrypted: false,
    serverName: undefined,
    clientCertificates: () => none,
    isClientVerified: false,
  };
}

const none: readonly Uint8Array[] = [];
