import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { DeadlineWatch } from '@portcullis/egress';
import type { ServerIdentities, ServerIdentity } from '../certificates/server-identities.ts';
import { cleartext, setConnection, type ConnectionEnds } from '../transport/connection-facts.ts';
import type { Http1Server } from '../transport/http1-server.ts';
import type { Http2Server } from '../transport/http2-server.ts';
import { type MalformedAnswer, refuseBytes } from '../transport/malformed.ts';
import type { OpenSockets } from '../transport/open-sockets.ts';
import type { RefusalSink } from '../transport/refusal-sink.ts';
import { setRawSocket } from '../transport/raw-socket.ts';
import type { StreamHandler } from '../transport/stream-handler.ts';
import { type ClientHello, clientHelloBytesMax, readClientHello } from './client-hello.ts';
import { FirstBytes, type Judge } from './first-bytes.ts';
import { refuseClient } from './refused-client.ts';
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
  /** Answers clients that speak HTTP without TLS. */
  readonly malformedAnswer: MalformedAnswer;
  /** Told of each connection that did not get through its handshake. */
  readonly refusals: RefusalSink;
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
      onFailure: (failure) => this.#refuse(socket, failure, ends),
    }).start();
  }

  #takeHello(socket: Socket, ends: ConnectionEnds, hello: ClientHello): void {
    if (hello.kind === 'http') {
      const refusal = { status: 400, peerAddress: ends.peerAddress, underway: false, detail: plainHttpDetail };
      this.#parts.refusals.tls(hello.kind, ends.peerAddress, undefined);
      refuseBytes(socket, refusal, this.#parts.malformedAnswer);
      return;
    }
    if (hello.kind !== 'hello') {
      if (hello.kind === 'malformed') sendAlert(socket, alerts.decodeError);
      this.#refuse(socket, hello.kind, ends);
      return;
    }
    const { streams, sockets, refusals, watch, malformedAnswer } = this.#parts;
    const { serverName } = hello;
    if (streams?.passesTls === true && streams.passTls(socket, { ...cleartext(ends), serverName })) {
      sockets.release(socket);
      return;
    }
    const identity = this.#identityOf(serverName);
    if (identity === undefined || identity === 'failed') {
      sendAlert(socket, identity === undefined ? alerts.unrecognizedName : alerts.internalError);
      this.#refuse(socket, identity === undefined ? 'unrecognized_name' : 'gateway_error', ends, serverName);
      return;
    }
    const takesAnyProtocol = streams?.endsTls({ ...cleartext(ends), serverName }) === true;
    const outcome = {
      onSecure: (secure: TLSSocket) =>
        this.#takeSecure(secure, socket, new TlsConnection(ends, serverName, identity.asks, secure)),
      onUntrusted: (secure: TLSSocket, code: string) => {
        refusals.tls(code, ends.peerAddress, serverName);
        // Who asks for another protocol than HTTP would take an answer of HTTP for its own.
        const speaksHttp = secure.alpnProtocol === 'http/1.1' || !takesAnyProtocol;
        refuseClient(secure, { ends, speaksHttp, watch, malformedAnswer });
      },
      onFailure: (code: string) => refusals.tls(code, ends.peerAddress, serverName),
    };
    this.#ends.begin(socket, identity, outcome, takesAnyProtocol);
  }

  /** One name that cannot be served must not take the process with it: this runs for whatever a client asks for. */
  #identityOf(serverName: string | undefined): ServerIdentity | 'failed' | undefined {
    try {
      return this.#parts.identities().find(serverName);
    } catch {
      return 'failed';
    }
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

  #refuse(socket: Socket, reason: string, { peerAddress }: ConnectionEnds, serverName?: string): void {
    socket.destroySoon();
    this.#parts.refusals.tls(reason, peerAddress, serverName);
  }
}

const plainHttpDetail = 'a plain HTTP request was sent to the port for TLS';

const judgeHello: Judge<ClientHello> = (bytes) => {
  const hello = readClientHello(bytes);
  return hello && { verdict: hello, taken: 0 };
};
