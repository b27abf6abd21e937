import type { Config } from './config.ts';
import type { ProtectionRules } from './service-state.ts';

/** What applies where a config names neither threshold: half of the requests. */
const DEFAULT_FAILURE_RATE = 0.5;

/** A config as rules. */
export function protectionRules(settings: Config): ProtectionRules {
  const { failure_threshold: failures, failure_rate_threshold: rate } = settings;
  return {
    concurrencyMax: settings.max_concurrent_requests ?? Infinity,
    failuresMax: failures ?? Infinity,
    failureRate: rate === undefined ? (failures === undefined ? DEFAULT_FAILURE_RATE : Infinity) : ratioOf(rate),
    requestsMin: settings.minimum_requests,
    cooldownMs: settings.cooldown_seconds * 1000,
  };
}

function ratioOf(rate: number): number {
  return rate <= 1 ? rate : rate / 100;
}

/**
 * Whether a request that failed says something about its service. What the client, a plugin or the gateway itself did wrong does not:
 * a client that breaks off its bodies must not open the circuit for everybody. Nor does a connection that the service closes on a request with
 * a body: that is how many refuse one that is too long, and from outside it looks like a crash.
 * @param hasBody whether the request had a body
 */
export function isServiceFailure(code: string, hasBody: boolean): boolean {
  if (code === 'upstream_reset') return !hasBody;
  return code.startsWith('upstream_') || code === 'no_target' || code === 'name_unresolved';
}
