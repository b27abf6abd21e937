import type { TargetReport } from './health-monitor.ts';

/** One series of `gateway_upstream_target_up`. Labels carry IDs only. Source: wire contract, Metrics. */
export interface TargetSeries {
  readonly labels: Readonly<Record<string, string>>;
  /** 1 while requests may go to one of the target's addresses at least, else 0. */
  readonly value: 0 | 1;
}

/** Targets with a series of their own. The others share one, which is 0 as soon as one of them is down. */
export const targetSeriesMax = 1000;

/** The series of all targets that are checked. */
export function targetSeries(reports: Iterable<TargetReport>): readonly TargetSeries[] {
  const up = new Map<string, { upstream: string; target: string; isUp: boolean }>();
  for (const { upstreamId: upstream, targetId: target, health } of reports) {
    if (health === 'HEALTHCHECKS_OFF') continue;
    const known = up.get(target);
    up.set(target, { upstream, target, isUp: known?.isUp === true || health === 'HEALTHY' });
  }
  const all = [...up.values()];
  const own: TargetSeries[] = all
    .slice(0, targetSeriesMax)
    .map(({ upstream, target, isUp }) => ({ labels: { upstream, target }, value: isUp ? 1 : 0 }));
  const rest = all.slice(targetSeriesMax);
  if (rest.length === 0) return own;
  return [...own, { labels: { overflow: 'true' }, value: rest.every(({ isUp }) => isUp) ? 1 : 0 }];
}
