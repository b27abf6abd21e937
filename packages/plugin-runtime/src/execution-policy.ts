import type { ExecutionPolicy } from './instance.ts';
import type { PluginCategory, Stage } from './plugin.ts';

/** Every policy field with its range and default, in the order of the specification. Source: spec, Execution policy. */
export const EXECUTION_RANGES = {
  timeout_ms: { min: 10, max: 30_000, default: 5000 },
  failure_threshold: { min: 1, max: 100, default: 3 },
  recovery_timeout_ms: { min: 100, max: 3_600_000, default: 30_000 },
  max_concurrency: { min: 1, max: 256, default: 32 },
} as const;

/** Lowest and highest priority. Source: spec, Limits. */
export const PRIORITY_RANGE = { min: -100_000, max: 100_000, default: 0 } as const;

/** The stages in which a hook may have a time-out of its own. */
export const STAGES: readonly Stage[] = ['request', 'response', 'error', 'stream', 'tcp'];

/** Values of `failure_mode`. */
export const FAILURE_MODES: readonly string[] = ['inherit', 'fail_open', 'strict'];

/** Categories that refuse the request when the plugin itself fails, whatever `failure_mode` says. Source: spec, Execution policy. */
export const FAIL_CLOSED_CATEGORIES: ReadonlySet<PluginCategory> = new Set([
  'authentication',
  'access_control',
  'rate_limit',
  'request_protection',
  'contract',
  'enforcement',
]);

/** A policy with its defaults filled in. */
export interface ResolvedPolicy {
  readonly timeoutMs: Readonly<Record<Stage, number>>;
  readonly failureThreshold: number;
  readonly recoveryTimeoutMs: number;
  readonly concurrencyMax: number;
  /** Whether a failure of the plugin fails the request. Otherwise the hook is skipped. */
  readonly failClosed: boolean;
}

/**
 * Fills in a policy's defaults. The policy must have passed {@link checkInstance}.
 * @param failsClosed what the instance's hooks say for themselves
 */
export function resolvePolicy(policy: ExecutionPolicy, category: PluginCategory, failsClosed = false): ResolvedPolicy {
  const base = policy.timeout_ms ?? EXECUTION_RANGES.timeout_ms.default;
  const own = policy.hook_timeouts_ms ?? {};
  return {
    timeoutMs: {
      request: own['request'] ?? base,
      response: own['response'] ?? base,
      error: own['error'] ?? base,
      stream: own['stream'] ?? base,
      tcp: own['tcp'] ?? base,
    },
    failureThreshold: policy.failure_threshold ?? EXECUTION_RANGES.failure_threshold.default,
    recoveryTimeoutMs: policy.recovery_timeout_ms ?? EXECUTION_RANGES.recovery_timeout_ms.default,
    concurrencyMax: policy.max_concurrency ?? EXECUTION_RANGES.max_concurrency.default,
    failClosed:
      FAIL_CLOSED_CATEGORIES.has(category) ||
      policy.failure_mode === 'strict' ||
      (failsClosed && policy.failure_mode !== 'fail_open'),
  };
}
