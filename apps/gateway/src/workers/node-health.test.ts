import type { Heartbeat, ReportedTarget } from '@portcullis/resources';
import { expect, it } from 'vitest';
import { NodeHealth } from './node-health.ts';

const beat = (hostname: string, more: Partial<Heartbeat> = {}): Heartbeat => ({
  version: '0.1.0',
  hostname,
  plugin_versions: {},
  uptime_seconds: 1,
  ...more,
});

const target = (id: string, health: ReportedTarget['health']): ReportedTarget => ({
  target_id: id,
  address: '10.0.0.1:80',
  health,
  since_ms: 1,
});

it('the first worker speaks for the node; of targets and circuits the worst counts', () => {
  const node = new NodeHealth();
  const open = { instance_id: 'i', plugin: 'p', phase: 'open' } as const;
  const second = { targets: [target('a', 'UNHEALTHY'), target('b', 'HEALTHY')], circuits: [open] };
  expect(node.heartbeat(1, false, beat('second', second)), 'nobody spoke for the node yet').toBeUndefined();
  const first = { targets: [target('a', 'HEALTHY'), target('b', 'DNS_ERROR')], circuits: [] };
  const worst = [target('a', 'UNHEALTHY'), target('b', 'DNS_ERROR')];
  expect(node.heartbeat(0, true, beat('first', first))).toEqual(beat('first', { targets: worst, circuits: [open] }));
  expect(node.heartbeat(0, true, beat('first', { circuits: [] }))).toEqual(beat('first', { circuits: [open] }));
  expect(node.heartbeat(1, false, beat('second', { circuits: [open] })), 'nothing new').toBeUndefined();
  expect(node.heartbeat(1, false, beat('second', { circuits: [] }))).toEqual(beat('first', { circuits: [] }));
  const well = { targets: [target('a', 'HEALTHY')], circuits: [] };
  expect(node.heartbeat(1, false, beat('second', well))?.targets).toEqual([
    target('a', 'HEALTHY'),
    target('b', 'DNS_ERROR'),
  ]);
});

it('a worker that is gone does not count, and refused reports are left out', () => {
  const node = new NodeHealth();
  node.heartbeat(0, true, beat('first', { targets: [target('a', 'HEALTHY')], circuits: [] }));
  node.heartbeat(1, false, beat('second', { targets: [target('a', 'UNHEALTHY')], circuits: [] }));
  node.setWorkers([0]);
  const again = beat('first', { targets: [target('a', 'HEALTHY')], circuits: [] });
  expect(node.heartbeat(0, true, again)).toEqual(again);
  expect(node.heartbeat(0, true, beat('first'))).toEqual(beat('first'));
  expect(node.heartbeat(1, false, beat('second'))).toBeUndefined();
});
