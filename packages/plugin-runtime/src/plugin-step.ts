import type { Stage } from './plugin.ts';

/**
 * What became of one call of a hook. `respond`: the plugin ended the matter by what it decided: a response, a cut, a close.
 * `failed`: it did not do its work and the request must fail; `skipped`: it did not, and the request goes on without it.
 */
export type HookOutcome = 'continue' | 'respond' | 'failed' | 'skipped';

/** One hook that ran for a request, in the words of an observation record. Source: wire, Observability. */
export interface PluginStep {
  readonly name: string;
  readonly stage: Stage;
  readonly outcome: HookOutcome;
  /** Whole microseconds, waiting included. Of hooks that run per chunk: the sum of all calls. */
  readonly duration_us: number;
}

/** The step of a hook that runs many times, which sums up its calls: a stream of any length leaves one step per hook. */
export class SummedStep implements PluginStep {
  readonly name: string;
  readonly stage: Stage;
  outcome: HookOutcome = 'continue';
  duration_us = 0;
  #durationMs = 0;

  constructor(name: string, stage: Stage) {
    this.name = name;
    this.stage = stage;
  }

  /** One call more. The outcome that says most is kept. */
  add(outcome: HookOutcome, durationMs: number): void {
    this.#durationMs += durationMs;
    this.duration_us = Math.round(this.#durationMs * 1000);
    if (WEIGHT[outcome] > WEIGHT[this.outcome]) this.outcome = outcome;
  }
}

const WEIGHT: Readonly<Record<HookOutcome, number>> = { continue: 0, skipped: 1, respond: 2, failed: 3 };
