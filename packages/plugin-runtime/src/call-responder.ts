import { checkedAnswer, type CheckedAnswer } from './checked-answer.ts';
import type { Awaitable, ObservationEdits } from './decision.ts';
import type { ExchangeState } from './exchange-state.ts';
import type { Exchange } from './exchange.ts';
import type { Leaver } from './hook-subject.ts';
import type { Responder, ResponderCall } from './responder.ts';
import { describeError } from './running-instance.ts';
import type { HookFault } from './runtime-events.ts';

/** What came of a responder's call. `failed`: the request has failed, and `exchange.failure` says why. */
export type ResponderReply = CheckedAnswer | 'failed';

/**
 * For hosts: lets the responder of a request answer it, once all request hooks have run. Never throws and never rejects. A promise only
 * when the responder gave one.
 */
export function callResponder(exchange: ExchangeState, responder: Responder): Awaitable<ResponderReply> {
  const call = new RespondingCall(exchange);
  try {
    const answer: unknown = responder.respond(call);
    if (answer instanceof Promise) return answer.then(call.taken, call.rejected);
    return isThenable(answer) ? Promise.resolve(answer).then(call.taken, call.rejected) : call.taken(answer);
  } catch (error) {
    return call.rejected(error);
  }
}

/** One request that a responder answers: what it sees, and what its failures mean. */
class RespondingCall implements ResponderCall, Leaver {
  readonly exchange: Exchange;
  readonly #state: ExchangeState;
  #controller: AbortController | undefined;

  constructor(state: ExchangeState) {
    this.exchange = state;
    this.#state = state;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      this.#state.watchLeaver(this);
    }
    return this.#controller.signal;
  }

  /** Bound: plugins take the parts of a call apart. */
  readonly observe = (edits: ObservationEdits): void => {
    try {
      this.#state.applyObservation(edits);
    } catch (error) {
      // It is said in the middle of an answer, which does not suffer from it.
      this.#note('bad_result', error);
    }
  };

  /** The client left. */
  abort(): void {
    this.#controller?.abort();
  }

  readonly taken = (answer: unknown): ResponderReply => {
    try {
      const checked = checkedAnswer(answer as CheckedAnswer, (error) => this.#fault('threw', error));
      this.#noteOutcome('respond');
      return checked;
    } catch (error) {
      return this.#failed('bad_result', error);
    }
  };

  readonly rejected = (error: unknown): ResponderReply => {
    const state = this.#state;
    const { peerFailure } = state;
    if (peerFailure === undefined && !state.aborted) return this.#failed('threw', error);
    // The client's body broke off, or it left: no mistake of the plugin's.
    state.answerer?.host.events.onHookFault?.(state.answerer.identity, 'request', 'given_up', error, state);
    if (peerFailure === undefined) this.#noteFailure();
    else state.noteFailure(peerFailure);
    return 'failed';
  };

  #failed(reason: HookFault, error: unknown): 'failed' {
    this.#noteOutcome('failed');
    this.#fault(reason, error);
    this.#noteFailure();
    return 'failed';
  }

  /** Its request hook only brought the responder: who looks for what answered, or failed to, finds it in the hook's step. */
  #noteOutcome(outcome: 'respond' | 'failed'): void {
    const { answerer } = this.#state;
    if (answerer !== undefined) this.#state.noteLateOutcome(answerer.identity.name, outcome);
  }

  #noteFailure(): void {
    const plugin = this.#state.answerer?.identity.name ?? 'unknown';
    this.#state.noteFailure({ code: 'plugin_failed', message: `plugin ${plugin} did not do its work`, plugin });
  }

  /** The plugin failed: that is logged, and counts for its circuit. */
  #fault(reason: HookFault, error: unknown): void {
    this.#state.answerer?.onCircuitEvent(FAILURE);
    this.#note(reason, error);
  }

  #note(reason: HookFault, error: unknown): void {
    const { answerer, logFields } = this.#state;
    if (answerer === undefined) return;
    const { identity, host } = answerer;
    host.log.error('a plugin failed', {
      plugin: identity.name,
      instance: identity.id,
      stage: 'responder',
      reason,
      ...logFields,
      error: describeError(error),
    });
    host.events.onHookFault?.(identity, 'request', reason, error, this.#state);
  }
}

const FAILURE = { type: 'failure', isProbe: false } as const;

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
