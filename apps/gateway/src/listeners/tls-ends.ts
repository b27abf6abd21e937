import type { Socket } from 'node:net';
import { createServer, type SecureContext, type Server, type TLSSocket } from 'node:tls';
import type { ServerIdentity } from '../certificates/server-identities.ts';

/** Who is told how a handshake ended; once. */
export interface HandshakeOutcome {
  onSecure(socket: TLSSocket): void;
  /** @param code OpenSSL's, the verification's or the system's name for it; the socket is closed */
  onFailure(code: string): void;
}

/** What clients are offered by ALPN. */
const protocols: readonly string[] = ['h2', 'http/1.1'];

/** What `node:tls` reads of its server when it makes a socket. */
interface Handshake extends Server {
  readonly _sharedCreds: SecureContext;
  readonly requestCert: boolean;
  readonly rejectUnauthorized: boolean;
  readonly outcome: HandshakeOutcome;
}

/**
 * Ends TLS with an identity that is chosen before the handshake begins. `node:tls` lets a server have one default identity and
 * one way of asking for client certificates; so each connection gets a server of its own, that is one object which inherits
 * from a server that never listens. There is no other context for a session to be resumed with: what a client showed under
 * one name never counts under another one.
 */
export class TlsEnds {
  readonly #server: Server;

  /** @param handshakeTimeoutMs how long a handshake may take */
  constructor(handshakeTimeoutMs: number) {
    this.#server = createServer({ handshakeTimeout: handshakeTimeoutMs, ALPNProtocols: [...protocols] });
    this.#server.on('secureConnection', function (this: Handshake, socket) {
      this.outcome.onSecure(socket);
    } as (socket: TLSSocket) => void);
    this.#server.on('tlsClientError', function (this: Handshake, error: NodeJS.ErrnoException, socket) {
      socket.destroy();
      this.outcome.onFailure(String(socket.authorizationError ?? error.code ?? 'UNKNOWN'));
    } as (error: Error, socket: TLSSocket) => void);
  }

  /**
   * Begins the handshake on a socket whose first bytes were put back.
   * @param takesAnyProtocol whether a client may ask by ALPN for what the gateway does not speak: somebody else carries that
   */
  begin(
    socket: Socket,
    { secureContext, clientCertificateMode }: ServerIdentity,
    outcome: HandshakeOutcome,
    takesAnyProtocol = false,
  ): void {
    const handshake = Object.create(this.#server, {
      _sharedCreds: { value: secureContext },
      requestCert: { value: clientCertificateMode !== 'none' },
      rejectUnauthorized: { value: clientCertificateMode === 'require' },
      outcome: { value: outcome },
      ...(takesAnyProtocol === true && { ALPNProtocols: { value: undefined }, ALPNCallback: { value: anyProtocol } }),
    }) as Handshake;
    handshake.emit('connection', socket);
  }
}

/** Ours if the client knows one of them, else the one that it likes best. */
function anyProtocol({ protocols: asked }: { readonly protocols: readonly string[] }): string | undefined {
  return protocols.find((one) => asked.includes(one)) ?? asked[0];
}
