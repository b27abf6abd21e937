import type { Socket } from 'node:net';
import type { ServiceProtocol } from '@portcullis/resources';
import type { BodySource } from './body-source.ts';
import type { UpstreamTls } from './upstream-tls.ts';

/** How an upstream is spoken to: `grpc` is HTTP/2 in cleartext, `grpcs` over TLS; `tcp` and `tls` carry bytes and no requests. */
export type UpstreamProtocol = ServiceProtocol;

/** Where a client connects to. */
export interface UpstreamAddress {
  readonly protocol: UpstreamProtocol;
  /** Name or address; IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
  readonly connectTimeoutMs: number;
  /** Name that the certificate must have where `host` is the address that the name stands for. */
  readonly servername?: string;
  /** Missing means the platform's authorities, and no certificate of the gateway's own. For `https`, `grpcs` and `tls`. */
  readonly tls?: UpstreamTls;
}

/** A request for an upstream. */
export interface UpstreamRequest {
  readonly method: string;
  /** Path with query. */
  readonly path: string;
  /** Name and value by turns, `host` among them. No hop-by-hop field; framing is the transport's. */
  readonly headers: readonly string[];
  readonly body: BodySource | Uint8Array | undefined;
  /**
   * Fields that the client announced behind its body, without those that may not be there; absent where there are none. In HTTP/1.1 they make the
   * body go in chunks also where its length is known: there is no place for them behind others.
   */
  readonly trailerNames?: readonly string[] | undefined;
  /** Milliseconds between two reads: to the headers, and between two chunks of the body. */
  readonly readTimeoutMs: number;
  /** Milliseconds that the upstream may take no byte of the body. */
  readonly writeTimeoutMs: number;
  /** Protocol that the connection is to speak from the answer on; of HTTP/1.1 only, for requests without a body. */
  readonly upgrade?: string | undefined;
}

/** Why an upstream gave no whole answer. */
export interface UpstreamFailure {
  readonly code:
    | 'upstream_connect_failed'
    | 'upstream_connect_timeout'
    | 'upstream_tls_failed'
    | 'upstream_busy'
    | 'upstream_unprocessed'
    | 'upstream_timeout'
    | 'upstream_reset'
    | 'upstream_malformed'
    | 'upstream_refused'
    | 'request_body_failed'
    | 'request_not_sendable'
    | 'aborted';
  readonly message: string;
  /** Whether no byte of the request was sent: it may be tried again whatever it is. */
  readonly unsent: boolean;
}

/** What receives an answer. `onEnd` or `onFailure` comes once, and nothing after it. */
export interface ResponseSink {
  /**
   * Status and headers, names in lower case or as received. Interim answers (1xx) are left out.
   * @param headers name and value by turns, one character a byte
   */
  onResponse(status: number, headers: string[]): void;
  onChunk(chunk: Uint8Array): void;
  /** @param trailers fields that came behind the body, name and value by turns */
  onEnd(trailers?: readonly string[]): void;
  onFailure(failure: UpstreamFailure): void;
  /**
   * The upstream answers 101 to a request that asked for it, and speaks HTTP no more. Nothing else is told: the connection is the sink's own,
   * whoever reads, writes and closes it hears of its errors.
   * @param headers as those of `onResponse`
   */
  onUpgrade?(headers: string[], connection: Socket): void;
}

/** A request on its way. */
export interface UpstreamCall {
  pause(): void;
  resume(): void;
  /** Gives the request up; the connection is not used again. `onFailure` follows with `aborted`, unless it was over. */
  abort(): void;
}

/** Sends requests to one address over connections that are kept. */
export interface UpstreamClient {
  /** Milliseconds that a connection may take: also how long a request may wait for one. */
  readonly connectTimeoutMs: number;
  send(request: UpstreamRequest, sink: ResponseSink): UpstreamCall;
  /** Lets requests in flight finish and closes the connections. */
  close(): void;
}
