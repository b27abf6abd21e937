import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { DeadlineWatch, type Watched } from '@portcullis/egress';
import type { ServerIdentity } from '../certificates/server-identities.ts';

/** Who is told how a handshake ended; once. */
export interface HandshakeOutcome {
  /** Its `authorized` says whether the client's certificates were verified. */
  onSecure(socket: TLSSocket): void;
  /**
   * TLS stands, but the client's certificate is not one that the identity requires. Nothing that comes on the socket may be taken for
   * a request; it is the outcome's to say so and to close it.
   * @param code the verification's name for what is wrong
   */
  onUntrusted(socket: TLSSocket, code: string): void;
  /** @param code OpenSSL's, the verification's or the system's name for it; the socket is closed */
  onFailure(code: string): void;
}

/** What clients are offered by ALPN. */
const protocols: readonly string[] = ['h2', 'http/1.1'];

/** How late the end of a handshake's time may be noticed. */
const sweepMs = 100;

/**
 * Ends TLS with an identity that is chosen before the handshake begins. A server of `node:tls` has one default identity, asks all
 * clients alike for certificates, and looks identities up only where no session is resumed; so the sockets are made one by one.
 * There is no other context for a session to be resumed with: what a client showed under one name never counts under another one.
 */
export class TlsEnds {
  readonly #handshakeTimeoutMs: number;
  readonly #watch = new DeadlineWatch(sweepMs);

  /** @param handshakeTimeoutMs how long a handshake may take */
  constructor(handshakeTimeoutMs: number) {
    this.#handshakeTimeoutMs = handshakeTimeoutMs;
  }

  /**
   * Begins the handshake on a socket whose first bytes were put back.
   * @param takesAnyProtocol whether a client may ask by ALPN for what the gateway does not speak: somebody else carries that
   */
  begin(socket: Socket, identity: ServerIdentity, outcome: HandshakeOutcome, takesAnyProtocol = false): void {
    const mode = identity.clientCertificateMode;
    const secure = new TLSSocket(socket, {
      isServer: true,
      secureContext: identity.secureContext,
      requestCert: mode !== 'none',
      rejectUnauthorized: mode === 'require',
      ...(takesAnyProtocol ? { ALPNCallback: anyProtocol } : { ALPNProtocols: [...protocols] }),
    }) as ServerSocket;
    new Handshake(secure, identity, outcome, this.#watch, performance.now() + this.#handshakeTimeoutMs).start();
  }
}

/** What `node:tls` has for its servers only. */
interface ServerSocket extends TLSSocket {
  readonly _handle: { verifyError(): NodeJS.ErrnoException | null } | null;
  /** Whether `node:http2` has to wait for it. */
  secureConnecting: boolean;
  /** From then on errors are the socket's own, as on any other. */
  _releaseControl(): boolean;
}

class Handshake implements Watched {
  place = -1;
  readonly deadlineMs: number;
  readonly #socket: ServerSocket;
  readonly #identity: ServerIdentity;
  readonly #outcome: HandshakeOutcome;
  readonly #watch: DeadlineWatch;
  #failure = 'ECONNRESET';

  constructor(
    socket: ServerSocket,
    identity: ServerIdentity,
    outcome: HandshakeOutcome,
    watch: DeadlineWatch,
    deadlineMs: number,
  ) {
    this.#socket = socket;
    this.#identity = identity;
    this.#outcome = outcome;
    this.#watch = watch;
    this.deadlineMs = deadlineMs;
  }

  start(): void {
    this.#watch.add(this);
    // A renegotiation costs the gateway more than its client, and TLS 1.3 has none.
    this.#socket.disableRenegotiation();
    this.#socket.on('error', this.#onError);
    this.#socket.on('close', this.#onClose);
    this.#socket.on('secure', this.#onSecure);
  }

  expire(): void {
    this.#failure = 'late';
    this.#socket.destroy();
  }

  readonly #onError = (error: NodeJS.ErrnoException): void => {
    this.#failure = error.code ?? 'UNKNOWN';
  };

  readonly #onClose = (): void => {
    this.#watch.delete(this);
    this.#outcome.onFailure(this.#failure);
  };

  readonly #onSecure = (): void => {
    const socket = this.#socket;
    const { clientCertificateMode: mode } = this.#identity;
    // Without a certificate there is nothing that could have been verified, whatever a resumed session says.
    const error = mode === 'none' ? undefined : socket._handle?.verifyError();
    socket.authorized = error === null && socket.getPeerCertificate().raw !== undefined;
    this.#watch.delete(this);
    socket.off('error', this.#onError);
    socket.off('close', this.#onClose);
    socket.secureConnecting = false;
    socket._releaseControl();
    if (mode !== 'require' || socket.authorized) this.#outcome.onSecure(socket);
    else this.#outcome.onUntrusted(socket, error?.code ?? 'UNABLE_TO_GET_ISSUER_CERT');
  };
}

/** Ours if the client knows one of them, else the one that it likes best. */
function anyProtocol({ protocols: asked }: { readonly protocols: readonly string[] }): string | undefined {
  return protocols.find((one) => asked.includes(one)) ?? asked[0];
}
