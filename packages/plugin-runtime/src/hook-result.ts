import type { ChainEntry, HookEnd } from './chain-entry.ts';
import { CLOSED_CIRCUIT } from './circuit.ts';
import type { ExchangeFailure } from './exchange.ts';
import type { HookSubject } from './hook-subject.ts';
import { describeError } from './running-instance.ts';
import type { HookFault } from './runtime-events.ts';

/** Applies what a hook returned or resolved to, and tells the circuit. @param isProbe whether the call tests a half-open circuit */
export function finish<Subject extends HookSubject, Applied>(
  entry: ChainEntry<Subject, Applied>,
  result: unknown,
  subject: Subject,
  argument: unknown,
  isProbe: boolean,
): HookEnd<Applied> {
  const { instance } = entry;
  let outcome: HookEnd<Applied> = 'continue';
  if (result !== undefined) {
    try {
      outcome = entry.apply(subject, result, argument);
    } catch (error) {
      return fail(entry, subject, 'bad_result', error, isProbe);
    }
  }
  if (instance.circuit !== CLOSED_CIRCUIT) instance.onCircuitEvent(isProbe ? SUCCESSFUL_PROBE : SUCCESS);
  return outcome;
}

/** What a hook's rejection means. One that gives up because the client left, or whose body broke off, did not fail. */
export function rejected<Subject extends HookSubject>(
  entry: ChainEntry<Subject, unknown>,
  subject: Subject,
  error: unknown,
  isProbe: boolean,
): 'skipped' | 'failed' {
  if (subject.peerFailure !== undefined) return endForPeer(entry, subject, subject.peerFailure, error, isProbe);
  if (!subject.aborted) return fail(entry, subject, 'threw', error, isProbe);
  entry.instance.onCircuitEvent(isProbe ? GIVEN_UP_PROBE : GIVEN_UP);
  return fault(entry, subject, 'given_up', error);
}

/**
 * A body that a hook read broke off or did not come in time: whatever the hook makes of that, the request ends as its peer's
 * failure, and the plugin's circuit counts nothing. In the error stage all is lost already.
 */
export function endForPeer<Subject extends HookSubject>(
  { instance, stage }: ChainEntry<Subject, unknown>,
  subject: Subject,
  failure: ExchangeFailure,
  error: unknown,
  isProbe: boolean,
): 'skipped' | 'failed' {
  instance.onCircuitEvent(isProbe ? GIVEN_UP_PROBE : GIVEN_UP);
  instance.host.events.onHookFault?.(instance.identity, stage, 'given_up', error, subject);
  if (stage === 'error') return 'skipped';
  subject.noteFailure(failure);
  return 'failed';
}

/** A hook failed: it is logged, and counts for its circuit. */
export function fail<Subject extends HookSubject>(
  entry: ChainEntry<Subject, unknown>,
  subject: Subject,
  reason: HookFault,
  error: unknown,
  isProbe: boolean,
): 'skipped' | 'failed' {
  const { instance, stage } = entry;
  instance.onCircuitEvent(isProbe ? FAILED_PROBE : FAILURE);
  instance.host.log.error('a plugin failed', {
    plugin: instance.identity.name,
    instance: instance.identity.id,
    stage,
    reason,
    ...subject.logFields,
    ...(error === undefined ? {} : { error: describeError(error) }),
  });
  return fault(entry, subject, reason, error);
}

/** Decides by the policy what the fault means for the request. */
export function fault<Subject extends HookSubject>(
  { instance, stage, failClosed }: ChainEntry<Subject, unknown>,
  subject: Subject,
  reason: HookFault,
  error: unknown,
): 'skipped' | 'failed' {
  instance.host.events.onHookFault?.(instance.identity, stage, reason, error, subject);
  if (!failClosed) return 'skipped';
  const { name } = instance.identity;
  subject.noteFailure({ code: 'plugin_failed', message: `plugin ${name} did not do its work`, plugin: name });
  return 'failed';
}

/** A call was taken for a probe and then could not be made: the next one may probe. */
export function giveUpProbe({ instance }: ChainEntry<never, unknown>): void {
  instance.onCircuitEvent(GIVEN_UP_PROBE);
}

const SUCCESS = { type: 'success', isProbe: false } as const;
const FAILURE = { type: 'failure', isProbe: false } as const;
const GIVEN_UP = { type: 'given_up', isProbe: false } as const;
const SUCCESSFUL_PROBE = { type: 'success', isProbe: true } as const;
const FAILED_PROBE = { type: 'failure', isProbe: true } as const;
const GIVEN_UP_PROBE = { type: 'given_up', isProbe: true } as const;
