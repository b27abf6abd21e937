import type { TargetHealthState } from '@portcullis/resources';

/** The worse the earlier. A target that is not checked anywhere is the least that can be said. */
const order: readonly TargetHealthState[] = ['UNHEALTHY', 'DNS_ERROR', 'HEALTHY', 'HEALTHCHECKS_OFF'];

interface HasHealth {
  readonly health: TargetHealthState;
}

/** 0 is the worst. */
export function severityOf({ health }: HasHealth): number {
  return order.indexOf(health);
}

/** The inverse of {@link severityOf}. */
export function healthOfSeverity(severity: number): TargetHealthState {
  return order[severity] ?? 'HEALTHCHECKS_OFF';
}

/** Sorted, the worst first. */
export function worstFirst<Item extends HasHealth>(items: readonly Item[]): readonly Item[] {
  return items.toSorted((left, right) => severityOf(left) - severityOf(right));
}

/**
 * What one data plane's addresses make of a target. It is well while one of them is: requests go there, and a server that listens on
 * one of `127.0.0.1` and `::1` has nothing to mend.
 * @param addresses one at least
 */
export function healthAtNode(addresses: readonly HasHealth[]): TargetHealthState {
  if (addresses.some(({ health }) => health === 'HEALTHY')) return 'HEALTHY';
  return healthOfSeverity(Math.min(...addresses.map(severityOf)));
}
