import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { ConnectionFacts } from './server-transport.ts';

/** Takes connections that are carried byte by byte. Whoever listens asks it; what it takes is its own from then on. */
export interface StreamHandler {
  /** Whether any route passes TLS through: only then server names are read before TLS begins. */
  readonly passesTls: boolean;
  /**
   * A connection that begins TLS, nothing of it taken: what was read of it has been put back.
   * @param connection with the server name that its first message asks for
   * @returns whether a route passes it through
   */
  passTls(socket: Socket, connection: ConnectionFacts): boolean;
  /**
   * Whether a route carries what is in the TLS of a connection that names a server, should that end here: then a client may ask by ALPN
   * for a protocol that the gateway does not speak.
   */
  endsTls(connection: ConnectionFacts): boolean;
  /** A connection whose TLS ended here and that did not ask for HTTP by ALPN. @returns whether a route carries what is in it */
  takeTerminated(socket: TLSSocket, connection: ConnectionFacts): boolean;
  /** A connection on a port for streams: carried, or closed. */
  takePlain(socket: Socket, connection: ConnectionFacts): void;
}
