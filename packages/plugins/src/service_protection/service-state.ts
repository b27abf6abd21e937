import { OutcomeWindow } from './outcome-window.ts';

/** When a circuit opens, for how long, and how many requests may run at once. */
export interface ProtectionRules {
  /** `Infinity`: no bound. */
  readonly concurrencyMax: number;
  /** `Infinity`: failures are not counted alone. */
  readonly failuresMax: number;
  /** Ratio from 0 to 1; `Infinity`: not looked at. */
  readonly failureRate: number;
  readonly requestsMin: number;
  readonly cooldownMs: number;
}

/** Where a circuit stands. */
export type Phase = 'closed' | 'open' | 'half_open';

/** A request that was let through, until it is over. */
export interface Admission {
  /** Where the circuit stands now. */
  readonly phase: Phase;
  /** Says how the service dealt with it. Only the first word counts. */
  settle(isFailure: boolean): void;
  /** The request is over: its place is free. A probe that nobody settled tells nothing, and the next request probes. */
  release(): void;
}

/** Why a request is not let through, and for how long that holds at least, in milliseconds. */
export interface Rejection {
  readonly reason: 'open' | 'full';
  readonly waitMs: number;
}

/** How long who is refused for want of a place should stay away, or while a probe runs, in milliseconds. */
const SHORT_WAIT_MS = 1000;

/**
 * One service as its protection sees it: the requests that it has, and its circuit.
 *
 * ```
 * closed --enough failures within the window--> open --cooldown over, a request comes--> half_open (it is the probe)
 *   ^                                            ^ <---- the probe fails, or is over without a result ----|
 *   '---------------------------- the probe succeeds -----------------------------------------------------'
 * ```
 * A probe that takes longer than the cooldown gives its part to the next request. Results of requests that began before the circuit changed count no more. Source: spec, service_protection.
 */
export class ServiceState {
  readonly #window: OutcomeWindow;
  readonly #nowMs: () => number;
  #running = 0;
  #phase: Phase = 'closed';
  /** When the circuit opened, or its probe began. */
  #sinceMs = 0;
  /** Grows whenever the circuit opens, probes or closes. */
  #epoch = 0;

  /** @param nowMs monotonic */
  constructor(windowMs: number, nowMs: () => number) {
    this.#window = new OutcomeWindow(windowMs);
    this.#nowMs = nowMs;
  }

  get phase(): Phase {
    return this.#phase;
  }

  /** Requests that were let through and are not over. */
  get running(): number {
    return this.#running;
  }

  /** Lets a request through, or says why not. What is not let through is neither success nor failure. */
  enter(rules: ProtectionRules): Admission | Rejection {
    const openMs = this.#openMs(rules);
    if (openMs > 0) return { reason: 'open', waitMs: openMs };
    if (this.#running >= rules.concurrencyMax) return { reason: 'full', waitMs: SHORT_WAIT_MS };
    const isProbe = this.#phase !== 'closed';
    if (isProbe) this.#change('half_open');
    this.#running += 1;
    return new RunningRequest(this, rules, isProbe, this.#epoch);
  }

  /** For {@link RunningRequest}. */
  settle(rules: ProtectionRules, isProbe: boolean, epoch: number, isFailure: boolean): void {
    if (epoch !== this.#epoch) return;
    if (isProbe) {
      this.#change(isFailure ? 'open' : 'closed');
      return;
    }
    const nowMs = this.#nowMs();
    this.#window.add(isFailure, nowMs);
    const { total, failures } = this.#window.sums(nowMs);
    const isRateHigh = total >= rules.requestsMin && failures / total >= rules.failureRate;
    if (failures > 0 && (failures >= rules.failuresMax || isRateHigh)) this.#change('open');
  }

  /** For {@link RunningRequest}. */
  leave(isProbe: boolean, epoch: number): void {
    this.#running -= 1;
    if (!isProbe || epoch !== this.#epoch) return;
    this.#phase = 'open';
    this.#epoch += 1;
    this.#sinceMs = -Infinity;
  }

  /** How long the circuit refuses yet; 0 when a request may pass. */
  #openMs({ cooldownMs }: ProtectionRules): number {
    if (this.#phase === 'closed') return 0;
    const leftMs = Math.max(0, this.#sinceMs + cooldownMs - this.#nowMs());
    // A client that sends its probe byte by byte must not keep the circuit open for everybody.
    return this.#phase === 'half_open' ? Math.min(leftMs, SHORT_WAIT_MS) : leftMs;
  }

  #change(phase: Phase): void {
    this.#phase = phase;
    this.#epoch += 1;
    this.#sinceMs = this.#nowMs();
    this.#window.clear();
  }
}

class RunningRequest implements Admission {
  readonly #state: ServiceState;
  readonly #rules: ProtectionRules;
  readonly #isProbe: boolean;
  readonly #epoch: number;
  #isSettled = false;
  #isOver = false;

  constructor(state: ServiceState, rules: ProtectionRules, isProbe: boolean, epoch: number) {
    this.#state = state;
    this.#rules = rules;
    this.#isProbe = isProbe;
    this.#epoch = epoch;
  }

  get phase(): Phase {
    return this.#state.phase;
  }

  settle(isFailure: boolean): void {
    if (this.#isSettled || this.#isOver) return;
    this.#isSettled = true;
    this.#state.settle(this.#rules, this.#isProbe, this.#epoch, isFailure);
  }

  release(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#state.leave(this.#isProbe, this.#epoch);
  }
}
