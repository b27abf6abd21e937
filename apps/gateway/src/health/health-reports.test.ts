import { heartbeat, heartbeatLimits } from '@portcullis/resources';
import { FakeClock } from '@portcullis/testkit';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import type { TargetReport } from './health-monitor.ts';
import { HealthReports, reportedTargets } from './health-reports.ts';
import { targetSeries, targetSeriesMax } from './target-series.ts';

const report = (targetId: string, health: TargetReport['health'], address = '10.0.0.1:80'): TargetReport => ({
  upstreamId: 'u',
  targetId,
  address,
  health,
  sinceMs: 1.5,
  reason: health === 'HEALTHY' ? undefined : 'r'.repeat(heartbeatLimits.reasonLengthMax + 1),
});

const many = (count: number, health: TargetReport['health']): TargetReport[] =>
  Array.from({ length: count }, (_, index) => report(`t${index}`, health));

describe('heartbeats', () => {
  it('hold what the control plane takes, those that are not well first', () => {
    const targets = reportedTargets([...many(heartbeatLimits.targetsMax, 'HEALTHY'), report('last', 'UNHEALTHY')]);
    expect([targets.length, targets[0]?.target_id]).toEqual([heartbeatLimits.targetsMax, 'last']);
    const whole = { version: '1', hostname: 'h', plugin_versions: {}, uptime_seconds: 1, targets };
    expect(v.is(heartbeat, whole)).toBe(true);
    const ids = 'i'.repeat(128);
    const long = reportedTargets(
      many(heartbeatLimits.targetsMax, 'HEALTHCHECKS_OFF').map((one) => ({ ...one, targetId: ids })),
    );
    expect(JSON.stringify({ ...whole, targets: long }).length).toBeLessThan(heartbeatLimits.bytesMax);
  });

  it('carry the list after a change until it was taken, and once a minute', () => {
    const clock = new FakeClock();
    const reports = new HealthReports(() => [report('t', 'HEALTHY')], clock.monotonicMs);
    const first = reports.next();
    expect(first?.targets).toHaveLength(1);
    expect(reports.next(), 'not taken yet').toBeDefined();
    first?.onTaken();
    expect(reports.next()).toBeUndefined();
    reports.changed();
    const second = reports.next();
    reports.changed();
    second?.onTaken();
    expect(reports.next(), 'changed while it was on its way').toBeDefined();
    reports.next()?.onTaken();
    expect(reports.next()).toBeUndefined();
    clock.advance(60_000);
    expect(reports.next()).toBeDefined();
  });
});

describe('series', () => {
  it('say of each target that is checked whether one of its addresses is up', () => {
    const series = targetSeries([
      report('a', 'UNHEALTHY'),
      report('a', 'HEALTHY', '10.0.0.2:80'),
      report('b', 'DNS_ERROR'),
      report('c', 'HEALTHCHECKS_OFF'),
    ]);
    expect(series.map(({ labels, value }) => [labels['target'], value])).toEqual([
      ['a', 1],
      ['b', 0],
    ]);
  });

  it('are bounded; what is beyond shares one, which is down as soon as one of them is', () => {
    const well = many(targetSeriesMax + 5, 'HEALTHY');
    expect(targetSeries(well)).toHaveLength(targetSeriesMax + 1);
    expect(targetSeries(well).at(-1)).toEqual({ labels: { overflow: 'true' }, value: 1 });
    expect(targetSeries([...well, report('last', 'UNHEALTHY')]).at(-1)?.value).toBe(0);
  });
});
