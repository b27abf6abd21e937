import { CLOSED_CIRCUIT } from './circuit.ts';
import type { ExchangeState, HookOutcome } from './exchange-state.ts';
import type { Stage } from './plugin.ts';
import { describeError, type RunningInstance } from './running-instance.ts';
import type { HookFault } from './runtime-events.ts';

/** A hook with its arguments erased: the chain knows which stage it is in. */
export type AnyHook = (exchange: ExchangeState) => unknown;

/** Applies what a hook returned. Throws when it is no result a hook may have. */
export type ApplyResult = (exchange: ExchangeState, result: unknown) => 'continue' | 'respond';

/**
 * Calls one hook under its instance's execution policy and applies its result. A sync hook is answered at once: no promise,
 * timer or allocation. `failed` means that the request must fail, `skipped` that it goes on without the hook.
 */
export function callHook(
  instance: RunningInstance,
  stage: Stage,
  hook: AnyHook,
  exchange: ExchangeState,
  apply: ApplyResult,
): HookOutcome | Promise<HookOutcome> {
  const admission = instance.circuit === CLOSED_CIRCUIT ? 'call' : admit(instance);
  if (admission === 'refused') return fault(instance, stage, exchange, 'circuit_open', undefined);
  const isProbe = admission === 'probe';
  if (instance.waiting[stage] >= instance.policy.concurrencyMax) {
    if (isProbe) instance.onCircuitEvent(GIVEN_UP_PROBE);
    return fault(instance, stage, exchange, 'at_capacity', undefined);
  }
  let result: unknown;
  let isLater: boolean;
  try {
    exchange.enterHook();
    result = hook(exchange);
    // What `then` is may be code of the plugin: it runs as a part of the hook.
    isLater = isThenable(result);
    exchange.leaveHook();
  } catch (error) {
    exchange.leaveHook();
    exchange.endHook(false);
    return fail(instance, stage, exchange, 'threw', error, isProbe);
  }
  if (isLater) return waitForHook(instance, stage, result as PromiseLike<unknown>, exchange, apply, isProbe);
  exchange.endHook(false);
  return finish(instance, stage, result, exchange, apply, isProbe);
}

/** Asks the circuit for a call. */
function admit(instance: RunningInstance): 'call' | 'probe' | 'refused' {
  const before = instance.circuit.phase;
  const after = instance.onCircuitEvent({ type: 'call' });
  if (after === 'closed') return 'call';
  return before === 'open' && after === 'half_open' ? 'probe' : 'refused';
}

/** Waits for a hook until its time-out. Whatever it does afterwards has no effect. */
function waitForHook(
  instance: RunningInstance,
  stage: Stage,
  result: PromiseLike<unknown>,
  exchange: ExchangeState,
  apply: ApplyResult,
  isProbe: boolean,
): Promise<HookOutcome> {
  const { timers } = instance.host;
  instance.waiting[stage] += 1;
  return new Promise((resolve) => {
    let isOver = false;
    const end = (givenUp: boolean): boolean => {
      if (isOver) return false;
      isOver = true;
      instance.waiting[stage] -= 1;
      timers.clear(timer);
      exchange.endHook(givenUp);
      return true;
    };
    const timer = timers.set(() => {
      if (end(true)) resolve(fail(instance, stage, exchange, 'timed_out', undefined, isProbe));
    }, instance.policy.timeoutMs[stage]);
    const onError = (error: unknown): void => {
      if (end(false)) resolve(rejected(instance, stage, exchange, error, isProbe));
    };
    try {
      result.then((value) => {
        if (end(false)) resolve(finish(instance, stage, value, exchange, apply, isProbe));
      }, onError);
    } catch (error) {
      onError(error);
    }
  });
}

function finish(
  instance: RunningInstance,
  stage: Stage,
  result: unknown,
  exchange: ExchangeState,
  apply: ApplyResult,
  isProbe: boolean,
): HookOutcome {
  let outcome: HookOutcome = 'continue';
  if (result !== undefined) {
    try {
      outcome = apply(exchange, result);
    } catch (error) {
      return fail(instance, stage, exchange, 'bad_result', error, isProbe);
    }
  }
  if (instance.circuit !== CLOSED_CIRCUIT) instance.onCircuitEvent(isProbe ? SUCCESSFUL_PROBE : SUCCESS);
  return outcome;
}

/** A hook that gives up because the client left did not fail. */
function rejected(
  instance: RunningInstance,
  stage: Stage,
  exchange: ExchangeState,
  error: unknown,
  isProbe: boolean,
): HookOutcome {
  if (!exchange.aborted) return fail(instance, stage, exchange, 'threw', error, isProbe);
  instance.onCircuitEvent(isProbe ? GIVEN_UP_PROBE : GIVEN_UP);
  return fault(instance, stage, exchange, 'given_up', error);
}

function fail(
  instance: RunningInstance,
  stage: Stage,
  exchange: ExchangeState,
  reason: HookFault,
  error: unknown,
  isProbe: boolean,
): HookOutcome {
  instance.onCircuitEvent(isProbe ? FAILED_PROBE : FAILURE);
  const { name, id } = instance.identity;
  instance.host.log.error('a plugin failed', {
    plugin: name,
    instance: id,
    stage,
    reason,
    request_id: exchange.facts.requestId,
    ...(error === undefined ? {} : { error: describeError(error) }),
  });
  return fault(instance, stage, exchange, reason, error);
}

/** Decides by the policy what the fault means for the request. Errors are told already: nothing is refused there. */
function fault(
  instance: RunningInstance,
  stage: Stage,
  exchange: ExchangeState,
  reason: HookFault,
  error: unknown,
): HookOutcome {
  instance.host.events.onHookFault?.(instance.identity, stage, reason, error);
  if (!instance.policy.failClosed || stage === 'error') return 'skipped';
  const { name } = instance.identity;
  exchange.noteFailure({ code: 'plugin_failed', message: `plugin ${name} did not do its work`, plugin: name });
  return 'failed';
}

function isThenable(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

const SUCCESS = { type: 'success', isProbe: false } as const;
const FAILURE = { type: 'failure', isProbe: false } as const;
const GIVEN_UP = { type: 'given_up', isProbe: false } as const;
const SUCCESSFUL_PROBE = { type: 'success', isProbe: true } as const;
const FAILED_PROBE = { type: 'failure', isProbe: true } as const;
const GIVEN_UP_PROBE = { type: 'given_up', isProbe: true } as const;
