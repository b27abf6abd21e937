import { constants, performServerHandshake, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import type { DeadlineWatch, Watched } from '@portcullis/egress';
import { readHttp2Head } from './http2-fields.ts';
import { http2Limits, http2Options } from './http2-limits.ts';
import { Http2ServerCall, type StreamKeeper } from './http2-server-call.ts';
import { detailOf, type MalformedAnswer } from './malformed.ts';
import { http2RefusalOf, type RefusalSink } from './refusal-sink.ts';
import { serverLimits, type ServerTimes } from './server-limits.ts';
import type { ServerState } from './server-state.ts';
import type { ConnectionFacts } from './server-transport.ts';

/** What the connections of HTTP/2 share. */
export interface Http2Shared {
  readonly state: ServerState;
  readonly times: ServerTimes;
  readonly malformedAnswer: MalformedAnswer;
  /** Ends connections without requests. */
  readonly idle: DeadlineWatch;
  readonly monotonicMs: () => number;
  readonly refusals: RefusalSink;
  /** Told when a connection is over. */
  readonly onClose: (connection: Http2Connection) => void;
}

/** One connection of HTTP/2. */
export class Http2Connection implements StreamKeeper, Watched {
  place = -1;
  deadlineMs: number;
  readonly facts: ConnectionFacts;
  readonly #session: ServerHttp2Session;
  readonly #shared: Http2Shared;
  /** Whether the client was told that it will end. */
  #isEnding = false;
  #open = 0;
  #taken = 0;
  /** Whether the client's first frame came. */
  #isBegun = false;
  /** Streams that may still end without their answers, as of the moment beside it. */
  #resetsLeft: number = http2Limits.resetsAtOnceMax;
  #resetsAtMs: number;

  constructor(socket: Socket, facts: ConnectionFacts, shared: Http2Shared) {
    this.facts = facts;
    this.#shared = shared;
    this.#resetsAtMs = shared.monotonicMs();
    this.deadlineMs = this.#resetsAtMs + shared.times.headersTimeoutMs;
    const session = performServerHandshake(socket, http2Options);
    this.#session = session;
    session.on('stream', (stream, _headers, _flags, raw: string[]) => this.#take(stream, raw));
    session.on('error', (error: NodeJS.ErrnoException) => {
      const reason = http2RefusalOf(error);
      if (reason !== undefined) shared.refusals.http2(reason);
    });
    session.on('close', () => this.#over());
    session.once('remoteSettings', () => {
      this.#isBegun = true;
      if (this.#open === 0) this.#rest();
    });
    session.setLocalWindowSize(http2Limits.connectionWindowBytes);
    shared.idle.add(this);
  }

  /** Whether it brought anything that ends with an answer. */
  get isIdle(): boolean {
    return this.#open === 0;
  }

  /** Lets the client know that the connection will end; what it sends until then is answered. */
  announceEnd(): void {
    if (!this.#session.destroyed) this.#session.goaway(constants.NGHTTP2_NO_ERROR, lastStreamOfAll);
  }

  /** Takes no request any more, and ends with the last answer. */
  close(): void {
    this.#session.close();
  }

  destroy(): void {
    this.#session.destroy();
  }

  /** It was without requests for too long, or did not end after it was closed. */
  expire(): void {
    if (this.#session.closed || !this.#isBegun) this.#session.destroy();
    else this.#endSoon();
    this.deadlineMs = this.#shared.monotonicMs() + this.#shared.times.headersTimeoutMs;
  }

  leave(isOut: boolean): void {
    this.#open -= 1;
    if (this.#open === 0) this.#rest();
    if (isOut) return;
    this.#shared.refusals.reset();
    if (!this.#session.destroyed) this.#countReset();
  }

  #take(stream: ServerHttp2Stream, raw: readonly string[]): void {
    this.#open += 1;
    this.deadlineMs = Number.POSITIVE_INFINITY;
    const head = readHttp2Head(raw);
    const call = new Http2ServerCall(stream, head, this.#shared.state, this);
    this.#taken += 1;
    if (this.#taken === serverLimits.requestsPerConnectionMax) this.#endSoon();
    else if (this.#taken === serverLimits.requestsPerConnectionMax + http2Limits.requestsAfterEndMax) this.close();
    if (head.method === 'CONNECT') this.#refuse(call, 501);
    else if (head.headers.length > serverLimits.headersMax * 2) this.#refuse(call, 431);
    else this.#shared.state.handler(call);
  }

  /**
   * Ends the connection without losing a request: what is on its way when the client hears of it is still taken, and only then it is
   * said which stream was the last.
   */
  #endSoon(): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    this.announceEnd();
    setTimeout(() => this.close(), this.#shared.times.idleGraceMs).unref();
  }

  #refuse(call: Http2ServerCall, status: 431 | 501): void {
    const refusal = { status, peerAddress: this.facts.peerAddress, underway: false };
    const { headers, body } = this.#shared.malformedAnswer({ ...refusal, detail: detailOf(status) });
    call.respond(status, headers, body);
  }

  /** From now on it is without requests. */
  #rest(): void {
    const { monotonicMs } = this.#shared;
    this.deadlineMs = monotonicMs() + serverLimits.keepAliveMs;
  }

  /** nghttp2 counts the resets that a client sends; these are the ones that it causes, too. */
  #countReset(): void {
    const nowMs = this.#shared.monotonicMs();
    const refill = ((nowMs - this.#resetsAtMs) / 1000) * http2Limits.resetsPerSecondMax;
    this.#resetsLeft = Math.min(http2Limits.resetsAtOnceMax, this.#resetsLeft + refill) - 1;
    this.#resetsAtMs = nowMs;
    if (this.#resetsLeft >= 0) return;
    this.#shared.refusals.http2('reset_flood');
    // Without an error, Node would take the code for none.
    this.#session.destroy(new Error('too many streams were reset'), constants.NGHTTP2_ENHANCE_YOUR_CALM);
  }

  #over(): void {
    this.#shared.idle.delete(this);
    this.#shared.onClose(this);
  }
}

/** RFC 9113, section 6.8: announces an end before it is known which stream is the last. */
const lastStreamOfAll = 2 ** 31 - 1;
