import type { BodySink } from '../transport/body-source.ts';
import { failures } from '../transport/upstream-failures.ts';
import type { UpstreamCall, UpstreamFailure } from '../transport/upstream-transport.ts';
import { AnswerBody } from './answer-body.ts';
import type { Exchange } from './exchange.ts';
import { bufferedBytesMax, HeldBody } from './held-body.ts';
import { problemOfFailure, problems } from './problems.ts';
import { withoutLength } from './response-head.ts';
import { streamCut } from './observed-exchange.ts';
import type { StreamedBody, StreamedBodyTarget } from './streamed-body.ts';

const nothing: Uint8Array = new Uint8Array(0);

/** An upstream's answer, or that of a plugin in its place, on its way to the client. As a sink it sends; `take…` are for what comes from the upstream. */
export class UpstreamAnswer implements BodySink, StreamedBodyTarget {
  readonly #exchange: Exchange;
  readonly #call: UpstreamCall;
  readonly #source: 'upstream' | 'plugin';
  /** Bytes that the body still has to bring; -1 when the answer does not say. */
  #left: number;
  #ended = false;
  #failure: UpstreamFailure = failures.reset;
  /** Set while plugins may read the body, and when it goes on from where they left it. */
  #body: AnswerBody | undefined;
  #held: HeldBody | undefined;
  /** Set while stream hooks see the body. */
  #streamed: StreamedBody | undefined;
  /** Whether the upstream has said everything. */
  #isWhole = false;
  /** Whether the client has not taken what was written. */
  #isFull = false;
  /** What came behind the body. */
  #trailers: readonly string[] | undefined;

  /** @param length of the body; -1 when it is not known */
  constructor(exchange: Exchange, call: UpstreamCall, length: number, source: 'upstream' | 'plugin') {
    this.#source = source;
    this.#exchange = exchange;
    this.#call = call;
    this.#left = length;
  }

  /** Sends status and fields, and lets the body follow; on a route that holds answers back, once it is whole. */
  begin(status: number, headers: readonly string[]): void {
    if (this.#exchange.holdsAnswer && this.#held === undefined && hasBody(this.#exchange.call.method, status)) {
      this.#beginWhole(status, headers).catch(() => this.onError());
    } else this.#send(status, headers);
  }

  /** Lets the body wait, for plugins to read. */
  hold(): HeldBody {
    if (this.#held !== undefined) return this.#held;
    this.#call.pause();
    this.#body = new AnswerBody(this.#call, this.#left);
    this.#held = new HeldBody(this.#body, this.#exchange, problems.answerNotHeld, problems.answerTooSlow);
    return this.#held;
  }

  /** The answer is out, or nobody takes it any more. */
  release(): void {
    this.#held?.release();
  }

  /** After the response hooks: their body, or the upstream's from where they left it. */
  send(): void {
    const held = this.#held;
    const { status, headers, body } = this.#exchange.stateResponse();
    if (body !== undefined) {
      // First: a plugin that answers may say more of the request then, and the answer ends it.
      this.#exchange.leaveUpstream();
      this.#exchange.sendWhole();
    } else if (held === undefined) this.begin(status, headers.toPairs());
    else if (held.untouched && this.#exchange.holdsAnswer && hasBody(this.#exchange.call.method, status)) {
      this.#beginWhole(status, headers.toPairs()).catch(() => this.onError());
    } else if (held.untouched) {
      this.#send(status, headers.toPairs());
      const waiting = this.#body;
      this.#body = undefined;
      waiting?.read(this);
    } else this.#sendHeld(held).catch(() => this.onError());
  }

  /** There is room towards the client. */
  resume(): void {
    this.#isFull = false;
    if (this.#streamed?.busy === true) return;
    if (this.#body === undefined) this.#call.resume();
    else this.#body.resume();
  }

  /** A part of the body came; while plugins hold it, it is theirs. */
  take(chunk: Uint8Array): void {
    if (this.#body === undefined) this.onChunk(chunk);
    else this.#body.onChunk(chunk);
  }

  /** The body is whole. */
  takeEnd(trailers?: readonly string[]): void {
    this.#trailers = trailers;
    if (this.#body === undefined) this.onEnd();
    else this.#body.onEnd();
  }

  /** The upstream broke off. */
  takeFailure(failure: UpstreamFailure): void {
    this.#failure = failure;
    if (this.#body === undefined) this.onError();
    else this.#body.onError(new Error(failure.message));
  }

  onChunk(chunk: Uint8Array): void {
    const exchange = this.#exchange;
    // A hook that made it wait for each empty piece would see them without end.
    if (this.#ended || exchange.over || chunk.length === 0) return;
    const isLast = chunk.length === this.#left;
    if (isLast) this.#ended = true;
    else if (this.#left > 0) this.#left -= chunk.length;
    if (this.#streamed !== undefined) {
      this.#streamed.push(chunk, isLast);
      return;
    }
    exchange.responseBytes += chunk.length;
    // The whole body at once, or its last part: it leaves in one piece with the end.
    if (isLast) exchange.call.end(chunk);
    else if (!exchange.call.write(chunk)) this.#pauseForClient();
  }

  onEnd(): void {
    if (this.#exchange.over) return;
    this.#isWhole = true;
    const hasEnded = this.#ended;
    this.#ended = true;
    if (this.#streamed !== undefined) {
      if (!hasEnded) this.#streamed.push(nothing, true);
      else if (!this.#streamed.busy) this.#exchange.finish();
      return;
    }
    if (!hasEnded) this.#exchange.call.end(undefined, this.#trailers);
    this.#exchange.finish();
  }

  /** What stream hooks let through. */
  pass(bytes: Uint8Array, last: boolean): void {
    const exchange = this.#exchange;
    if (exchange.over) {
      this.#streamed?.stop();
      return;
    }
    exchange.responseBytes += bytes.length;
    if (!last) {
      if (bytes.length > 0 && !exchange.call.write(bytes)) this.#pauseForClient();
      return;
    }
    exchange.call.end(bytes.length === 0 ? undefined : bytes, this.#trailers);
    if (this.#isWhole) exchange.finish();
  }

  /** A stream hook takes its time. */
  wait(): void {
    (this.#body ?? this.#call).pause();
  }

  /** It has decided. */
  flow(): void {
    if (this.#isFull || this.#exchange.over) return;
    if (this.#isWhole && this.#ended) return;
    (this.#body ?? this.#call).resume();
  }

  /** A stream hook ends the answer as it is: the client must see that it is not whole. */
  cut(): void {
    if (this.#exchange.over) return;
    this.#call.abort();
    this.#exchange.call.abort();
    this.#exchange.finish(streamCut);
  }

  crash(error: unknown): void {
    this.#exchange.crash(error);
  }

  /** The answer cannot become whole: the client must see that. */
  onError(): void {
    if (this.#exchange.over) return;
    this.#streamed?.stop();
    this.#call.abort();
    if (this.#exchange.call.begun) {
      this.#exchange.call.abort();
      this.#exchange.finish(this.#failure);
    } else this.#exchange.fail(problemOfFailure(this.#failure));
  }

  #pauseForClient(): void {
    this.#isFull = true;
    this.#call.pause();
  }

  #send(status: number, headers: readonly string[]): void {
    const { streams, call } = this.#exchange;
    try {
      this.#exchange.begin(status, this.#source, streams ? withoutLength(headers) : headers);
    } catch {
      // A field that must not be sent on: the upstream's answer is malformed.
      this.#call.abort();
      this.#exchange.fail(problemOfFailure(failures.malformed));
      return;
    }
    if (streams && hasBody(call.method, status)) this.#streamed = this.#exchange.streamTo(this);
  }

  /** The answer's body was not asked for by anybody, and the route holds it back until it is whole. */
  async #beginWhole(status: number, headers: readonly string[]): Promise<void> {
    const bytes = await this.hold().read(bufferedBytesMax);
    if (this.#exchange.over) return;
    if (bytes === undefined) {
      this.#exchange.fail(problems.answerTooLarge);
      this.#call.abort();
      return;
    }
    this.#sendBytes(status, headers, bytes);
  }

  async #sendHeld(held: HeldBody): Promise<void> {
    const body = await held.forward();
    if (this.#exchange.over) return;
    const { status, headers } = this.#exchange.stateResponse();
    if (body instanceof Uint8Array) {
      this.#sendBytes(status, headers.toPairs(), body);
      return;
    }
    this.#send(status, headers.toPairs());
    body.read(this);
  }

  #sendBytes(status: number, headers: readonly string[], bytes: Uint8Array): void {
    this.#send(status, headers);
    this.onChunk(bytes);
    this.onEnd();
  }
}

/** Whether an answer may have a body. Source: RFC 9110, section 6.4.1. */
function hasBody(method: string, status: number): boolean {
  return method !== 'HEAD' && status !== 204 && status !== 304;
}
