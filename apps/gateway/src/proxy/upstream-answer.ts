import type { BodySink } from '../transport/body-source.ts';
import { failures } from '../transport/upstream-failures.ts';
import type { UpstreamCall, UpstreamFailure } from '../transport/upstream-transport.ts';
import { AnswerBody } from './answer-body.ts';
import type { Exchange } from './exchange.ts';
import { HeldBody } from './held-body.ts';
import { problemOfFailure } from './problems.ts';

/** An upstream's answer on its way to the client. As a sink it sends; `take…` are for what comes from the upstream. */
export class UpstreamAnswer implements BodySink {
  readonly #exchange: Exchange;
  readonly #call: UpstreamCall;
  /** Bytes that the body still has to bring; -1 when the answer does not say. */
  #left: number;
  #ended = false;
  #failure: UpstreamFailure = failures.reset;
  /** Set while plugins may read the body, and when it goes on from where they left it. */
  #body: AnswerBody | undefined;
  #held: HeldBody | undefined;

  /** @param length of the body; -1 when it is not known */
  constructor(exchange: Exchange, call: UpstreamCall, length: number) {
    this.#exchange = exchange;
    this.#call = call;
    this.#left = length;
  }

  /** Sends status and fields. */
  begin(status: number, headers: readonly string[]): void {
    try {
      this.#exchange.begin(status, 'upstream', headers);
    } catch {
      // A field that must not be sent on: the upstream's answer is malformed.
      this.#call.abort();
      this.#exchange.fail(problemOfFailure(failures.malformed));
    }
  }

  /** Lets the body wait, for plugins to read. */
  hold(): HeldBody {
    if (this.#held !== undefined) return this.#held;
    this.#call.pause();
    this.#body = new AnswerBody(this.#call, this.#left);
    this.#held = new HeldBody(this.#body);
    return this.#held;
  }

  /** After the response hooks: their body, or the upstream's from where they left it. */
  send(): void {
    const held = this.#held;
    const { status, headers, body } = this.#exchange.stateResponse();
    if (body !== undefined) {
      this.#exchange.sendWhole();
      this.#call.abort();
    } else if (held === undefined) this.begin(status, headers.toPairs());
    else if (held.untouched) {
      this.begin(status, headers.toPairs());
      const waiting = this.#body;
      this.#body = undefined;
      waiting?.read(this);
    } else this.#sendHeld(held).catch(() => this.onError());
  }

  /** There is room towards the client. */
  resume(): void {
    if (this.#body === undefined) this.#call.resume();
    else this.#body.resume();
  }

  /** A part of the body came; while plugins hold it, it is theirs. */
  take(chunk: Uint8Array): void {
    if (this.#body === undefined) this.onChunk(chunk);
    else this.#body.onChunk(chunk);
  }

  /** The body is whole. */
  takeEnd(): void {
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
    if (this.#ended || exchange.over) return;
    exchange.responseBytes += chunk.length;
    if (chunk.length === this.#left) {
      // The whole body at once, or its last part: it leaves in one piece with the end.
      this.#ended = true;
      exchange.call.end(chunk);
      return;
    }
    if (this.#left > 0) this.#left -= chunk.length;
    if (!exchange.call.write(chunk)) this.#call.pause();
  }

  onEnd(): void {
    if (this.#exchange.over) return;
    if (!this.#ended) this.#exchange.call.end();
    this.#ended = true;
    this.#exchange.finish();
  }

  /** The answer cannot become whole: the client must see that. */
  onError(): void {
    if (this.#exchange.over) return;
    this.#call.abort();
    if (this.#exchange.call.begun) {
      this.#exchange.call.abort();
      this.#exchange.finish();
    } else this.#exchange.fail(problemOfFailure(this.#failure));
  }

  async #sendHeld(held: HeldBody): Promise<void> {
    const body = await held.forward();
    if (this.#exchange.over) return;
    const { status, headers } = this.#exchange.stateResponse();
    this.begin(status, headers.toPairs());
    if (body instanceof Uint8Array) {
      this.onChunk(body);
      this.onEnd();
    } else body.read(this);
  }
}
