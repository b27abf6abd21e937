/**
 * The failure circuit of one plugin instance as a pure reducer.
 *
 * ```
 * closed --failures reach the threshold--> open --recovery time over, a call comes--> half_open
 *   ^                                       ^  <------------- probe fails or gives up -----|
 *   '------------------------------- probe succeeds ---------------------------------------'
 * ```
 * Source: spec, Plugin instance circuit; design, section 4 (half-open, one probe at a time).
 */
export type CircuitState =
  | { readonly phase: 'closed'; readonly failures: number }
  | { readonly phase: 'open'; readonly openedAtMs: number }
  | { readonly phase: 'half_open'; readonly openedAtMs: number };

/**
 * What happens to a circuit. `call` asks for a call to be let through. The others say how one ended; `isProbe` tells the call
 * that tests a half-open circuit from those that began before it opened, whose results no longer count.
 */
export type CircuitEvent =
  | { readonly type: 'call' }
  | { readonly type: 'success' | 'failure' | 'given_up'; readonly isProbe: boolean };

/** When a circuit opens and for how long. */
export interface CircuitPolicy {
  readonly failureThreshold: number;
  readonly recoveryTimeoutMs: number;
}

/** A circuit without a failure. Always this one object, so that the hot path compares identities. */
export const CLOSED_CIRCUIT: CircuitState = Object.freeze({ phase: 'closed', failures: 0 });

/**
 * The circuit after an event. A `call` turns an open circuit whose time is over to half-open: that call is the probe.
 * @param nowMs monotonic milliseconds
 */
export function nextCircuit(
  state: CircuitState,
  event: CircuitEvent,
  policy: CircuitPolicy,
  nowMs: number,
): CircuitState {
  if (event.type === 'call') {
    const isOver = state.phase === 'open' && nowMs - state.openedAtMs >= policy.recoveryTimeoutMs;
    return isOver ? { phase: 'half_open', openedAtMs: state.openedAtMs } : state;
  }
  if (state.phase === 'half_open') return event.isProbe ? afterProbe(state, event.type, nowMs) : state;
  if (state.phase === 'open' || event.type === 'given_up' || event.isProbe) return state;
  if (event.type === 'success') return CLOSED_CIRCUIT;
  const failures = state.failures + 1;
  return failures >= policy.failureThreshold ? { phase: 'open', openedAtMs: nowMs } : { phase: 'closed', failures };
}

/** A probe that was given up (the client left) told nothing: the next call may probe at once. */
function afterProbe(
  state: Extract<CircuitState, { phase: 'half_open' }>,
  outcome: 'success' | 'failure' | 'given_up',
  nowMs: number,
): CircuitState {
  if (outcome === 'success') return CLOSED_CIRCUIT;
  return { phase: 'open', openedAtMs: outcome === 'failure' ? nowMs : state.openedAtMs };
}
