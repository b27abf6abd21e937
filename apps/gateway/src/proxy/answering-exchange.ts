import type { Socket } from 'node:net';
import type { BodyReader, ResponseView } from '@portcullis/plugin-runtime';
import type { CompiledRoute } from '../configuration/generation.ts';
import type { ResponseSink, UpstreamCall, UpstreamFailure } from '../transport/upstream-transport.ts';
import type { RecordedTrace } from '../tracing/request-trace.ts';
import type { Exchange } from './exchange.ts';
import { problemOfFailure } from './problems.ts';
import { timeoutMsDefault } from './forwarded-parts.ts';
import { responseHead } from './response-head.ts';
import { SwitchedAnswer } from './switched-answer.ts';
import { passableTrailers } from './trailer-fields.ts';
import { UpstreamAnswer } from './upstream-answer.ts';

/** What stands behind a chain of plugins, whatever it is: its answer streams back through the response stage to the client. */
export abstract class AnsweringExchange implements ResponseSink {
  protected readonly exchange: Exchange;
  protected readonly route: CompiledRoute;
  /** Why the last attempt failed, if it did. */
  failure: UpstreamFailure | undefined;
  protected call: UpstreamCall | undefined;
  /** Who makes the answer. */
  protected source: Exclude<ResponseView['source'], 'gateway'> = 'upstream';
  /** When the first attempt was sent, on the monotonic clock; 0 before. */
  protected sentMs = 0;
  protected doneMs = 0;
  /** When the answer's head came; 0 before. */
  #headMs = 0;
  #answer: UpstreamAnswer | undefined;
  /** In place of an answer, where the upstream switches protocols. */
  #switched: SwitchedAnswer | undefined;
  #isGivenUp = false;

  constructor(exchange: Exchange, route: CompiledRoute) {
    this.exchange = exchange;
    this.route = route;
  }

  /** The spans of the request; `undefined` where it is not recorded. */
  protected get recorded(): RecordedTrace | undefined {
    return this.exchange.head?.trace?.recorded;
  }

  /** Microseconds from sending to the end of the answer; `undefined` when nothing was sent. */
  get latencyUs(): number | undefined {
    if (this.sentMs === 0) return undefined;
    const doneMs = this.doneMs === 0 ? this.exchange.ports.monotonicMs() : this.doneMs;
    return Math.round((doneMs - this.sentMs) * 1000);
  }

  /** Milliseconds from sending to the head of an upstream's answer; `undefined` when none came, or when a plugin made the answer. */
  get headLatencyMs(): number | undefined {
    return this.#headMs === 0 || this.source !== 'upstream' ? undefined : this.#headMs - this.sentMs;
  }

  /** @param strippedLength how much of the client's path the route strips */
  abstract start(strippedLength: number): void;

  /** An attempt failed before any of its answer came. @returns whether another one is made */
  protected abstract retry(failure: UpstreamFailure): boolean;

  /** How the attempt went, before anything comes of it. */
  protected abstract noteAnswer(status: number, nowMs: number): void;
  protected abstract noteEnd(failure: UpstreamFailure | undefined): void;

  /** Changes the answer's fields, before plugins see them. */
  protected abstract addFields(pairs: string[]): void;

  onDrain(): void {
    if (this.#answer === undefined) this.call?.resume();
    else this.#answer.resume();
  }

  /** Whoever gives the upstream up answers the client. */
  abort(): void {
    this.#isGivenUp = true;
    this.call?.abort();
    this.endSwitch();
  }

  /** The client's side is over: nothing of the answer is held any more. */
  release(): void {
    this.#answer?.release();
  }

  onResponse(status: number, headers: string[]): void {
    this.#headMs = this.exchange.ports.monotonicMs();
    this.noteAnswer(status, this.#headMs);
    this.recorded?.answered(status);
    if (this.exchange.over || this.call === undefined) return;
    const { pairs, length } = responseHead(status, headers, this.exchange.call);
    this.addFields(pairs);
    const { source } = this;
    const answer = new UpstreamAnswer(this.exchange, this.call, length, source);
    this.#answer = answer;
    const { state } = this.exchange;
    const { chain } = this.route;
    if (state === undefined || chain === undefined) {
      answer.begin(status, pairs);
      return;
    }
    if (!chain.hasResponseHooks) {
      state.setResponse({ status, headers: pairs, source });
      answer.begin(status, state.response.headers.toPairs());
      return;
    }
    const readBody: BodyReader = (bytesMax, isOptional) => answer.hold().read(bytesMax, isOptional);
    state.setResponse({ status, headers: pairs, source, readBody });
    this.exchange.runResponse(chain);
  }

  onUpgrade(headers: string[], connection: Socket): void {
    const { exchange, source } = this;
    this.#headMs = exchange.ports.monotonicMs();
    // What comes of the connection is nobody's latency.
    this.doneMs = this.#headMs;
    this.noteAnswer(101, this.#headMs);
    this.recorded?.answered(101);
    const switched = new SwitchedAnswer(exchange, connection, this.route.readTimeoutMs || timeoutMsDefault);
    this.#switched = switched;
    if (exchange.over) {
      this.endSwitch();
      return;
    }
    const { pairs } = responseHead(101, headers, exchange.call);
    this.addFields(pairs);
    const { state } = exchange;
    const { chain } = this.route;
    if (state === undefined || chain === undefined) {
      switched.switch(pairs);
      return;
    }
    state.setResponse({ status: 101, headers: pairs, source });
    if (chain.hasResponseHooks) exchange.runResponse(chain);
    else switched.send();
  }

  /** The connection of an upstream that switched protocols is wanted no more, or gone. Safe to call twice. */
  endSwitch(): void {
    const switched = this.#switched;
    if (switched === undefined) return;
    this.#switched = undefined;
    switched.abort();
    this.noteEnd(undefined);
    this.recorded?.end(undefined, this.doneMs);
  }

  /** Lets the answer's body wait: a response hook has not decided yet. */
  hold(): void {
    this.#answer?.hold();
  }

  /** After the response hooks: sends what they left of the answer. */
  sendAnswer(): void {
    this.#switched?.send();
    this.#answer?.send();
  }

  onChunk(chunk: Uint8Array): void {
    this.#answer?.take(chunk);
  }

  onEnd(trailers?: readonly string[]): void {
    this.doneMs = this.exchange.ports.monotonicMs();
    this.noteEnd(undefined);
    this.recorded?.end(undefined, this.doneMs);
    this.#answer?.takeEnd(trailers === undefined ? undefined : passableTrailers(trailers));
  }

  onFailure(failure: UpstreamFailure): void {
    this.doneMs = this.exchange.ports.monotonicMs();
    this.noteEnd(failure);
    this.recorded?.end(failure.code, this.doneMs);
    if (this.exchange.over || this.#isGivenUp) return;
    this.failure = failure;
    if (this.#answer !== undefined) this.#answer.takeFailure(failure);
    else if (!this.retry(failure)) this.exchange.fail(problemOfFailure(this.failure));
  }
}
