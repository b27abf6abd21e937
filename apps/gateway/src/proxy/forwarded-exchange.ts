import type { BodyReader } from '@portcullis/plugin-runtime';
import type { CompiledRoute } from '../configuration/generation.ts';
import type { BodySource } from '../transport/body-source.ts';
import { failures } from '../transport/upstream-failures.ts';
import type { ResponseSink, UpstreamCall, UpstreamFailure } from '../transport/upstream-transport.ts';
import type { Exchange } from './exchange.ts';
import type { HeldBody } from './held-body.ts';
import { problemOfFailure } from './problems.ts';
import type { RequestHead } from './request-head.ts';
import { responseHead } from './response-head.ts';
import { UpstreamAnswer } from './upstream-answer.ts';

/** What services and destinations have in common: a request goes out with its body, and the answer streams back. */
export abstract class ForwardedExchange implements ResponseSink {
  protected readonly exchange: Exchange;
  protected readonly route: CompiledRoute;
  protected readonly head: RequestHead;
  readonly #held: HeldBody | undefined;
  /** Why the last attempt failed, if it did. */
  failure: UpstreamFailure | undefined;
  protected body: BodySource | Uint8Array | undefined;
  protected call: UpstreamCall | undefined;
  /** When the first attempt was sent, on the monotonic clock; 0 before. */
  protected sentMs = 0;
  protected doneMs = 0;
  #answer: UpstreamAnswer | undefined;
  #isGivenUp = false;

  constructor(exchange: Exchange, route: CompiledRoute, head: RequestHead, held: HeldBody | undefined) {
    this.exchange = exchange;
    this.route = route;
    this.head = head;
    this.#held = held;
  }

  /** Microseconds from sending to the end of the answer; `undefined` when nothing was sent. */
  get latencyUs(): number | undefined {
    if (this.sentMs === 0) return undefined;
    const doneMs = this.doneMs === 0 ? this.exchange.ports.monotonicMs() : this.doneMs;
    return Math.round((doneMs - this.sentMs) * 1000);
  }

  /** @param strippedLength how much of the client's path the route strips */
  abstract start(strippedLength: number): void;

  /** Sends the request, whose body is known. */
  protected abstract send(): void;

  /** An attempt failed before any of its answer came. @returns whether another one is made */
  protected abstract retry(failure: UpstreamFailure): boolean;

  /** How the attempt went, before anything comes of it. */
  protected abstract noteAnswer(status: number): void;
  protected abstract noteEnd(failure: UpstreamFailure | undefined): void;

  /** Changes the answer's fields, before plugins see them. */
  protected abstract addFields(pairs: string[]): void;

  /** Takes the body that plugins left, then sends. */
  protected sendWithBody(): void {
    const replaced = this.exchange.state?.request.body;
    if (replaced !== undefined) this.body = replaced;
    else if (this.#held === undefined || this.#held.untouched) this.body = this.exchange.call.body;
    else {
      this.#held
        .forward()
        .then((body) => {
          if (this.exchange.over) return;
          this.body = body;
          this.send();
        })
        .catch(() => this.exchange.fail(problemOfFailure(failures.requestBody)));
      return;
    }
    this.send();
  }

  onDrain(): void {
    if (this.#answer === undefined) this.call?.resume();
    else this.#answer.resume();
  }

  /** Whoever gives the upstream up answers the client. */
  abort(): void {
    this.#isGivenUp = true;
    this.call?.abort();
  }

  /** The client's side is over: nothing of the answer is held any more. */
  release(): void {
    this.#answer?.release();
  }

  onResponse(status: number, headers: string[]): void {
    this.noteAnswer(status);
    if (this.exchange.over || this.call === undefined) return;
    const { pairs, length } = responseHead(headers);
    this.addFields(pairs);
    const answer = new UpstreamAnswer(this.exchange, this.call, length);
    this.#answer = answer;
    const { state } = this.exchange;
    const { chain } = this.route;
    if (state === undefined || chain === undefined) {
      answer.begin(status, pairs);
      return;
    }
    if (!chain.hasResponseHooks) {
      state.setResponse({ status, headers: pairs, source: 'upstream' });
      answer.begin(status, state.response.headers.toPairs());
      return;
    }
    const readBody: BodyReader = (bytesMax, isOptional) => answer.hold().read(bytesMax, isOptional);
    state.setResponse({ status, headers: pairs, source: 'upstream', readBody });
    this.exchange.runResponse(chain);
  }

  /** Lets the answer's body wait: a response hook has not decided yet. */
  hold(): void {
    this.#answer?.hold();
  }

  /** After the response hooks: sends what they left of the answer. */
  sendAnswer(): void {
    this.#answer?.send();
  }

  onChunk(chunk: Uint8Array): void {
    this.#answer?.take(chunk);
  }

  onEnd(): void {
    this.doneMs = this.exchange.ports.monotonicMs();
    this.noteEnd(undefined);
    this.#answer?.takeEnd();
  }

  onFailure(failure: UpstreamFailure): void {
    this.doneMs = this.exchange.ports.monotonicMs();
    this.noteEnd(failure);
    if (this.exchange.over || this.#isGivenUp) return;
    this.failure = failure;
    if (this.#answer !== undefined) this.#answer.takeFailure(failure);
    else if (!this.retry(failure)) this.exchange.fail(problemOfFailure(this.failure));
  }
}
