import { isOff, type CheckResult, type HealthSettings, type Thresholds } from './health-settings.ts';

/** Failures in a row, by kind. */
export interface Failures {
  readonly http_failure: number;
  readonly tcp_failure: number;
  readonly timeout: number;
}

/**
 * The health of one endpoint as a pure reducer. Probes and traffic count apart: a probe that succeeds does not make up for
 * requests that fail.
 *
 * ```
 * healthy --failures of one kind reach their threshold--> unhealthy --successes reach theirs--> healthy
 *
 * within unhealthy, where probes cannot bring the endpoint back:
 * waiting --recoveryMs--> offered --a request is sent--> taken --it fails--> waiting
 *                            ^---- it told nothing -------'  '--it succeeds--> offered again, or healthy
 * ```
 * Source: wire contract, Upstreams, targets, health.
 */
export type HealthState =
  | { readonly phase: 'healthy'; readonly active: Failures; readonly passive: Failures }
  | {
      readonly phase: 'unhealthy';
      /** Successes in a row. */
      readonly active: number;
      readonly passive: number;
      /** `none` where probes bring it back. */
      readonly trial: 'none' | 'waiting' | 'offered' | 'taken';
      /** When something is due by itself, in monotonic milliseconds: the next trial, or the end of one that never ended. */
      readonly dueMs: number;
    };

/** What happens to an endpoint. */
export type HealthEvent =
  /** A probe or an attempt ended. */
  | { readonly type: 'active' | 'passive'; readonly result: CheckResult }
  /** A request is about to be sent. */
  | { readonly type: 'begin' }
  /** An attempt ended in a way that says nothing of the endpoint: the client left, for instance. */
  | { readonly type: 'given_up' }
  /** The time {@link HealthState} names as `dueMs` has come. */
  | { readonly type: 'due' };

type Unhealthy = Extract<HealthState, { phase: 'unhealthy' }>;
type Healthy = Extract<HealthState, { phase: 'healthy' }>;

const noFailures: Failures = Object.freeze({ http_failure: 0, tcp_failure: 0, timeout: 0 });

/** Without a failure. Always this one object, so that the hot path compares identities. */
export const healthyState: HealthState = Object.freeze({ phase: 'healthy', active: noFailures, passive: noFailures });

/** Whether requests may go to an endpoint in this state. */
export function isUsable(state: HealthState): boolean {
  return state.phase === 'healthy' || state.trial === 'offered';
}

/**
 * The state after an event; the same object where nothing changed.
 * @param nowMs monotonic milliseconds
 */
export function nextHealth(
  state: HealthState,
  event: HealthEvent,
  settings: HealthSettings,
  nowMs: number,
): HealthState {
  if (event.type === 'active' || event.type === 'passive') {
    const thresholds = settings[event.type];
    if (thresholds === undefined) return state;
    if (state.phase === 'healthy') return whileHealthy(state, event.type, event.result, thresholds, settings, nowMs);
    return event.type === 'active'
      ? afterProbe(state, event.result, thresholds)
      : afterRequest(state, event.result, thresholds, settings, nowMs);
  }
  return state.phase === 'healthy' ? state : nextTrial(state, event.type, settings, nowMs);
}

/** The state under other settings: what is known stays. */
export function underSettings(state: HealthState, settings: HealthSettings, nowMs: number): HealthState {
  if (isOff(settings)) return healthyState;
  if (state.phase === 'healthy') return state;
  if (settings.recovery === 'probes') {
    return state.trial === 'none' ? state : { ...state, trial: 'none', dueMs: Infinity };
  }
  return state.trial === 'none' ? { ...state, ...waiting(settings, nowMs) } : state;
}

function whileHealthy(
  state: Healthy,
  source: 'active' | 'passive',
  result: CheckResult,
  thresholds: Thresholds,
  settings: HealthSettings,
  nowMs: number,
): HealthState {
  if (result === 'neutral') return state;
  if (result === 'success') {
    if (state[source] === noFailures) return state;
    const other = source === 'active' ? state.passive : state.active;
    return other === noFailures ? healthyState : { ...state, [source]: noFailures };
  }
  const threshold = thresholds[result];
  if (threshold === 0) return state;
  const failures = state[source][result] + 1;
  if (failures < threshold) return { ...state, [source]: { ...state[source], [result]: failures } };
  const trial = settings.recovery === 'probes' ? { trial: 'none' as const, dueMs: Infinity } : waiting(settings, nowMs);
  return { phase: 'unhealthy', active: 0, passive: 0, ...trial };
}

function afterProbe(state: Unhealthy, result: CheckResult, thresholds: Thresholds): HealthState {
  if (result === 'success') {
    const successes = state.active + 1;
    if (thresholds.successes === 0) return state;
    return successes >= thresholds.successes ? healthyState : { ...state, active: successes };
  }
  return result === 'neutral' || thresholds[result] === 0 || state.active === 0 ? state : { ...state, active: 0 };
}

/** A trial that was answered at all has succeeded, unless the answer is a failure: neutral statuses hold up no recovery. */
function afterRequest(
  state: Unhealthy,
  result: CheckResult,
  thresholds: Thresholds,
  settings: HealthSettings,
  nowMs: number,
): HealthState {
  const isTrial = state.trial === 'offered' || state.trial === 'taken';
  if (result === 'success' || (isTrial && result === 'neutral')) {
    const needed = isTrial ? Math.max(1, thresholds.successes) : thresholds.successes;
    if (needed === 0) return state;
    const successes = state.passive + 1;
    if (successes >= needed) return healthyState;
    return { ...state, passive: successes, ...(isTrial && offered) };
  }
  if (result === 'neutral') return state;
  if (thresholds[result] === 0) return isTrial ? { ...state, ...offered } : state;
  if (isTrial) return { ...state, passive: 0, ...waiting(settings, nowMs) };
  return state.passive === 0 ? state : { ...state, passive: 0 };
}

function nextTrial(
  state: Unhealthy,
  event: 'begin' | 'given_up' | 'due',
  settings: HealthSettings,
  nowMs: number,
): HealthState {
  switch (event) {
    case 'begin':
      return state.trial === 'offered' ? { ...state, trial: 'taken', dueMs: nowMs + settings.recoveryMs } : state;
    case 'given_up':
      return state.trial === 'taken' ? { ...state, ...offered } : state;
    case 'due': {
      if ((state.trial !== 'waiting' && state.trial !== 'taken') || nowMs < state.dueMs) return state;
      // Without passive checks nothing would judge a trial: the endpoint gets a new chance until probes fail again.
      return settings.passive === undefined ? healthyState : { ...state, ...offered };
    }
  }
}

const offered = { trial: 'offered', dueMs: Infinity } as const;

function waiting({ recoveryMs }: HealthSettings, nowMs: number): { readonly trial: 'waiting'; readonly dueMs: number } {
  return { trial: 'waiting', dueMs: nowMs + recoveryMs };
}
