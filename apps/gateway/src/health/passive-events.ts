import type { AttemptOutcome } from './endpoint-health.ts';
import { judgeStatus, type CheckResult, type PassiveSettings } from './health-settings.ts';
import type { HealthEvent } from './health-state.ts';

/** One object per result: an attempt costs no allocation. */
const events: Readonly<Record<CheckResult, HealthEvent>> = {
  success: { type: 'passive', result: 'success' },
  neutral: { type: 'passive', result: 'neutral' },
  http_failure: { type: 'passive', result: 'http_failure' },
  tcp_failure: { type: 'passive', result: 'tcp_failure' },
  timeout: { type: 'passive', result: 'timeout' },
};

const givenUp: HealthEvent = { type: 'given_up' };

type FailureCode = Extract<AttemptOutcome, { kind: 'failed' }>['code'];

/** What a failed attempt says of the endpoint. The gateway's own refusals and the client's doing say nothing. */
const ofFailures: Readonly<Record<FailureCode, HealthEvent>> = {
  upstream_connect_failed: events.tcp_failure,
  upstream_tls_failed: events.tcp_failure,
  upstream_reset: events.tcp_failure,
  upstream_malformed: events.tcp_failure,
  upstream_connect_timeout: events.timeout,
  upstream_timeout: events.timeout,
  upstream_busy: givenUp,
  // A server that ends in good order says so.
  upstream_unprocessed: givenUp,
  upstream_refused: givenUp,
  request_body_failed: givenUp,
  request_not_sendable: givenUp,
  aborted: givenUp,
};

/** What the end of an attempt is to passive checks. */
export function passiveEvent(outcome: AttemptOutcome, settings: PassiveSettings): HealthEvent {
  if (outcome.kind === 'failed') return ofFailures[outcome.code];
  return settings.countsConnectionsOnly ? events.success : events[judgeStatus(outcome.status, settings)];
}
