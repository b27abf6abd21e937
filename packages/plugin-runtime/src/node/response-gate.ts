import type { ServerResponse } from 'node:http';
import type { Chain, StageResult } from '../chain.ts';
import type { ExchangeState } from '../exchange-state.ts';
import type { ExchangeFailure } from '../exchange.ts';
import { BodyKeeper } from '../fetch/body-keeper.ts';
import { problemResponse } from '../fetch/problem-response.ts';
import { respondWeb } from '../fetch/respond-web.ts';
import type { Responder } from '../responder.ts';
import { GatedBody, type Written } from './gated-body.ts';
import { applyHead, BODILESS, fieldsOf, keepHead, type HeadFields } from './response-head.ts';
import type { ResponseWriter } from './response-writer.ts';

/**
 * Stands between an application and its Node response. The first thing that the application sends (a head, a chunk, the end)
 * runs the response stage; what it writes meanwhile waits, and it is told to pause. Afterwards its writes go on as they come,
 * through the stream hooks where there are any.
 */
export class ResponseGate {
  readonly exchange: ExchangeState;
  readonly #response: ServerResponse;
  readonly #chain: Chain;
  readonly #writer: ResponseWriter;
  readonly #body: GatedBody;
  readonly #monotonicMs: () => number;
  /** When the application began to answer; `undefined` before. */
  answeredMs: number | undefined;
  #isCommitted = false;
  #failure: ExchangeFailure | undefined;
  /** The body of the answer that a responder gave. */
  #answered: BodyKeeper | undefined;

  constructor(
    response: ServerResponse,
    chain: Chain,
    exchange: ExchangeState,
    writer: ResponseWriter,
    monotonicMs: () => number,
  ) {
    this.#monotonicMs = monotonicMs;
    this.exchange = exchange;
    this.#response = response;
    this.#chain = chain;
    this.#writer = writer;
    this.#body = new GatedBody(response, chain, exchange, writer);
  }

  /** Whether the response has begun, by the application or by a plugin. */
  get isCommitted(): boolean {
    return this.#isCommitted;
  }

  /** Whether hooks run over the response: for the application its head is out, and on the wire nothing is. */
  get isStaged(): boolean {
    return this.#body.isStaged;
  }

  /** Status of the head that went to the client; `undefined` while none did. */
  get sentStatus(): number | undefined {
    return !this.isStaged && this.#response.headersSent ? this.#response.statusCode : undefined;
  }

  /** Bytes of the body that went to the client. */
  get sentBytes(): number {
    const { statusCode } = this.#response;
    const hasNoBody = this.exchange.request.method === 'HEAD' || BODILESS.has(statusCode);
    return hasNoBody ? 0 : this.#writer.bytes;
  }

  /** Whether what the application wrote waits. */
  get isBlocked(): boolean {
    return this.#body.isBlocked;
  }

  /** Whether the application said that nothing more comes. */
  get hasEnd(): boolean {
    return this.#body.hasEnd;
  }

  writeHead(status: number, message: string | undefined, fields: HeadFields): void {
    if (this.#body.isStaged) throw headersSent();
    if (this.#isCommitted) {
      this.#writer.writeHead(status, message, fields);
      return;
    }
    keepHead(this.#response, status, message, fields);
    this.#commit(() => this.#writer.writeHead(this.#response.statusCode, undefined, {}));
  }

  flushHeaders(): void {
    if (!this.#isCommitted) this.#commit(undefined);
    this.#body.whenOpen(() => this.#writer.flushHeaders());
  }

  /** A chunk, or the end, of what the application writes. @returns whether it may go on writing */
  write(written: Written): boolean {
    if (!this.#isCommitted) this.#commit(undefined);
    return this.#body.write(written);
  }

  /** Says that the application failed: error hooks run in place of response hooks over what it will answer. */
  noteFailure(failure: ExchangeFailure): void {
    if (!this.#isCommitted) this.#failure = failure;
  }

  /** Answers what a plugin gave in the request stage. */
  respond(): void {
    this.#begin();
    this.#settle(this.#chain.runResponse(this.exchange), undefined);
  }

  /** Lets a plugin answer in place of the application. */
  async respondWith(responder: Responder): Promise<void> {
    const { exchange } = this;
    const hasAnswered = await respondWeb(exchange, responder);
    // The client left: what it would have been sent is let go of.
    if (exchange.aborted) void answerOf(exchange)?.discard();
    else if (hasAnswered) {
      this.#answered = answerOf(exchange);
      this.respond();
    } else this.fail(exchange.failure);
  }

  /** Tells the client of a failure, through the error hooks. A response that has begun can only be cut. */
  fail(failure: ExchangeFailure): void {
    if (this.#isCommitted) {
      if (!this.hasEnd) this.#response.destroy();
      return;
    }
    this.#begin();
    this.#tellFailure(failure);
  }

  /** What the application has set of the head is all there is to be: the response stage runs over it. */
  #commit(onHead: (() => void) | undefined): void {
    this.answeredMs = this.#monotonicMs();
    this.#begin();
    const { exchange } = this;
    const { statusCode: status } = this.#response;
    const parts = { status, headers: fieldsOf(this.#response), readBody: this.#body.read, hostBody: this.#body };
    const failure = this.#failure;
    if (failure !== undefined) {
      exchange.fail(failure, parts);
      this.#settle(this.#chain.runError(exchange), onHead);
      return;
    }
    exchange.setResponse({ ...parts, source: 'upstream' });
    this.#settle(this.#chain.runResponse(exchange), onHead);
  }

  #begin(): void {
    this.#isCommitted = true;
    this.#body.stage();
  }

  #settle(result: StageResult | Promise<StageResult>, onHead: (() => void) | undefined): void {
    if (typeof result === 'string') this.#open(result, onHead);
    else this.#goOn(result, (late) => this.#open(late, onHead));
  }

  #open(result: StageResult, onHead: (() => void) | undefined): void {
    if (result === 'failed') this.#tellFailure(this.exchange.failure);
    else this.#sendHead(onHead);
  }

  #tellFailure(failure: ExchangeFailure): void {
    const problem = problemResponse(failure, this.exchange.facts.requestId);
    const { httpVersionMajor } = this.#response.req;
    // The rest of the client's body may never come: the connection is of no use any more.
    if (failure.code.startsWith('request_body_') && httpVersionMajor === 1) problem.headers.push('connection', 'close');
    this.exchange.fail(failure, problem);
    const told = this.#chain.runError(this.exchange);
    if (typeof told === 'string') this.#sendHead(undefined);
    else this.#goOn(told, () => this.#sendHead(undefined));
  }

  /** Goes on when hooks are done. A head that somebody sent past the gate leaves nothing to do but to end the response. */
  #goOn(hooks: Promise<StageResult>, proceed: (result: StageResult) => void): void {
    this.#standIn();
    const goOn = (result: StageResult): void => {
      this.#standDown();
      proceed(result);
    };
    hooks.then(goOn).catch(() => this.#response.destroy());
  }

  /** The head as the plugins left it, and then the body: the application's, or what a plugin put in its place. */
  #sendHead(onHead: (() => void) | undefined): void {
    const { response } = this.exchange;
    const isBodiless = BODILESS.has(response.status);
    const withHooks = this.#chain.hasStreamHooks && !isBodiless;
    applyHead(this.#response, response, withHooks);
    const hasNoBody = isBodiless || this.exchange.request.method === 'HEAD';
    // Clients take what follows the head of a 205 for its body: there must be none, and the head has to say so.
    if (response.body === undefined && response.hostBody === this.#body && response.status !== 205) {
      onHead?.();
      this.#body.open(withHooks && !hasNoBody);
      return;
    }
    // Trailers were announced for a body that is not sent.
    this.#response.addTrailers({});
    const kept = response.hostBody instanceof BodyKeeper ? response.hostBody : undefined;
    // A plugin put another answer in the place of its own.
    if (kept !== this.#answered) void this.#answered?.discard();
    void this.#body.replace(
      hasNoBody ? undefined : (response.body ?? kept?.toBody() ?? undefined),
      withHooks && !hasNoBody,
    );
    if (kept !== undefined && (hasNoBody || response.body !== undefined)) void kept.discard();
  }

  /** From here on the response speaks for itself again: middleware that came earlier asks whether its head is out. */
  #standDown(): void {
    for (const name of STOOD_IN) Reflect.deleteProperty(this.#response, name);
  }

  /** While hooks run, the response says of itself what it would say if its head were out. */
  #standIn(): void {
    const response = this.#response;
    const inherited = Object.getPrototypeOf(response) as ServerResponse;
    const own = (name: 'writableEnded' | 'writableNeedDrain'): boolean => Reflect.get(inherited, name, response);
    Object.defineProperties(response, {
      headersSent: { configurable: true, value: true },
      writableEnded: { configurable: true, get: () => this.hasEnd || own('writableEnded') },
      writableNeedDrain: { configurable: true, get: () => this.isBlocked || own('writableNeedDrain') },
    });
  }
}

/** What `#standIn` puts in front of Node's own. */
const STOOD_IN = ['headersSent', 'writableEnded', 'writableNeedDrain'] as const;

/** The body that the host keeps of an exchange's answer. */
function answerOf(exchange: ExchangeState): BodyKeeper | undefined {
  const body = exchange.hasResponse ? exchange.response.hostBody : undefined;
  return body instanceof BodyKeeper ? body : undefined;
}

/** What Node throws when a head is written twice. */
function headersSent(): Error {
  const error = new Error('Cannot write headers after they are sent to the client');
  return Object.assign(error, { code: 'ERR_HTTP_HEADERS_SENT' });
}
