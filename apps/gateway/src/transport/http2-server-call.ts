import { constants, type ServerHttp2Stream } from 'node:http2';
import { Http2BodySource } from './http2-body-source.ts';
import { http2Fields, http2Trailers, type Http2Head } from './http2-fields.ts';
import { Http2SlowReader, type WrittenStream } from './http2-slow-reader.ts';
import type { ServerState } from './server-state.ts';
import type { AbortCause, CallObserver, ConnectionFacts, ServerCall } from './server-transport.ts';

const calls: unique symbol = Symbol('call');

/** A stream with its call, so that listeners can be shared functions. */
interface TaggedStream extends ServerHttp2Stream {
  [calls]?: Http2ServerCall;
}

/** Calls whose headers are known and no byte of the body yet: an answer that ends here is one frame. */
const headsHeld: Http2ServerCall[] = [];

/** Told when a stream is over. */
export interface StreamKeeper {
  readonly facts: ConnectionFacts;
  /** @param isOut whether its answer was sent as a whole */
  leave(isOut: boolean): void;
}

/** One request of a connection of HTTP/2. */
export class Http2ServerCall implements ServerCall, WrittenStream {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly string[];
  readonly httpVersion = '2';
  readonly connection: ConnectionFacts;
  readonly body: Http2BodySource | undefined;
  readonly #stream: TaggedStream;
  readonly #server: ServerState;
  readonly #keeper: StreamKeeper;
  #observer: CallObserver | undefined;
  /** Set from when the client's window was full until the answer is out. */
  #reader: Http2SlowReader | undefined;
  /** Fields that are not sent yet. */
  #held: string[] | undefined;
  #begun = false;
  /** Whether the answer has no body, whatever is written. */
  #isBodiless = false;
  #isEnded = false;
  #isOut = false;
  #isDrainAwaited = false;
  #written = 0;
  /** What is left of an answer that goes in pieces. */
  #rest: Uint8Array | undefined;
  #trailers: readonly string[] | undefined;
  #awaitsContinue: boolean;

  constructor(stream: ServerHttp2Stream, head: Http2Head, server: ServerState, keeper: StreamKeeper) {
    this.method = head.method;
    this.target = head.target;
    this.headers = head.headers;
    this.connection = keeper.facts;
    this.#stream = stream;
    this.#server = server;
    this.#keeper = keeper;
    this.#awaitsContinue = head.expectsContinue;
    this.body = stream.endAfterHeaders
      ? undefined
      : new Http2BodySource(stream, head.length, server.slowSenders, () => this.#askForBody());
    this.#stream[calls] = this;
    stream.on('finish', onFinish);
    stream.on('close', onClose);
    stream.on('error', ignore);
  }

  get bodyBytes(): number {
    return this.body?.bytes ?? 0;
  }

  get begun(): boolean {
    return this.#begun;
  }

  observe(observer: CallObserver): void {
    this.#observer = observer;
  }

  respond(status: number, headers: readonly string[], body: string | Uint8Array | undefined): void {
    const bytes = typeof body === 'string' ? Buffer.from(body, 'utf8') : body;
    const fields = http2Fields(status, headers);
    if (status !== 204 && status !== 304) fields.push('content-length', String(bytes?.length ?? 0));
    this.#begun = true;
    this.#isEnded = true;
    this.#send(fields, bytes === undefined || bytes.length === 0, false);
    if (this.#isBodiless || bytes === undefined || this.#stream.destroyed) return;
    this.#rest = bytes;
    this.#sendPieces();
  }

  begin(status: number, headers: readonly string[]): void {
    const fields = http2Fields(status, headers);
    this.#begun = true;
    this.#isBodiless = status === 204 || status === 304 || this.method === 'HEAD';
    this.#held = fields;
    if (headsHeld.push(this) === 1) setImmediate(flushHeads);
  }

  write(chunk: Uint8Array): boolean {
    this.flushHead();
    return this.#isBodiless || this.#stream.destroyed || this.#write(chunk);
  }

  end(chunk?: Uint8Array, trailers?: readonly string[]): void {
    this.#isEnded = true;
    const hasTrailers = trailers !== undefined && trailers.length > 0;
    if (this.#held !== undefined) this.#send(this.#held, chunk === undefined && !hasTrailers, hasTrailers);
    this.#trailers = trailers;
    if (this.#isBodiless || this.#stream.destroyed) return;
    this.#end(chunk);
  }

  abort(): void {
    this.#held = undefined;
    this.#stream.close(constants.NGHTTP2_INTERNAL_ERROR);
  }

  /** Sends headers that still wait for a body. */
  flushHead(): void {
    if (this.#held !== undefined) this.#send(this.#held, false, mayHaveTrailers(this.#held));
  }

  get sentBytes(): number {
    return this.#written - this.#stream.writableLength;
  }

  get isWaiting(): boolean {
    return this.#stream.writableLength > 0;
  }

  /** The client does not take its answer. */
  cut(): void {
    this.#stream.close(constants.NGHTTP2_CANCEL);
  }

  /** The client takes more. */
  drained(): void {
    this.#isDrainAwaited = false;
    if (this.#rest === undefined) this.#observer?.onDrain();
    else this.#sendPieces();
  }

  /** The last byte is on its way. */
  finished(): void {
    if (!this.#isEnded) return;
    this.#isOut = true;
    // RFC 9113, section 8.1: nobody reads what is still to come.
    if (this.body !== undefined && !this.body.isWhole) this.#stream.close(constants.NGHTTP2_NO_ERROR);
  }

  /** The trailers' turn has come. */
  sendTrailers(): void {
    this.#stream.sendTrailers(this.#trailers === undefined ? {} : http2Trailers(this.#trailers));
  }

  /** The stream is over. */
  closed(): void {
    this.#held = undefined;
    if (this.#reader !== undefined) this.#server.slowReaders.delete(this.#reader);
    if (!this.#isOut) this.#observer?.onAborted(this.#abortCause());
    this.#observer?.onClosed();
    this.#keeper.leave(this.#isOut);
  }

  #abortCause(): AbortCause {
    if (this.#reader?.isCut === true) return 'clientTooSlow';
    return this.#server.destroyed ? 'gatewayStopped' : 'clientLeft';
  }

  #send(fields: string[], isWhole: boolean, waitForTrailers: boolean): void {
    this.#held = undefined;
    const stream = this.#stream;
    if (stream.destroyed || stream.closed) return;
    const endStream = isWhole || this.#isBodiless || this.method === 'HEAD';
    if (endStream) this.#isBodiless = true;
    if (waitForTrailers && !endStream) stream.on('wantTrailers', onWantTrailers);
    stream.respond(fields, { endStream, waitForTrailers: waitForTrailers && !endStream });
  }

  #sendPieces(): void {
    while (this.#rest !== undefined && this.#rest.length > pieceBytes) {
      const piece = this.#rest.subarray(0, pieceBytes);
      this.#rest = this.#rest.subarray(pieceBytes);
      if (!this.#write(piece)) return;
    }
    const last = this.#rest;
    this.#rest = undefined;
    this.#end(last);
  }

  #write(chunk: Uint8Array): boolean {
    this.#written += chunk.length;
    if (this.#stream.write(chunk)) return true;
    if (!this.#isDrainAwaited) this.#stream.once('drain', onDrain);
    this.#isDrainAwaited = true;
    this.#watchReader();
    return false;
  }

  #end(chunk: Uint8Array | undefined): void {
    this.#written += chunk?.length ?? 0;
    this.#stream.end(chunk);
    if (this.#stream.writableLength > 0) this.#watchReader();
  }

  #watchReader(): void {
    if (this.#reader !== undefined) return;
    this.#reader = new Http2SlowReader(this);
    this.#server.slowReaders.add(this.#reader);
  }

  #askForBody(): void {
    if (this.#awaitsContinue && !this.#begun) this.#stream.additionalHeaders({ ':status': 100 });
    this.#awaitsContinue = false;
  }
}

/** Large answers go in pieces: only then does the stream tell how much of them a client takes. */
const pieceBytes = 16 * 1024;

/** An answer whose length is known has no trailers unless it announces them. */
function mayHaveTrailers(fields: readonly string[]): boolean {
  let isLengthKnown = false;
  for (let at = 0; at < fields.length; at += 2) {
    const name = fields[at];
    if (name === 'trailer') return true;
    if (name === 'content-length') isLengthKnown = true;
    else if (name === 'content-type' && fields[at + 1]?.startsWith('application/grpc') === true) return true;
  }
  return !isLengthKnown;
}

function flushHeads(): void {
  for (const call of headsHeld.splice(0)) call.flushHead();
}

function onDrain(this: TaggedStream): void {
  this[calls]?.drained();
}

function onFinish(this: TaggedStream): void {
  this[calls]?.finished();
}

function onWantTrailers(this: TaggedStream): void {
  this[calls]?.sendTrailers();
}

function onClose(this: TaggedStream): void {
  this[calls]?.closed();
}

function ignore(): void {
  // `close` follows, and says all that is to be said.
}
