import type { ChainEntry, HookEnd } from './chain-entry.ts';
import { CLOSED_CIRCUIT } from './circuit.ts';
import { fail, fault, finish } from './hook-result.ts';
import type { HookSubject } from './hook-subject.ts';
import { waitForHook } from './hook-wait.ts';
import { waitForPlace } from './place-wait.ts';
import type { RunningInstance } from './running-instance.ts';

/**
 * Calls one hook under its instance's execution policy and applies its result. A sync hook is answered at once: no promise,
 * timer or allocation. `failed` means that the request must fail, `skipped` that it goes on without the hook.
 *
 * What is in here is what nearly every call needs, short enough for the compiler to put it into the loop that calls it.
 */
export function callHook<Subject extends HookSubject, Applied>(
  entry: ChainEntry<Subject, Applied>,
  subject: Subject,
  argument: unknown,
): HookEnd<Applied> | Promise<HookEnd<Applied>> {
  const { slot, hook } = entry;
  if (!slot.isClear) return callAdmitted(entry, subject, argument);
  let result: unknown;
  try {
    result = hook(subject, argument);
  } catch (error) {
    return failCall(entry, subject, error, false);
  }
  if (result === undefined && !subject.hasTakenSignal && slot.isClear) return 'continue';
  return takeResult(entry, subject, argument, result, false);
}

/** A call that the circuit may refuse, or for which there may be no place. */
function callAdmitted<Subject extends HookSubject, Applied>(
  entry: ChainEntry<Subject, Applied>,
  subject: Subject,
  argument: unknown,
): HookEnd<Applied> | Promise<HookEnd<Applied>> {
  if (!entry.slot.isTaken) return callNow(entry, subject, argument);
  // What a wait would not change is said at once. Whoever waits becomes the probe, if anybody does, when its turn has come.
  if (!entry.instance.mayCall) return fault(entry, subject, 'circuit_open', undefined);
  return waitForPlace(entry, subject, argument, callNow);
}

/** A call for which there is a place, unless the circuit refuses it. */
function callNow<Subject extends HookSubject, Applied>(
  entry: ChainEntry<Subject, Applied>,
  subject: Subject,
  argument: unknown,
): HookEnd<Applied> | Promise<HookEnd<Applied>> {
  const { instance, hook } = entry;
  const admission = admit(instance);
  if (admission === 'refused') return fault(entry, subject, 'circuit_open', undefined);
  const isProbe = admission === 'probe';
  let result: unknown;
  try {
    result = hook(subject, argument);
  } catch (error) {
    return failCall(entry, subject, error, isProbe);
  }
  return takeResult(entry, subject, argument, result, isProbe);
}

/** What a hook returned: a result, or a promise of one. */
function takeResult<Subject extends HookSubject, Applied>(
  entry: ChainEntry<Subject, Applied>,
  subject: Subject,
  argument: unknown,
  result: unknown,
  isProbe: boolean,
): HookEnd<Applied> | Promise<HookEnd<Applied>> {
  let isLater: boolean;
  try {
    // What `then` is may be code of the plugin: it runs as a part of the hook.
    isLater = result !== undefined && isThenable(result);
  } catch (error) {
    return failCall(entry, subject, error, isProbe);
  }
  const signal = subject.claimSignal();
  if (isLater) return waitForHook(entry, result as PromiseLike<unknown>, subject, argument, isProbe, signal);
  return finish(entry, result, subject, argument, isProbe);
}

function failCall<Subject extends HookSubject>(
  entry: ChainEntry<Subject, unknown>,
  subject: Subject,
  error: unknown,
  isProbe: boolean,
): 'skipped' | 'failed' {
  subject.claimSignal();
  return fail(entry, subject, 'threw', error, isProbe);
}

/** Asks the circuit for a call. */
function admit(instance: RunningInstance): 'call' | 'probe' | 'refused' {
  if (instance.circuit === CLOSED_CIRCUIT) return 'call';
  const before = instance.circuit.phase;
  const after = instance.onCircuitEvent({ type: 'call' });
  if (after === 'closed') return 'call';
  return before === 'open' && after === 'half_open' ? 'probe' : 'refused';
}

function isThenable(value: unknown): boolean {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false;
  return 'then' in value && typeof value.then === 'function';
}
