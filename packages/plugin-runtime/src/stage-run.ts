import type { ChainEntry, HookEnd } from './chain-entry.ts';
import type { ExchangeState } from './exchange-state.ts';
import { callHook } from './hook-call.ts';
import { passesGuard } from './scope-matching.ts';
import { beginWatch, callWatched, isListenedTo } from './watched-call.ts';

/**
 * How a stage ended. `continue`: all hooks ran. `respond`: a plugin answered (request stage: the request stops there;
 * response and error stage: its response took the other's place). `failed`: a plugin that must not fail did;
 * `exchange.failure` says so and the host answers 503.
 */
export type StageResult = 'continue' | 'respond' | 'failed';

/** A hook of the request, response or error stage. */
export type StageEntry = ChainEntry<ExchangeState, 'continue' | 'respond'>;

/** The hooks of the request, response or error stage in running order. */
export class StageRun {
  readonly #entries: readonly StageEntry[];
  /** Whether a response ends the stage; otherwise the rest runs on it. */
  readonly #stopsOnResponse: boolean;
  readonly #isListenedTo: boolean;

  constructor(entries: readonly StageEntry[], stopsOnResponse: boolean) {
    this.#entries = entries;
    this.#stopsOnResponse = stopsOnResponse;
    this.#isListenedTo = isListenedTo(entries);
  }

  get isEmpty(): boolean {
    return this.#entries.length === 0;
  }

  /** Runs the hooks one after the other; stays sync as long as they do. */
  run(exchange: ExchangeState): StageResult | Promise<StageResult> {
    const end = this.#runFrom(exchange, 0, 'continue', undefined);
    return typeof end === 'string' ? end : this.#runOn(exchange, end);
  }

  /** Runs hooks until one gives a promise, or the stage ends. @param wait the object to say it with, if there is one */
  #runFrom(
    exchange: ExchangeState,
    start: number,
    before: StageResult,
    wait: StageWait | undefined,
  ): StageResult | StageWait {
    const entries = this.#entries;
    let result = before;
    const isWatched = this.#isListenedTo || exchange.steps !== undefined;
    exchange.beginHooks();
    try {
      if (isWatched) beginWatch(entries[start], exchange);
      for (let index = start; index < entries.length; index += 1) {
        const entry = entries[index] as StageEntry;
        if (entry.guard !== undefined && !passesGuard(entry.guard, exchange.consumer)) continue;
        const { place } = entry;
        const end = isWatched ? callWatched(entry, exchange, place) : callHook(entry, exchange, place);
        if (end === 'continue' || end === 'skipped') continue;
        if (typeof end !== 'string') return waitingFor(wait, end, index + 1, result);
        if (end === 'failed' || this.#stopsOnResponse) return end;
        result = end;
      }
    } finally {
      exchange.endHooks();
    }
    return result;
  }

  /** The rest of a stage in which a hook gave a promise. */
  async #runOn(exchange: ExchangeState, first: StageWait): Promise<StageResult> {
    let wait = first;
    for (;;) {
      const end = await wait.pending;
      if (end === 'failed') return end;
      if (end === 'respond' && this.#stopsOnResponse) return end;
      const next = this.#runFrom(exchange, wait.next, end === 'respond' ? end : wait.result, wait);
      if (typeof next === 'string') return next;
      wait = next;
    }
  }
}

/** Where a stage stands while a hook waits. One object per run of a stage, however many hooks wait. */
interface StageWait {
  pending: Promise<HookEnd<'continue' | 'respond'>>;
  next: number;
  result: StageResult;
}

function waitingFor(
  wait: StageWait | undefined,
  pending: StageWait['pending'],
  next: number,
  result: StageResult,
): StageWait {
  if (wait === undefined) return { pending, next, result };
  wait.pending = pending;
  wait.next = next;
  wait.result = result;
  return wait;
}
