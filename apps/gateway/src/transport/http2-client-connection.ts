import { connect, type ClientHttp2Session, type ClientHttp2Stream, type Settings } from 'node:http2';
import type { LookupFunction, Socket } from 'node:net';
import { DeadlineWatch, type Watched } from '@portcullis/egress';
import { failures, isTlsError, upstreamFailure } from './upstream-failures.ts';
import type { TlsFailureLog } from './upstream-log.ts';
import { openPlain, openSecure } from './upstream-sockets.ts';
import type { UpstreamAddress, UpstreamFailure } from './upstream-transport.ts';

/** Bounds of one HTTP/2 connection to an upstream. */
export const http2Limits = {
  /** Requests at a time, or fewer where the upstream says so. */
  streamsMax: 128,
  /** Bytes of an answer that its reader has not asked for: what a slow client can make the gateway hold. */
  streamWindowBytes: 256 * 1024,
  /** Bytes of all answers on their way. What is read counts no more, whether its own reader is slow or not. */
  connectionWindowBytes: 4 * 1024 * 1024,
  headerBytesMax: 64 * 1024,
  headerFieldsMax: 1000,
  /** Memory of a session in megabytes, above which Node refuses streams: more than all windows of a full one. */
  sessionMemoryMb: 64,
  /** A connection without requests is closed after this. */
  idleMs: 60_000,
  /** How long a connection that is in doubt may take to answer a ping. */
  pingMs: 5000,
} as const;

const settings: Settings = {
  enablePush: false,
  initialWindowSize: http2Limits.streamWindowBytes,
  maxHeaderListSize: http2Limits.headerBytesMax,
};

/** How late the end of an idle or a silent connection may be noticed. */
const sweepMs = 200;
const deadlines = new DeadlineWatch(sweepMs);

/** Who has connections. */
export interface ConnectionOwner {
  /** It may take requests now: it is open, or one of its requests is over. */
  onRoom(connection: Http2ClientConnection): void;
  /** It takes none any more. @param failure why it never took any; `undefined` when it was open */
  onGone(connection: Http2ClientConnection, failure: UpstreamFailure | undefined): void;
}

/** An address that HTTP/2 is spoken with. */
export type Http2Address = UpstreamAddress & { readonly protocol: 'grpc' | 'grpcs' };

/**
 * One HTTP/2 connection to an upstream. It takes requests once the upstream has said how many it takes, so that whoever speaks another
 * protocol is found out before anything is sent.
 */
export class Http2ClientConnection implements Watched {
  place = -1;
  deadlineMs: number;
  /** When something last came on it. Monotonic. */
  heardMs = 0;
  /** Requests on it. */
  streams = 0;
  /** The last stream that the upstream has looked at; what is above may be sent again. */
  lastStreamId = Number.POSITIVE_INFINITY;
  readonly #owner: ConnectionOwner;
  readonly #log: TlsFailureLog;
  readonly #session: ClientHttp2Session;
  #isOpen = false;
  #isGone = false;
  #isDoubtful = false;
  #streamsMax = 0;
  #error: (Error & { code?: unknown }) | undefined;

  /** @throws Error of `node:tls` for certificates or keys of the address that it cannot read */
  constructor(address: Http2Address, lookup: LookupFunction, owner: ConnectionOwner, log: TlsFailureLog) {
    this.#owner = owner;
    this.#log = log;
    const isSecure = address.protocol === 'grpcs';
    const socket: Socket = isSecure ? openSecure(address, lookup, ['h2']) : openPlain(address, lookup);
    this.deadlineMs = performance.now() + address.connectTimeoutMs;
    const session = connect(isSecure ? 'https://upstream' : 'http://upstream', {
      createConnection: () => socket,
      settings,
      maxHeaderListPairs: http2Limits.headerFieldsMax,
      maxSessionMemory: http2Limits.sessionMemoryMb,
    });
    this.#session = session;
    const note = (error: Error): void => void (this.#error ??= error);
    socket.on('error', (error) => {
      note(error);
      if (!this.isConnecting) return;
      // A session that has not begun may end without a word: the upstream did not take the gateway's certificate, for instance.
      session.destroy();
      this.#closed();
    });
    session.on('error', note);
    session.once('connect', () => {
      session.setLocalWindowSize(http2Limits.connectionWindowBytes);
      if (isSecure && session.alpnProtocol !== 'h2') this.#cut(noHttp2);
    });
    session.on('remoteSettings', ({ maxConcurrentStreams }) => this.#opened(maxConcurrentStreams));
    session.on('goaway', (_code, lastStreamId = Number.POSITIVE_INFINITY) => {
      // A first one may allow for all streams, a second one for those that came in time.
      this.lastStreamId = Math.min(this.lastStreamId, lastStreamId);
      this.#leave();
    });
    session.once('close', () => this.#closed());
    deadlines.add(this);
  }

  /** Whether it is not known yet whether it will take any. */
  get isConnecting(): boolean {
    return !this.#isOpen && !this.#isGone;
  }

  /** Whether it takes another request. */
  get hasRoom(): boolean {
    return this.#isOpen && !this.#isDoubtful && this.streams < this.#streamsMax;
  }

  /**
   * Sends a request's head. Each call wants one {@link left}.
   * @param isWhole whether nothing follows it
   * @param takesTrailers whether the stream asks for trailers when its body is out
   * @throws Error of `node:http2` for a head that it does not take
   */
  begin(fields: readonly string[], isWhole: boolean, takesTrailers: boolean): ClientHttp2Stream {
    const stream = this.#session.request(fields, { endStream: isWhole, waitForTrailers: takesTrailers });
    this.streams += 1;
    this.deadlineMs = Number.POSITIVE_INFINITY;
    return stream;
  }

  /** A request on it is over. */
  left(): void {
    this.streams -= 1;
    if (this.streams === 0 && !this.#isDoubtful) this.deadlineMs = performance.now() + http2Limits.idleMs;
    if (this.hasRoom) this.#owner.onRoom(this);
  }

  /**
   * A request got no answer in time. Where nothing else came meanwhile, the connection takes no more of them before it has answered a
   * ping: its other end may be gone without a word.
   * @param sinceMs when the request began
   */
  doubt(sinceMs: number): void {
    if (this.heardMs >= sinceMs || this.#isDoubtful || this.#isGone) return;
    this.#isDoubtful = true;
    const isSent = this.#session.ping((error) => {
      if (error !== null) return;
      this.#isDoubtful = false;
      this.heardMs = performance.now();
      this.deadlineMs = this.streams === 0 ? this.heardMs + http2Limits.idleMs : Number.POSITIVE_INFINITY;
      if (this.hasRoom) this.#owner.onRoom(this);
    });
    if (isSent) this.deadlineMs = performance.now() + http2Limits.pingMs;
    else this.#session.destroy();
  }

  /** Takes no more requests, and closes when those on it are over. */
  close(): void {
    this.#leave();
    if (!this.#session.destroyed) this.#session.close();
  }

  /** It did not come about in time, gave no sign of life, or has nothing to do. */
  expire(): void {
    if (!this.#isOpen) this.#cut(timedOut);
    else if (this.#isDoubtful) this.#session.destroy();
    else if (this.streams === 0) this.close();
  }

  #opened(streamsMax = Number.POSITIVE_INFINITY): void {
    this.#streamsMax = Math.min(streamsMax, http2Limits.streamsMax);
    this.heardMs = performance.now();
    if (!this.#isOpen && !this.#isGone) {
      this.#isOpen = true;
      this.deadlineMs = this.heardMs + http2Limits.idleMs;
    }
    if (this.hasRoom) this.#owner.onRoom(this);
  }

  #cut(error: Error): void {
    this.#error ??= error;
    this.#session.destroy();
  }

  #closed(): void {
    deadlines.delete(this);
    this.#leave();
  }

  #leave(): void {
    if (this.#isGone) return;
    this.#isGone = true;
    const failure = this.#isOpen ? undefined : this.#connectFailure();
    this.#isOpen = false;
    this.#owner.onGone(this, failure);
  }

  #connectFailure(): UpstreamFailure {
    const error = this.#error ?? noHttp2;
    if (error === timedOut) return failures.connectTimeout;
    if (typeof error.code !== 'string' || !isTlsError(error.code)) return upstreamFailure(error, false);
    this.#log.note(error.code);
    return failures.tlsFailed;
  }
}

const timedOut: Error & { code?: string } = new Error('no connection in time');
const noHttp2: Error & { code?: string } = Object.assign(new Error('no HTTP/2'), { code: 'ERR_TLS_ALPN_NO_H2' });
