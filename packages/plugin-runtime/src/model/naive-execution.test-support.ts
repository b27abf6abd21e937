import type { ExecutionPolicy } from '../index.ts';

/** How long a call waits for a place. Source: ADR 0044. */
const placeWaitMs = 25;

/** What became of a call, as the host learns it. */
export type CallOutcome = 'continue' | 'skipped' | 'failed';

type Kind = 'passes' | 'throws' | 'late';

interface QueuedCall {
  readonly id: number;
  readonly kind: Kind;
  readonly deadlineMs: number;
}

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
 * moves by hand. Source: spec, Execution policy and Plugin instance circuit; design, section 4 (half-open, cap); ADR 0044.
 */
export class NaiveExecution {
  readonly #policy: Required<Omit<ExecutionPolicy, 'failure_mode' | 'hook_timeouts_ms'>>;
  readonly #refusal: CallOutcome;
  readonly outcomes = new Map<number, CallOutcome>();
  #nowMs = 0;
  #circuit: Circuit = { phase: 'closed', inRow: 0 };
  #pending: PendingCall[] = [];
  #queue: QueuedCall[] = [];

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

  /** Calls that have not come to their hook yet. */
  get queued(): number {
    return this.#queue.length;
  }

  /** A call arrives. `late` waits for {@link settle} or its deadline. */
  call(id: number, kind: Kind): void {
    if (this.#isFull && this.#mayCall) this.#queue.push({ id, kind, deadlineMs: this.#nowMs + placeWaitMs });
    else this.#enter(id, kind);
  }

  #enter(id: number, kind: Kind): void {
    if (!this.#mayCall) {
      this.outcomes.set(id, this.#refusal);
      return;
    }
    const admission = this.#admit();
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
    this.#giveTurns();
  }

  /** A millisecond goes by; whoever waited for the whole `timeout_ms` has failed, and whoever waited too long for a place is refused. */
  tick(): void {
    this.#nowMs += 1;
    const isOver = ({ deadlineMs }: { readonly deadlineMs: number }): boolean => deadlineMs <= this.#nowMs;
    for (const { id } of this.#queue.filter(isOver)) this.outcomes.set(id, this.#refusal);
    this.#queue = this.#queue.filter((call) => !isOver(call));
    const ended = this.#pending.filter(isOver);
    this.#pending = this.#pending.filter((call) => !isOver(call));
    for (const { id, isProbe } of ended) this.#end(id, false, isProbe);
    this.#giveTurns();
  }

  #giveTurns(): void {
    while (!this.#isFull) {
      const next = this.#queue.shift();
      if (next === undefined) return;
      this.#enter(next.id, next.kind);
    }
  }

  get #isFull(): boolean {
    return this.#pending.length >= this.#policy.max_concurrency;
  }

  /** What the circuit says, whatever the cap does. */
  get #mayCall(): boolean {
    const circuit = this.#circuit;
    if (circuit.phase === 'open') return this.#nowMs - circuit.sinceMs >= this.#policy.recovery_timeout_ms;
    return circuit.phase === 'closed';
  }

  #admit(): 'call' | 'probe' {
    if (this.#circuit.phase !== 'open') return 'call';
    this.#circuit = { phase: 'testing', sinceMs: this.#circuit.sinceMs };
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
