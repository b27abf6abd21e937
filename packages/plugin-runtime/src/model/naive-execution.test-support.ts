import type { ExecutionPolicy } from '../index.ts';

/** What became of a call, as the host learns it. */
export type CallOutcome = 'continue' | 'skipped' | 'failed';

interface PendingCall {
  readonly id: number;
  readonly deadlineMs: number;
  readonly isProbe: boolean;
}

type Circuit =
  | { readonly phase: 'closed'; readonly inRow: number }
  | { readonly phase: 'open'; readonly sinceMs: number }
  | { readonly phase: 'testing'; readonly sinceMs: number };

/**
 * The execution policy of one instance as the specification says it. Calls that wait are listed with their deadlines; time
 * moves by hand. Source: spec, Execution policy and Plugin instance circuit; design, section 4 (half-open, cap).
 */
export class NaiveExecution {
  readonly #policy: Required<Omit<ExecutionPolicy, 'failure_mode' | 'hook_timeouts_ms'>>;
  readonly #refusal: CallOutcome;
  readonly outcomes = new Map<number, CallOutcome>();
  #nowMs = 0;
  #circuit: Circuit = { phase: 'closed', inRow: 0 };
  #pending: PendingCall[] = [];

  /** @param closed whether the category or the mode makes an infrastructure failure refuse the request */
  constructor(policy: Required<Omit<ExecutionPolicy, 'failure_mode' | 'hook_timeouts_ms'>>, closed: boolean) {
    this.#policy = policy;
    this.#refusal = closed ? 'failed' : 'skipped';
  }

  get phase(): 'closed' | 'open' | 'half_open' {
    return this.#circuit.phase === 'testing' ? 'half_open' : this.#circuit.phase;
  }

  get waiting(): readonly number[] {
    return this.#pending.map(({ id }) => id);
  }

  /** A call arrives. `late` waits for {@link settle} or its deadline. */
  call(id: number, kind: 'passes' | 'throws' | 'late'): void {
    const admission = this.#admit();
    if (admission === 'refused') {
      this.outcomes.set(id, this.#refusal);
      return;
    }
    const isProbe = admission === 'probe';
    if (kind === 'late') {
      this.#pending.push({ id, deadlineMs: this.#nowMs + this.#policy.timeout_ms, isProbe });
    } else this.#end(id, kind === 'passes', isProbe);
  }

  /** A call that waited comes to its end by itself. */
  settle(id: number, isGood: boolean): void {
    const call = this.#pending.find((one) => one.id === id);
    if (call === undefined) return;
    this.#pending = this.#pending.filter((one) => one !== call);
    this.#end(id, isGood, call.isProbe);
  }

  /** Time goes by; whoever waited for the whole `timeout_ms` has failed. */
  advance(milliseconds: number): void {
    const untilMs = this.#nowMs + milliseconds;
    for (;;) {
      const due = this.#pending.filter(({ deadlineMs }) => deadlineMs <= untilMs);
      const next = due.toSorted((a, b) => a.deadlineMs - b.deadlineMs || a.id - b.id)[0];
      if (next === undefined) break;
      this.#nowMs = next.deadlineMs;
      this.settle(next.id, false);
    }
    this.#nowMs = untilMs;
  }

  #admit(): 'call' | 'probe' | 'refused' {
    const circuit = this.#circuit;
    const isFull = this.#pending.length >= this.#policy.max_concurrency;
    if (circuit.phase === 'testing') return 'refused';
    if (circuit.phase === 'closed') return isFull ? 'refused' : 'call';
    if (this.#nowMs - circuit.sinceMs < this.#policy.recovery_timeout_ms) return 'refused';
    // "Rejected by the cap … is not a failure for the circuit": the probe has not taken place.
    if (isFull) return 'refused';
    this.#circuit = { phase: 'testing', sinceMs: circuit.sinceMs };
    return 'probe';
  }

  #end(id: number, isGood: boolean, isProbe: boolean): void {
    this.outcomes.set(id, isGood ? 'continue' : this.#refusal);
    if (isProbe) {
      // "Success closes, failure opens again with a fresh timer."
      this.#circuit = isGood ? { phase: 'closed', inRow: 0 } : { phase: 'open', sinceMs: this.#nowMs };
      return;
    }
    // What began before the circuit opened says nothing about whether it has recovered.
    if (this.#circuit.phase !== 'closed') return;
    const inRow = isGood ? 0 : this.#circuit.inRow + 1;
    this.#circuit =
      inRow >= this.#policy.failure_threshold ? { phase: 'open', sinceMs: this.#nowMs } : { phase: 'closed', inRow };
  }
}
