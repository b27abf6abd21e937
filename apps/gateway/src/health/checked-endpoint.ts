import type { AttemptOutcome, CheckedAddress, EndpointHealth } from './endpoint-health.ts';
import {
  healthyState,
  isUsable,
  nextHealth,
  underSettings,
  type HealthEvent,
  type HealthState,
} from './health-state.ts';
import { passiveEvent } from './passive-events.ts';
import type { ProbedItem } from './probe-scheduler.ts';
import type { ProbeOutcome, RunningProbe } from './probes/probe.ts';
import type { UpstreamChecks } from './upstream-checks.ts';

/** What an endpoint needs of the process. */
export interface EndpointHost {
  /** Milliseconds since 1970. */
  readonly nowMs: () => number;
  readonly monotonicMs: () => number;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  schedule(item: ProbedItem, dueMs: number): void;
  remove(item: ProbedItem): void;
  /** The phase has changed. @param reason what changed it */
  onChange(endpoint: CheckedEndpoint, reason: string): void;
  /** Endpoints have come or gone, or are checked otherwise. */
  onMembers(): void;
}

const begin: HealthEvent = { type: 'begin' };
const due: HealthEvent = { type: 'due' };

/** One endpoint under checks: its state, what it is due for next, and the probe that runs. */
export class CheckedEndpoint implements EndpointHealth, ProbedItem {
  readonly address: CheckedAddress;
  readonly lane: UpstreamChecks;
  /** See {@link EndpointHealth.usable}. Written by this class only. */
  usable = true;
  /** Milliseconds since 1970. */
  sinceMs: number;
  /** What made it unhealthy. Written by this class only. */
  reason: string | undefined;
  dueMs = Infinity;
  place = -1;
  readonly #host: EndpointHost;
  #state: HealthState = healthyState;
  #probe: RunningProbe | undefined;
  #isGone = false;

  constructor(address: CheckedAddress, upstream: UpstreamChecks, host: EndpointHost) {
    this.address = address;
    this.lane = upstream;
    this.#host = host;
    this.sinceMs = host.nowMs();
    this.#scheduleFirst();
  }

  get isHealthy(): boolean {
    return this.#state.phase === 'healthy';
  }

  begin(): void {
    if (this.#state !== healthyState) this.#apply(begin, 'a trial request');
  }

  observe(outcome: AttemptOutcome): void {
    const { passive } = this.lane.settings;
    if (passive === undefined) return;
    const event = passiveEvent(outcome, passive);
    // Nothing to count or to end: what most requests of a healthy endpoint come to.
    if (this.#state === healthyState && !isFailure(event)) return;
    this.#apply(
      event,
      outcome.kind === 'answered' ? `requests: status ${outcome.status}` : `requests: ${outcome.code}`,
    );
  }

  /** The upstream's settings are others now. */
  onSettings(): void {
    const next = underSettings(this.#state, this.lane.settings, this.#host.monotonicMs());
    this.#enter(next, 'the health checks were changed');
    this.#scheduleFirst();
  }

  onDue(): boolean {
    if (this.#intervalMs() > 0) return true;
    this.#apply(due, 'time for another trial');
    return false;
  }

  async probe(): Promise<void> {
    const { plan } = this.lane;
    const startedMs = this.#host.monotonicMs();
    // It had to wait, and is to be probed no more.
    if (plan === undefined || this.#intervalMs() === 0) {
      this.#scheduleNext(startedMs);
      return;
    }
    this.#probe = this.lane.prober(plan, this.address);
    const { result, reason } = await this.#probe.done;
    this.#probe = undefined;
    if (this.#isGone) return;
    this.#apply(probeEvents[result], `probes: ${reason}`);
    this.#scheduleNext(startedMs);
  }

  /** Nobody has it any more: its checks end. */
  close(): void {
    this.#isGone = true;
    this.#host.remove(this);
    this.#probe?.abort();
  }

  #apply(event: HealthEvent, reason: string): void {
    if (this.#isGone) return;
    this.#enter(nextHealth(this.#state, event, this.lane.settings, this.#host.monotonicMs()), reason);
  }

  #enter(next: HealthState, reason: string): void {
    const before = this.#state;
    if (next === before) return;
    this.#state = next;
    this.usable = isUsable(next);
    if (next.phase !== before.phase) {
      this.sinceMs = this.#host.nowMs();
      this.reason = next.phase === 'healthy' ? undefined : reason;
      this.#host.onChange(this, reason);
    }
    // What is only counted puts no probe off.
    if (trialDueMs(next) !== trialDueMs(before) || next.phase !== before.phase) {
      this.#scheduleNext(this.#host.monotonicMs());
    }
  }

  /** Somewhere within the interval, so that many endpoints are not probed at once; never later than it was due before. */
  #scheduleFirst(): void {
    const intervalMs = this.#intervalMs();
    if (intervalMs === 0) this.#scheduleNext(0);
    if (intervalMs === 0 || !this.#isIdle) return;
    const withinMs = this.#host.monotonicMs() + this.#host.random() * intervalMs;
    this.#host.schedule(this, this.place < 0 ? withinMs : Math.min(withinMs, this.dueMs));
  }

  /** @param fromMs when the interval began, in monotonic milliseconds */
  #scheduleNext(fromMs: number): void {
    if (this.#isGone || !this.#isIdle) return;
    const intervalMs = this.#intervalMs();
    if (intervalMs > 0) this.#host.schedule(this, Math.max(fromMs + intervalMs, this.#host.monotonicMs()));
    else this.#host.schedule(this, trialDueMs(this.#state));
  }

  /** Whether no probe runs or waits for its turn: that one schedules the next. */
  get #isIdle(): boolean {
    return this.#probe === undefined && !this.lane.waiting.has(this);
  }

  /** Milliseconds between probes in this state; 0: none. Where trials bring an endpoint back, probes could tell nothing. */
  #intervalMs(): number {
    const { active, recovery } = this.lane.settings;
    if (active === undefined) return 0;
    if (this.#state.phase === 'healthy') return active.healthyIntervalMs;
    return recovery === 'probes' ? active.unhealthyIntervalMs : 0;
  }
}

function trialDueMs(state: HealthState): number {
  return state.phase === 'unhealthy' ? state.dueMs : Infinity;
}

function isFailure(event: HealthEvent): boolean {
  return event.type === 'passive' && event.result !== 'success' && event.result !== 'neutral';
}

const probeEvents: Readonly<Record<ProbeOutcome['result'], HealthEvent>> = {
  success: { type: 'active', result: 'success' },
  neutral: { type: 'active', result: 'neutral' },
  http_failure: { type: 'active', result: 'http_failure' },
  tcp_failure: { type: 'active', result: 'tcp_failure' },
  timeout: { type: 'active', result: 'timeout' },
};
