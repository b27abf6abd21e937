import { constants, type ClientHttp2Stream, type IncomingHttpHeaders, type IncomingHttpStatusHeader } from 'node:http2';
import { DeadlineWatch } from '@portcullis/egress';
import type { BodySink, BodySource } from './body-source.ts';
import type { Http2ClientConnection } from './http2-client-connection.ts';
import { streamFailure } from './http2-failures.ts';
import { http2Trailers } from './http2-fields.ts';
import { http2RequestFields } from './http2-request-fields.ts';
import { failures } from './upstream-failures.ts';
import type { ResponseSink, UpstreamCall, UpstreamFailure, UpstreamRequest } from './upstream-transport.ts';

/** How late a deadline may be noticed. */
const sweepMs = 100;
const deadlines = new DeadlineWatch(sweepMs);

/** RFC 9110, section 15: what is above is no status. */
const statusMax = 599;

/** With it a stream is reset. To close one would send what ends the body: the upstream would take it for whole. */
const givenUp = new Error('given up');

const never = Number.POSITIVE_INFINITY;

/** Whose call it is. */
export interface CallClient {
  readonly scheme: 'http' | 'https';
  /** Whether there is a connection, so that it is room that is waited for. */
  readonly isConnected: boolean;
  leave(call: Http2ClientCall): void;
}

/** One request on its way over HTTP/2. */
export class Http2ClientCall implements UpstreamCall, BodySink {
  place = -1;
  readonly #request: UpstreamRequest;
  readonly #sink: ResponseSink;
  readonly #client: CallClient;
  #connection: Http2ClientConnection | undefined;
  #stream: ClientHttp2Stream | undefined;
  #startedMs = 0;
  /** When the next bytes of the answer are due. */
  #readDeadlineMs = never;
  /** Until when the upstream has to take the next bytes of the body. */
  #writeDeadlineMs = never;
  #isAnswered = false;
  #isPaused = false;
  #isOver = false;
  /** Whether the body's source was asked: what came of it cannot be sent again. */
  #isBodyBegun = false;
  #isBodySent = true;
  #trailers: readonly string[] | undefined;

  /** @param client told when it waits no more */
  constructor(request: UpstreamRequest, sink: ResponseSink, client: CallClient) {
    this.#request = request;
    this.#sink = sink;
    this.#client = client;
  }

  get deadlineMs(): number {
    return Math.min(this.#readDeadlineMs, this.#writeDeadlineMs);
  }

  /** There is no room for it: it gives up when it has got none after so many milliseconds. */
  waitAtMost(milliseconds: number): void {
    this.#readDeadlineMs = performance.now() + milliseconds;
    deadlines.add(this);
  }

  /** Sends it. What is wrong with the request itself is told later, as every failure is. */
  start(connection: Http2ClientConnection): void {
    const { body } = this.#request;
    const isWhole = body === undefined || (body instanceof Uint8Array && body.length === 0);
    const takesTrailers = !isWhole && !(body instanceof Uint8Array);
    let stream: OwnedStream;
    try {
      const fields = http2RequestFields(this.#request, this.#client.scheme);
      stream = connection.begin(fields, isWhole, takesTrailers);
    } catch (error) {
      this.#failLater((error as { code?: unknown }).code);
      return;
    }
    if (this.#readDeadlineMs === never) deadlines.add(this);
    this.#connection = connection;
    this.#stream = stream;
    this.#startedMs = performance.now();
    this.#readDeadlineMs = this.#startedMs + this.#request.readTimeoutMs;
    stream[owner] = this;
    stream.on('response', onResponse).on('data', onData).on('trailers', onTrailers);
    stream.on('end', onEnd).on('error', onError).on('close', onClose);
    if (!isWhole) this.#sendBody(stream, body);
  }

  pause(): void {
    // Whoever reads slowly is none of the upstream's business.
    this.#isPaused = true;
    this.#readDeadlineMs = never;
    this.#stream?.pause();
  }

  resume(): void {
    this.#isPaused = false;
    if (this.#stream === undefined || this.#isOver) return;
    this.#expectRead();
    this.#stream.resume();
  }

  abort(): void {
    this.fail(failures.aborted);
  }

  /** There was no room, or the upstream was silent or took nothing for too long. */
  expire(): void {
    this.#connection?.doubt(this.#startedMs);
    if (this.#stream !== undefined) this.fail(failures.timeout);
    else this.fail(this.#client.isConnected ? failures.busy : failures.connectTimeout);
  }

  /** Gives it up. */
  fail(failure: UpstreamFailure): void {
    if (this.#isOver) return;
    const stream = this.#stream;
    this.#finish();
    // A request that is whole is taken back; one that is not must not seem so.
    if (this.#isBodySent) stream?.resume().close(constants.NGHTTP2_CANCEL);
    else stream?.destroy(givenUp);
    this.#sink.onFailure(failure);
  }

  onChunk(chunk: Uint8Array): void {
    if (this.#isOver) return;
    // The upstream waits for the client as long as that sends.
    if (this.#isAnswered) this.#expectRead();
    if (this.#stream?.write(chunk) !== false) return;
    this.#writeDeadlineMs = performance.now() + this.#request.writeTimeoutMs;
    this.#source?.pause();
  }

  onEnd(): void {
    if (this.#isOver) return;
    this.#isBodySent = true;
    this.#expectRead();
    this.#stream?.end();
  }

  onError(): void {
    this.fail(failures.requestBody);
  }

  /** The upstream takes more of the body. */
  drained(): void {
    this.#writeDeadlineMs = never;
    if (!this.#isOver) this.#source?.resume();
  }

  /** The body is out. */
  wantTrailers(stream: ClientHttp2Stream): void {
    try {
      stream.sendTrailers(http2Trailers(this.#source?.trailers ?? []));
    } catch {
      this.fail(failures.notSendable);
    }
  }

  /** The head of the answer. @param isWhole whether there is nothing behind it */
  answered(pairs: string[], isWhole: boolean): void {
    if (this.#isOver) return;
    const status = Number(pairs[1]);
    this.#heard();
    if (status < 200 || status > statusMax) {
      this.fail(failures.malformed);
      return;
    }
    this.#isAnswered = true;
    this.#expectRead();
    this.#sink.onResponse(status, pairs.slice(2));
    // What is told at once can be passed on in one piece: gRPC tells errors so.
    if (isWhole && !this.#isPaused) this.ended();
  }

  took(chunk: Uint8Array): void {
    if (this.#isOver) return;
    this.#heard();
    this.#expectRead();
    this.#sink.onChunk(chunk);
  }

  hasTrailers(pairs: readonly string[]): void {
    this.#heard();
    this.#trailers = pairs;
  }

  /** The answer is whole, or the stream was reset: both end what can be read. */
  ended(): void {
    const stream = this.#stream;
    if (this.#isOver || stream === undefined || stream.rstCode !== constants.NGHTTP2_NO_ERROR || !this.#isAnswered)
      return;
    const isSent = this.#isBodySent;
    this.#finish();
    if (!isSent) stream.destroy(givenUp);
    this.#sink.onEnd(this.#trailers);
  }

  /** The stream is no more. */
  closed(stream: ClientHttp2Stream): void {
    if (this.#isOver) return;
    const isUnseen = (stream.id ?? never) > (this.#connection?.lastStreamId ?? never);
    const failure = streamFailure(stream.rstCode, isUnseen && !this.#isAnswered);
    this.#finish();
    this.#sink.onFailure(failure.unsent && this.#isBodyBegun ? failures.reset : failure);
  }

  get #source(): BodySource | undefined {
    const { body } = this.#request;
    return body instanceof Uint8Array ? undefined : body;
  }

  #sendBody(stream: ClientHttp2Stream, body: BodySource | Uint8Array): void {
    if (body instanceof Uint8Array) {
      stream.end(body);
      return;
    }
    stream.on('drain', onDrain).on('wantTrailers', onWantTrailers);
    this.#isBodySent = false;
    this.#isBodyBegun = true;
    // Its own progress is watched till it is out, or till the answer begins.
    this.#readDeadlineMs = never;
    body.read(this);
  }

  #heard(): void {
    if (this.#connection !== undefined) this.#connection.heardMs = performance.now();
  }

  #expectRead(): void {
    if (!this.#isPaused) this.#readDeadlineMs = performance.now() + this.#request.readTimeoutMs;
  }

  #failLater(code: unknown): void {
    this.#isOver = true;
    deadlines.delete(this);
    // A session that has just begun to end takes nothing; all else is wrong with the request.
    const isEnding = typeof code === 'string' && /_(?:SESSION|STREAMS)$/.test(code);
    queueMicrotask(() => this.#sink.onFailure(isEnding ? failures.unprocessed : failures.notSendable));
  }

  /** What still comes of the body is dropped, so that the client can read its answer. */
  #finish(): void {
    this.#isOver = true;
    deadlines.delete(this);
    if (this.#connection === undefined) this.#client.leave(this);
    else this.#connection.left();
    if (this.#isBodyBegun && !this.#isBodySent) this.#source?.resume();
  }
}

/** Listeners are the same for all streams, which know their call: a request makes none. */
const owner: unique symbol = Symbol('owner');

interface OwnedStream extends ClientHttp2Stream {
  [owner]?: Http2ClientCall;
}

function onResponse(
  this: OwnedStream,
  _headers: IncomingHttpHeaders & IncomingHttpStatusHeader,
  flags: number,
  raw: string[],
): void {
  this[owner]?.answered(raw, (flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0);
}

function onData(this: OwnedStream, chunk: Buffer): void {
  this[owner]?.took(chunk);
}

function onTrailers(this: OwnedStream, _headers: IncomingHttpHeaders, _flags: number, raw?: string[]): void {
  this[owner]?.hasTrailers(raw ?? []);
}

function onEnd(this: OwnedStream): void {
  this[owner]?.ended();
}

function onError(): void {
  // `close` follows.
}

function onClose(this: OwnedStream): void {
  this[owner]?.closed(this);
}

function onDrain(this: OwnedStream): void {
  this[owner]?.drained();
}

function onWantTrailers(this: OwnedStream): void {
  this[owner]?.wantTrailers(this);
}
