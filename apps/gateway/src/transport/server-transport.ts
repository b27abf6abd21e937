import type { Socket } from 'node:net';
import type { BodySource } from './body-source.ts';

/** Version of HTTP that a request came in; `other` is answered with 505. */
export type HttpVersion = '1.0' | '1.1' | '2' | 'other';

/** The protocol that connections can be switched to. Source: RFC 6455. */
export const upgradeProtocol = 'websocket';

/** What is known of a client's connection before any request. */
export interface ConnectionFacts {
  /** The other end of the socket, or whom its PROXY protocol header names. */
  readonly peerAddress: string;
  /** Its port; 0 when it is not known. */
  readonly peerPort: number;
  /** Where the connection came in, or where its PROXY protocol header says that it did. */
  readonly localAddress: string;
  readonly localPort: number;
  /** Whether TLS ends here. */
  readonly encrypted: boolean;
  /** Server name that the client asked for in TLS, in lower case; `undefined` without TLS or name. */
  readonly serverName: string | undefined;
  /** What the client presented in TLS and what completes its chain, in DER, its own certificate first; the same list on each call. Empty when nothing. */
  readonly clientCertificates: () => readonly Uint8Array[];
  /** Whether its chain was verified against the authorities that the configuration names for the server name. */
  readonly isClientVerified: boolean;
  /** What the client was asked for when TLS began, see `ServerIdentity.asks`; empty without TLS. */
  readonly clientAsks: string;
}

/**
 * One request as the server side hands it over, and the way to answer it. An answer is `respond`, or `begin`, `write`…,
 * `end`; `abort` cuts the connection so that the client sees that the answer is not whole.
 */
export interface ServerCall {
  readonly method: string;
  /** The request target as received: path with query, or in absolute form. */
  readonly target: string;
  /** Name and value by turns, in the order and case received. */
  readonly headers: readonly string[];
  readonly httpVersion: HttpVersion;
  /** What is known of the connection; one object for all its requests. */
  readonly connection: ConnectionFacts;
  /** `undefined` when the request has no body. */
  readonly body: BodySource | undefined;
  /** Bytes of the body received so far. */
  readonly bodyBytes: number;
  /** Whether the answer's status and headers are out. */
  readonly begun: boolean;

  /** Who is told of room in the socket and of its end. */
  observe(observer: CallObserver): void;
  /**
   * Sends a whole answer. `content-length` is added.
   * @param close ends the connection with it; nothing that follows on the connection is answered
   */
  respond(status: number, headers: readonly string[], body: string | Uint8Array | undefined, close: boolean): void;
  /**
   * Sends status and headers.
   * @throws TypeError for a header that must not be sent
   */
  begin(status: number, headers: readonly string[]): void;
  /** @returns `false` when the caller should wait for `onDrain` */
  write(chunk: Uint8Array): boolean;
  /**
   * Sends the last chunk, if any, and ends the answer.
   * @param trailers name and value by turns; left out where the connection cannot carry them
   */
  end(chunk?: Uint8Array, trailers?: readonly string[]): void;
  /** Cuts the connection. */
  abort(): void;
  /**
   * Answers 101 and gives the connection away, with what the client has sent behind its request. Whoever takes it reads, writes and closes
   * it, and hears of its errors; of the call comes only `onClosed`, and before it `onAborted` where the server was cut. Only there where the
   * client asks for the protocol `websocket` in a way that it can be given, and at most once.
   * @param headers name and value by turns, `connection` and `upgrade` among them
   * @throws TypeError for a header that must not be sent
   */
  switchProtocols?(headers: readonly string[]): Socket;
}

/** Why an answer did not get out: the client left, did not take it, or the server was cut. */
export type AbortCause = 'clientLeft' | 'clientTooSlow' | 'gatewayStopped';

/** What a call tells the one who answers it. */
export interface CallObserver {
  /** There is room for more `write`s. */
  onDrain(): void;
  /** The connection is gone before the answer was out. */
  onAborted(cause: AbortCause): void;
  /** The answer is out, or the connection gone. Told once, and last. */
  onClosed(): void;
}

/** Takes requests. */
export type CallHandler = (call: ServerCall) => void;

/** A listening server. */
export interface ServerTransport {
  /** The port it listens on. */
  readonly port: number;
  /** The one for TLS; 0 when there is none. */
  readonly tlsPort: number;
  /** Stops accepting, and waits until the requests in flight and those on their way are answered. */
  stop(): Promise<void>;
  /** Cuts whatever is still open. */
  destroy(): void;
}
