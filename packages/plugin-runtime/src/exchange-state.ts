import { noAiRecords, type AiRecord } from './ai-record.ts';
import { checkedEdits, type CheckedEdits } from './checked-edits.ts';
import { keptConsumer } from './consumer-edit.ts';
import type { ObservationEdits, RequestEdits, ResponseEdits } from './decision.ts';
import { tellEnd, type EndListener } from './exchange-end.ts';
import type { ConsumerIdentity, ErrorExchange, ExchangeEnd, ExchangeFailure, RequestFacts } from './exchange.ts';
import { HookSubject } from './hook-subject.ts';
import { NOTHING_OBSERVED, withObservation } from './observation-edits.ts';
import { RequestState, type RequestParts } from './request-state.ts';
import { ResponseState, type ResponseParts } from './response-state.ts';
import type { RunningInstance } from './running-instance.ts';
import { noConsumers, type ConsumerDirectory } from './services.ts';

/** What the host knows when a request arrives. */
export interface ExchangeParts {
  readonly facts: RequestFacts;
  readonly request: RequestParts;
  /** Default: a directory that knows nobody. */
  readonly consumers?: ConsumerDirectory;
  /** Default: none. */
  readonly aiRecords?: readonly AiRecord[];
  /** Whether {@link ExchangeState.steps} is kept. It costs one reading of the clock per hook. Default false. */
  readonly recordSteps?: boolean;
  /** See `Exchange.startedMs`. */
  readonly startedMs?: number | undefined;
}

/**
 * One request on its way, owned by the host and handed to hooks as a read-only `Exchange`. The host makes one per request,
 * runs the chain, and reads from it what to forward and what to answer. Hooks that assign to it get a TypeError.
 */
export class ExchangeState extends HookSubject implements ErrorExchange {
  readonly #facts: RequestFacts;
  readonly #request: RequestState;
  readonly #consumers: ConsumerDirectory;
  readonly aiRecords: readonly AiRecord[];
  readonly startedMs: number | undefined;
  #consumer: ConsumerIdentity | undefined;
  #response: ResponseState | undefined;
  #responseEdits: CheckedEdits[] | undefined;
  #observation: ObservationEdits = NOTHING_OBSERVED;
  #isLimited = false;
  #answerer: RunningInstance | undefined;
  #end: ExchangeEnd | undefined;
  #endListeners: EndListener[] | undefined;

  constructor(init: ExchangeParts) {
    super(init.recordSteps === true);
    this.#facts = init.facts;
    this.#request = new RequestState(init.request, this);
    this.#consumers = init.consumers ?? noConsumers;
    this.aiRecords = init.aiRecords ?? noAiRecords;
    this.startedMs = init.startedMs;
  }

  get facts(): RequestFacts {
    return this.#facts;
  }

  get request(): RequestState {
    return this.#request;
  }

  get consumers(): ConsumerDirectory {
    return this.#consumers;
  }

  get logFields(): Readonly<Record<string, string>> {
    return { request_id: this.facts.requestId };
  }

  get consumer(): ConsumerIdentity | undefined {
    return this.#consumer;
  }

  /** What plugins said about the request's record; `sampled` is absent until one says it. For the host. */
  get observation(): ObservationEdits {
    return this.#observation;
  }

  /** Whether a plugin of the category rate_limit refused the request, with whatever status. For the host's figures. */
  get isLimited(): boolean {
    return this.#isLimited;
  }

  /** For the runtime: see {@link isLimited}. */
  noteLimited(): void {
    this.#isLimited = true;
  }

  /** For the runtime: the instance whose responder answers the request. */
  get answerer(): RunningInstance | undefined {
    return this.#answerer;
  }

  /** For the runtime: see {@link answerer}. */
  noteAnswerer(instance: RunningInstance): void {
    this.#answerer = instance;
  }

  /** For the runtime: what a responder says of the request while it answers. @throws TypeError as {@link applyRequestEdits} */
  applyObservation(edits: ObservationEdits): void {
    this.#observation = withObservation(this.#observation, edits);
  }

  /** Whether there is a response yet. */
  get hasResponse(): boolean {
    return this.#response !== undefined;
  }

  /** @throws Error before there is one */
  get response(): ResponseState {
    if (this.#response === undefined) throw new Error('there is no response yet');
    return this.#response;
  }

  get answer(): ResponseState | undefined {
    return this.#response;
  }

  get trouble(): ExchangeFailure | undefined {
    return this.hasFailed ? this.failure : undefined;
  }

  /** The response that the client will get unless a plugin changes it. Header edits that request hooks left are applied. */
  setResponse(init: ResponseParts): void {
    const response = new ResponseState(init, this);
    if (this.#responseEdits !== undefined)
      for (const edits of this.#responseEdits) response.headers.applyChecked(edits);
    this.#response = response;
  }

  /** Says that the request failed and how the client is told, before the error hooks run. */
  fail(failure: ExchangeFailure, response: Omit<ResponseParts, 'source'>): void {
    this.noteFailure(failure);
    this.setResponse({ ...response, source: 'gateway' });
  }

  onEnd(listener: EndListener): void {
    if (this.#end === undefined) (this.#endListeners ??= []).push(listener);
    else listener(this.#end);
  }

  /** Whether a plugin waits for the end: a host for which it costs something to know the end need not know it otherwise. */
  get isEndAwaited(): boolean {
    return this.#endListeners !== undefined;
  }

  /**
   * Says that the request is over, after the last byte of the answer or when there will be none. Each host says it once for every
   * exchange that it ran a chain for: plugins hold slots and locks until then. Safe to call twice.
   * @param onFault is told what a plugin's listener threw
   */
  end(end: ExchangeEnd, onFault?: (error: unknown) => void): void {
    if (this.#end !== undefined) return;
    if (end.failure !== undefined && !this.hasFailed) this.noteFailure(end.failure);
    // What failed first is the cause of what followed.
    const told = end.failure === undefined ? end : { ...end, failure: this.failure };
    this.#end = told;
    const listeners = this.#endListeners;
    if (listeners === undefined) return;
    this.#endListeners = undefined;
    tellEnd(listeners, told, onFault);
  }

  /**
   * For the runtime: applies what a request hook asks for. What is kept for later is copied: the hook may change its own.
   * @throws TypeError for edits that are no edits; nothing has changed then
   */
  applyRequestEdits(edits: RequestEdits): void {
    const consumer = edits.consumer === undefined ? undefined : keptConsumer(edits.consumer);
    const responseEdits = edits.responseHeaders === undefined ? undefined : checkedEdits(edits.responseHeaders);
    const observation = withObservation(this.#observation, edits.observation);
    this.request.applyEdits(edits);
    this.#observation = observation;
    if (consumer !== undefined) this.#consumer = consumer;
    if (responseEdits !== undefined) (this.#responseEdits ??= []).push(responseEdits);
  }

  /**
   * For the runtime: applies what a response or error hook asks for.
   * @throws TypeError for edits that are no edits; nothing has changed then
   */
  applyResponseEdits(edits: ResponseEdits): void {
    const observation = withObservation(this.#observation, edits.observation);
    this.response.applyEdits(edits);
    this.#observation = observation;
  }
}

// Assigning to a method throws too: hooks of one request share the object.
Object.freeze(ExchangeState.prototype);
