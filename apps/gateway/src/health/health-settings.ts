import type { ActiveCheckRecord, HealthCheckRecord, PassiveCheckRecord } from './health-check-record.ts';

/** What a probe or an attempt says of an endpoint. `neutral`: an answer whose status is in neither list. */
export type CheckResult = 'success' | 'neutral' | 'http_failure' | 'tcp_failure' | 'timeout';

/** Results in a row that change the state; 0: never. */
export interface Thresholds {
  readonly successes: number;
  readonly http_failure: number;
  readonly tcp_failure: number;
  readonly timeout: number;
}

/** Thresholds with what statuses mean. */
export interface Judgement extends Thresholds {
  readonly healthyStatuses: ReadonlySet<number>;
  readonly unhealthyStatuses: ReadonlySet<number>;
}

/** Probes: when, and what their results mean. */
export interface ActiveSettings extends Judgement {
  /** Milliseconds; 0: healthy endpoints are not probed. */
  readonly healthyIntervalMs: number;
  /** Milliseconds; 0: unhealthy endpoints are not probed. */
  readonly unhealthyIntervalMs: number;
}

/** What answers to traffic mean. */
export interface PassiveSettings extends Judgement {
  /** Whether any answer is a success, because connections alone count. */
  readonly countsConnectionsOnly: boolean;
}

/** Health checks of an upstream, with the parts that are off left out. */
export interface HealthSettings {
  readonly active: ActiveSettings | undefined;
  readonly passive: PassiveSettings | undefined;
  /** What ends the unhealthy state: probes, or trial requests where probes are off or cannot do it. */
  readonly recovery: 'probes' | 'trial';
  /** Milliseconds between an endpoint's becoming unhealthy, or a failed trial, and the next trial. */
  readonly recoveryMs: number;
}

/** See {@link HealthSettings.recoveryMs}. Source: wire contract, Upstreams: recovers by itself through a half-open timer. */
export const trialAfterMs = 10_000;

/** What a record says, with everything off that its zeros switch off. */
export function healthSettings(
  record: HealthCheckRecord | null | undefined,
  recoveryMs: number = trialAfterMs,
): HealthSettings {
  const active = activeSettings(record?.active);
  const passive = passiveSettings(record?.passive);
  const probesRecover = active !== undefined && active.unhealthyIntervalMs > 0 && active.successes > 0;
  return { active, passive, recovery: probesRecover ? 'probes' : 'trial', recoveryMs };
}

/** Whether nothing can make an endpoint unhealthy, and nothing looks at it. */
export function isOff({ active, passive }: HealthSettings): boolean {
  return active === undefined && (passive === undefined || !canFail(passive));
}

/** What a status says. A status in both lists is a success; one in neither is neutral. */
export function judgeStatus(status: number, { healthyStatuses, unhealthyStatuses }: Judgement): CheckResult {
  if (healthyStatuses.has(status)) return 'success';
  return unhealthyStatuses.has(status) ? 'http_failure' : 'neutral';
}

function activeSettings(record: ActiveCheckRecord | null | undefined): ActiveSettings | undefined {
  if (!record || (record.healthy.interval === 0 && record.unhealthy.interval === 0)) return undefined;
  return {
    ...judgement(record),
    healthyIntervalMs: record.healthy.interval * 1000,
    unhealthyIntervalMs: record.unhealthy.interval * 1000,
  };
}

function passiveSettings(record: PassiveCheckRecord | null | undefined): PassiveSettings | undefined {
  if (!record) return undefined;
  const settings = { ...judgement(record), countsConnectionsOnly: record.type === 'tcp' };
  return settings.successes > 0 || canFail(settings) ? settings : undefined;
}

function canFail(thresholds: Thresholds): boolean {
  return thresholds.http_failure > 0 || thresholds.tcp_failure > 0 || thresholds.timeout > 0;
}

function judgement({ healthy, unhealthy }: ActiveCheckRecord | PassiveCheckRecord): Judgement {
  return {
    successes: healthy.successes,
    http_failure: unhealthy.http_failures,
    tcp_failure: unhealthy.tcp_failures,
    timeout: unhealthy.timeouts,
    healthyStatuses: new Set(healthy.http_statuses),
    unhealthyStatuses: new Set(unhealthy.http_statuses),
  };
}
