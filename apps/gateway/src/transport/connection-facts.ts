import type { Socket } from 'node:net';
import type { ConnectionFacts } from './server-transport.ts';

const facts: unique symbol = Symbol('facts');

interface KnownSocket extends Socket {
  [facts]?: ConnectionFacts;
}

/** What is known of a socket's connection; a socket that nobody has spoken for is what it says itself, in cleartext. */
export function connectionOf(socket: Socket): ConnectionFacts {
  return ((socket as KnownSocket)[facts] ??= cleartext(endsOf(socket)));
}

/** Says what a socket's connection is, before its first request. */
export function setConnection(socket: Socket, connection: ConnectionFacts): void {
  (socket as KnownSocket)[facts] = connection;
}

/** Between whom a connection is. */
export type ConnectionEnds = Pick<ConnectionFacts, 'peerAddress' | 'peerPort' | 'localAddress' | 'localPort'>;

/** The ends of a socket; empty and 0 once it is gone. */
export function endsOf(socket: Socket): ConnectionEnds {
  return {
    peerAddress: socket.remoteAddress ?? '',
    peerPort: socket.remotePort ?? 0,
    localAddress: socket.localAddress ?? '',
    localPort: socket.localPort ?? 0,
  };
}

/** The facts of a connection without TLS. */
export function cleartext({ peerAddress, peerPort, localAddress, localPort }: ConnectionEnds): ConnectionFacts {
  return {
    peerAddress,
    peerPort,
    localAddress,
    localPort,
    encrypted: false,
    serverName: undefined,
    clientCertificates: () => none,
    isClientVerified: false,
    clientAsks: '',
  };
}

const none: readonly Uint8Array[] = [];
