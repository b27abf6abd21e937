import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { DeadlineWatch } from '@portcullis/egress';
import type { ServerIdentities } from '../certificates/server-identities.ts';
import { cleartext, setConnection, type ConnectionEnds } from '../transport/connection-facts.ts';
import type { Http1Server } from '../transport/http1-server.ts';
import type { Http2Server } from '../transport/http2-server.ts';
import type { OpenSockets } from '../transport/open-sockets.ts';
import { setRawSocket } from '../transport/raw-socket.ts';
import type { StreamHandler } from '../transport/stream-handler.ts';
import { type ClientHello, clientHelloBytesMax, readClientHello } from './client-hello.ts';
import { FirstBytes, type Judge } from './first-bytes.ts';
import { alerts, sendAlert } from './tls-alerts.ts';
import { TlsConnection } from './tls-connection.ts';
import { TlsEnds } from './tls-ends.ts';

/** What the port for TLS needs. */
export interface TlsEntranceParts {
  readonly sockets: OpenSockets;
  readonly http1: Http1Server;
  readonly http2: Http2Server;
  readonly streams: StreamHandler | undefined;
  /** Who the gateway is at this moment. */
  readonly identities: () => ServerIdentities;
  readonly watch: DeadlineWatch;
  readonly timeoutMs: number;
  /** Told of each connection that did not get through its handshake, with the reason. */
  readonly onRefused: (reason: string) => void;
}

/**
 * Takes the connections of the port for TLS. Each one's first message is read before TLS begins: its server name decides
 * whether the connection is passed through untouched, which certificate is shown and what clients are asked for.
 */
export class TlsEntrance {
  readonly #parts: TlsEntranceParts;
  readonly #ends: TlsEnds;

  constructor(parts: TlsEntranceParts) {
    this.#parts = parts;
    this.#ends = new TlsEnds(parts.timeoutMs);
  }

  /** @param deadlineMs moment on the monotonic clock by which its first message must be there */
  take(socket: Socket, ends: ConnectionEnds, deadlineMs: number): void {
    const { watch } = this.#parts;
    new FirstBytes(socket, judgeHello, clientHelloBytesMax, watch, deadlineMs, {
      onVerdict: (hello) => this.#takeHello(socket, ends, hello),
      onFailure: (failure) => this.#refuse(socket, failure),
    }).start();
  }

  #takeHello(socket: Socket, ends: ConnectionEnds, hello: ClientHello): void {
    if (hello.kind !== 'hello') {
      if (hello.kind === 'malformed') sendAlert(socket, alerts.decodeError);
      this.#refuse(socket, hello.kind);
      return;
    }
    const { streams, sockets, identities } = this.#parts;
    const { serverName } = hello;
    if (streams?.passesTls === true && streams.passTls(socket, { ...cleartext(ends), serverName })) {
      sockets.release(socket);
      return;
    }
    const identity = identities().find(serverName);
    if (identity === undefined) {
      sendAlert(socket, alerts.unrecognizedName);
      this.#refuse(socket, 'unrecognized_name');
      return;
    }
    const takesAnyProtocol = streams?.endsTls({ ...cleartext(ends), serverName }) === true;
    const outcome = {
      onSecure: (secure: TLSSocket) => this.#takeSecure(secure, socket, new TlsConnection(ends, serverName, secure)),
      onFailure: this.#parts.onRefused,
    };
    this.#ends.begin(socket, identity, outcome, takesAnyProtocol);
  }

  #takeSecure(secure: TLSSocket, raw: Socket, connection: TlsConnection): void {
    const { http1, http2, streams, sockets } = this.#parts;
    setConnection(secure, connection);
    setRawSocket(secure, raw);
    if (secure.alpnProtocol === 'h2') http2.take(secure, connection);
    // Who speaks HTTP mostly says so; who does not may speak anything.
    else if (secure.alpnProtocol !== 'http/1.1' && streams?.takeTerminated(secure, connection) === true)
      sockets.release(raw);
    else http1.take(secure);
  }

  #refuse(socket: Socket, reason: string): void {
    socket.destroySoon();
    this.#parts.onRefused(reason);
  }
}

const judgeHello: Judge<ClientHello> = (bytes) => {
  const hello = readClientHello(bytes);
  return hello && { verdict: hello, taken: 0 };
};
