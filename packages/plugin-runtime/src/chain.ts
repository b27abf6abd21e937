import type { ExchangeState, HookOutcome } from './exchange-state.ts';
import { callHook, type AnyHook, type ApplyResult } from './hook-call.ts';
import type { Stage } from './plugin.ts';
import type { RunningInstance } from './running-instance.ts';
import { passesGuard, type ConsumerGuard } from './scope-matching.ts';

/** One hook in its place. */
export interface ChainEntry {
  readonly instance: RunningInstance;
  readonly hook: AnyHook;
  /** Present when the hook runs for certain consumers only. */
  readonly guard: ConsumerGuard | undefined;
}

/**
 * How a stage ended. `continue`: all hooks ran. `respond`: a plugin answered (request stage: the request stops there;
 * response and error stage: its response took the other's place). `failed`: a plugin that must not fail did;
 * `exchange.failure` says so and the host answers 503.
 */
export type StageResult = 'continue' | 'respond' | 'failed';

/** A request's compiled chain. Immutable; one serves any number of requests at once. */
export interface Chain {
  /** Whether any hook stands in the request, response or error stage: the host may skip empty ones. */
  readonly hasRequestHooks: boolean;
  readonly hasResponseHooks: boolean;
  readonly hasErrorHooks: boolean;
  /**
   * Runs the request stage and applies what it decides to the exchange. After `respond` the exchange has the plugin's
   * response; the response stage still runs for it. A promise only when a hook gave one.
   */
  runRequest(exchange: ExchangeState): StageResult | Promise<StageResult>;
  /** Runs the response stage over `exchange.response`, which the host or a plugin set. */
  runResponse(exchange: ExchangeState): StageResult | Promise<StageResult>;
  /** Runs the error stage, in place of the response stage, after `exchange.fail`. Never `failed`. */
  runError(exchange: ExchangeState): StageResult | Promise<StageResult>;
}

/** The hooks of one stage in running order. */
export class StageRun {
  readonly #stage: Stage;
  readonly #entries: readonly ChainEntry[];
  readonly #apply: ApplyResult;
  /** Whether a response ends the stage; otherwise the rest runs on it. */
  readonly #stopsOnResponse: boolean;

  constructor(stage: Stage, entries: readonly ChainEntry[], apply: ApplyResult) {
    this.#stage = stage;
    this.#entries = entries;
    this.#apply = apply;
    this.#stopsOnResponse = stage === 'request';
  }

  get isEmpty(): boolean {
    return this.#entries.length === 0;
  }

  /** Runs the hooks one after the other; stays sync as long as they do. */
  run(exchange: ExchangeState): StageResult | Promise<StageResult> {
    const entries = this.#entries;
    let result: StageResult = 'continue';
    for (let index = 0; index < entries.length; index += 1) {
      const entry = entries[index] as ChainEntry;
      if (entry.guard !== undefined && !passesGuard(entry.guard, exchange.consumer)) continue;
      const outcome = this.#call(entry, exchange);
      if (typeof outcome !== 'string') return this.#runOn(exchange, outcome, index + 1, result);
      if (outcome === 'failed') return 'failed';
      if (outcome !== 'respond') continue;
      if (this.#stopsOnResponse) return 'respond';
      result = 'respond';
    }
    return result;
  }

  /** The rest of a stage in which a hook gave a promise. */
  async #runOn(
    exchange: ExchangeState,
    pending: Promise<HookOutcome>,
    next: number,
    resultSoFar: StageResult,
  ): Promise<StageResult> {
    let result = resultSoFar;
    let outcome: HookOutcome = await pending;
    for (let index = next; ; index += 1) {
      if (outcome === 'failed') return 'failed';
      if (outcome === 'respond') {
        result = 'respond';
        if (this.#stopsOnResponse) return result;
      }
      const entry = this.#entries[index];
      if (entry === undefined) return result;
      if (entry.guard !== undefined && !passesGuard(entry.guard, exchange.consumer)) {
        outcome = 'continue';
        continue;
      }
      const called = this.#call(entry, exchange);
      // A sync outcome is not awaited: a hook that stays sync costs no turn of the event loop.
      outcome = typeof called === 'string' ? called : await called;
    }
  }

  #call(entry: ChainEntry, exchange: ExchangeState): HookOutcome | Promise<HookOutcome> {
    const { instance, hook } = entry;
    if (exchange.steps === undefined && instance.host.events.onHookEnd === undefined) {
      return callHook(instance, this.#stage, hook, exchange, this.#apply);
    }
    const startMs = instance.host.clock.monotonicMs();
    const outcome = callHook(instance, this.#stage, hook, exchange, this.#apply);
    if (typeof outcome === 'string') return this.#observe(entry, exchange, outcome, startMs);
    return outcome.then((late) => this.#observe(entry, exchange, late, startMs));
  }

  #observe({ instance }: ChainEntry, exchange: ExchangeState, outcome: HookOutcome, startMs: number): HookOutcome {
    const durationMs = instance.host.clock.monotonicMs() - startMs;
    const stage = this.#stage;
    exchange.steps?.push({
      name: instance.identity.name,
      stage,
      outcome,
      duration_us: Math.round(durationMs * 1000),
    });
    instance.host.events.onHookEnd?.(instance.identity, stage, outcome, durationMs);
    return outcome;
  }
}

/** A chain of its three stages. */
export function chainOf(request: StageRun, response: StageRun, error: StageRun): Chain {
  return Object.freeze({
    hasRequestHooks: !request.isEmpty,
    hasResponseHooks: !response.isEmpty,
    hasErrorHooks: !error.isEmpty,
    runRequest: (exchange: ExchangeState) => request.run(exchange),
    runResponse: (exchange: ExchangeState) => response.run(exchange),
    runError: (exchange: ExchangeState) => error.run(exchange),
  });
}
