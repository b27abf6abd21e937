import { heartbeatLimits, type ReportedTarget, type TargetHealthState } from '@portcullis/resources';
import type { TargetReport } from './health-monitor.ts';

/** The list goes at least this often, also when nothing changed: a control plane that lost it gets it again. */
const resendMs = 60_000;

/** What counts first where there are more addresses than a heartbeat takes. */
const order: Readonly<Record<TargetHealthState, number>> = {
  UNHEALTHY: 0,
  DNS_ERROR: 1,
  HEALTHY: 2,
  HEALTHCHECKS_OFF: 3,
};

/**
 * The wire form of a report: all addresses, or as many as a heartbeat takes, those that are not well first; with the reasons of
 * as many as it takes.
 */
export function reportedTargets(reports: Iterable<TargetReport>): ReportedTarget[] {
  let reasons = 0;
  const all = Array.from(reports, ({ targetId, address, health, sinceMs, reason }) => {
    const isSaid = reason !== undefined && reasons < heartbeatLimits.reasonsMax;
    if (isSaid) reasons += 1;
    return {
      target_id: targetId,
      address,
      health,
      since_ms: Math.max(0, Math.floor(sinceMs)),
      ...(isSaid && { reason: reason.slice(0, heartbeatLimits.reasonLengthMax) }),
    };
  });
  if (all.length <= heartbeatLimits.targetsMax) return all;
  return all.toSorted((left, right) => order[left.health] - order[right.health]).slice(0, heartbeatLimits.targetsMax);
}

/**
 * Says which heartbeats carry the list of targets: the first one after each change, until one of them has been taken. The list is
 * whole each time, so that one that is lost does no harm.
 */
export class HealthReports {
  readonly #report: () => Iterable<TargetReport>;
  readonly #monotonicMs: () => number;
  #changes = 0;
  #takenChanges = -1;
  #takenMs = 0;

  constructor(report: () => Iterable<TargetReport>, monotonicMs: () => number) {
    this.#report = report;
    this.#monotonicMs = monotonicMs;
  }

  /** Something that the list says has changed. */
  changed(): void {
    this.#changes += 1;
  }

  /** The list for the next heartbeat, unless the control plane has it; `onTaken` is to be told when it was taken. */
  next(): { readonly targets: readonly ReportedTarget[]; readonly onTaken: () => void } | undefined {
    const changes = this.#changes;
    const isDue = changes !== this.#takenChanges || this.#monotonicMs() - this.#takenMs >= resendMs;
    if (!isDue) return undefined;
    const onTaken = (): void => {
      this.#takenChanges = changes;
      this.#takenMs = this.#monotonicMs();
    };
    return { targets: reportedTargets(this.#report()), onTaken };
  }
}
