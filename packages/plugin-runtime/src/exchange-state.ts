import { checkedEdits, type CheckedEdits } from './checked-edits.ts';
import { keptConsumer } from './consumer-edit.ts';
import type { RequestEdits } from './decision.ts';
import type { ConsumerIdentity, ErrorExchange, ExchangeFailure, RequestFacts } from './exchange.ts';
import type { Stage } from './plugin.ts';
import { RequestState, type RequestParts } from './request-state.ts';
import { ResponseState, type ResponseParts } from './response-state.ts';
import type { ConsumerDirectory } from './services.ts';

/** What became of one hook for one request. */
export type HookOutcome = 'continue' | 'respond' | 'failed' | 'skipped';

/** One hook that ran for a request, in the words of an observation record. Source: wire, Observability. */
export interface PluginStep {
  readonly name: string;
  readonly stage: Stage;
  readonly outcome: HookOutcome;
  /** Whole microseconds, waiting included. */
  readonly duration_us: number;
}

/** What the host knows when a request arrives. */
export interface ExchangeParts {
  readonly facts: RequestFacts;
  readonly request: RequestParts;
  /** Default: a directory that knows nobody. */
  readonly consumers?: ConsumerDirectory;
  /** Whether {@link ExchangeState.steps} is kept. It costs two clock readings per hook. Default false. */
  readonly recordSteps?: boolean;
}

/**
 * One request on its way, owned by the host and handed to hooks as a read-only `Exchange`. The host makes one per request,
 * runs the chain, and reads from it what to forward and what to answer. Hooks that assign to it get a TypeError.
 */
export class ExchangeState implements ErrorExchange {
  readonly facts: RequestFacts;
  readonly request: RequestState;
  readonly consumers: ConsumerDirectory;
  /** The hooks that ran, in order; `undefined` unless they are recorded. */
  readonly steps: PluginStep[] | undefined;
  #state: Map<string, unknown> | undefined;
  #consumer: ConsumerIdentity | undefined;
  #response: ResponseState | undefined;
  #failure: ExchangeFailure | undefined;
  #responseEdits: CheckedEdits[] | undefined;
  #controller: AbortController | undefined;
  #inHook = false;
  #aborted = false;

  constructor(init: ExchangeParts) {
    this.facts = init.facts;
    this.request = new RequestState(init.request);
    this.consumers = init.consumers ?? NOBODY;
    this.steps = init.recordSteps === true ? [] : undefined;
  }

  get state(): Map<string, unknown> {
    this.#state ??= new Map();
    return this.#state;
  }

  get consumer(): ConsumerIdentity | undefined {
    return this.#consumer;
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

  /** @throws Error unless the request failed */
  get failure(): ExchangeFailure {
    if (this.#failure === undefined) throw new Error('the request did not fail');
    return this.#failure;
  }

  /** Whether the client left. */
  get aborted(): boolean {
    return this.#aborted;
  }

  signal(): AbortSignal {
    if (!this.#inHook || this.#aborted) return AbortSignal.abort();
    this.#controller ??= new AbortController();
    return this.#controller.signal;
  }

  /** The response that the client will get unless a plugin changes it. Header edits that request hooks left are applied. */
  setResponse(init: ResponseParts): void {
    const response = new ResponseState(init);
    if (this.#responseEdits !== undefined)
      for (const edits of this.#responseEdits) response.headers.applyChecked(edits);
    this.#response = response;
  }

  /** Says that the request failed and how the client is told, before the error hooks run. */
  fail(failure: ExchangeFailure, response: Omit<ResponseParts, 'source'>): void {
    this.#failure = failure;
    this.setResponse({ ...response, source: 'gateway' });
  }

  /** Says that the client left: the hook that is waiting is told by its signal. Safe to call twice. */
  abort(): void {
    this.#aborted = true;
    this.#controller?.abort();
  }

  /** For the runtime: remembers why a plugin's failure ended the request, until the host answers with {@link fail}. */
  noteFailure(failure: ExchangeFailure): void {
    this.#failure = failure;
  }

  /**
   * For the runtime: applies what a request hook asks for. What is kept for later is copied: the hook may change its own.
   * @throws TypeError for edits that are no edits; nothing has changed then
   */
  applyRequestEdits(edits: RequestEdits): void {
    const consumer = edits.consumer === undefined ? undefined : keptConsumer(edits.consumer);
    const responseEdits = edits.responseHeaders === undefined ? undefined : checkedEdits(edits.responseHeaders);
    this.request.applyEdits(edits);
    if (consumer !== undefined) this.#consumer = consumer;
    if (responseEdits !== undefined) (this.#responseEdits ??= []).push(responseEdits);
  }

  /** For the runtime: a hook is about to be called. */
  enterHook(): void {
    this.#inHook = true;
  }

  /** For the runtime: the hook returned, perhaps a promise. What it took as a signal stays its own while it goes on. */
  leaveHook(): void {
    this.#inHook = false;
  }

  /** For the runtime: the hook is over or given up; in the latter case its signal fires. */
  endHook(givenUp: boolean): void {
    const controller = this.#controller;
    if (controller === undefined) return;
    this.#controller = undefined;
    if (givenUp) controller.abort();
  }
}

const NOBODY: ConsumerDirectory = { findApiKey: () => undefined, findConsumer: () => undefined };
