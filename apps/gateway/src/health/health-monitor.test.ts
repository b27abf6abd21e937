import { describe, expect, it } from 'vitest';
import type { AttemptOutcome } from './endpoint-health.ts';
import { addressOf, benchRecoveryMs, MonitorBench } from './health-monitor.test-support.ts';
import { probeLimits } from './probe-scheduler.ts';

const refused: AttemptOutcome = { kind: 'failed', code: 'upstream_connect_failed' };
const fine: AttemptOutcome = { kind: 'answered', status: 200, latencyMs: 1 };

describe('probes', () => {
  it('mark an address after its failures and bring it back after its successes, with one line each', async () => {
    const bench = new MonitorBench();
    const health = bench.watch({ active: { unhealthy: { interval: 3 } } }).of(addressOf('10.0.0.1'));
    expect([health.usable, bench.states()]).toEqual([true, { '10.0.0.1:80': 'HEALTHY' }]);
    bench.answers.set('10.0.0.1', 'tcp_failure');
    await bench.advance(1000);
    expect([health.usable, bench.probed.length]).toEqual([true, 1]);
    await bench.advance(1000);
    expect([health.usable, bench.states()]).toEqual([false, { '10.0.0.1:80': 'UNHEALTHY' }]);
    bench.answers.set('10.0.0.1', 'success');
    await bench.advance(5400);
    expect(health.usable).toBe(false);
    await bench.advance(200);
    expect([health.usable, bench.probed.length]).toEqual([true, 4]);
    const line = { upstream: 'name of upstream-1', target: 'target-10.0.0.1', address: '10.0.0.1:80' };
    expect(bench.lines).toEqual([
      { ...line, health: 'UNHEALTHY', reason: 'probes: tcp_failure', message: 'a target is unhealthy' },
      { ...line, health: 'HEALTHY', reason: 'probes: success', message: 'a target is healthy again' },
    ]);
  });

  it('an address that flaps is never away for longer than its intervals', async () => {
    const bench = new MonitorBench();
    const health = bench.watch({ active: {} }).of(addressOf('10.0.0.1'));
    for (let round = 0; round < 20; round += 1) {
      bench.answers.set('10.0.0.1', round % 2 === 0 ? 'timeout' : 'success');
      await bench.advance(round % 2 === 0 ? 4000 : 3000);
      expect(health.usable).toBe(round % 2 === 1);
    }
    expect(bench.lines).toHaveLength(20);
  });

  it('begin spread over the interval, at most so many in a turn, and stop with the last watch', async () => {
    const bench = new MonitorBench();
    let turn = 0;
    bench.random = 0;
    const watch = bench.watch({ active: { concurrency: 1000 } });
    for (let index = 0; index < 100; index += 1) {
      bench.random = (turn += 1) / 100;
      watch.of(addressOf(`10.0.1.${index}`));
    }
    await bench.advance(500);
    expect(bench.probed.length).toBeGreaterThanOrEqual(48);
    expect(bench.probed.length).toBeLessThanOrEqual(52);
    await bench.advance(510);
    expect(new Set(bench.probed).size).toBe(100);
    const before = bench.probed.length;
    watch.release();
    await bench.advance(5000);
    expect(bench.probed).toHaveLength(before);
    expect([bench.clock.pendingTimers, bench.states()]).toEqual([0, {}]);
  });

  it('are no more at once than the upstream and the process allow, and hanging ones hold up no other upstream', async () => {
    const bench = new MonitorBench();
    const slow = bench.watch({ active: { concurrency: 3 } }, 'slow');
    for (let index = 0; index < 20; index += 1) {
      bench.answers.set(`10.0.2.${index}`, undefined);
      slow.of(addressOf(`10.0.2.${index}`));
    }
    const quick = bench.watch({ active: {} }, 'quick');
    quick.of(addressOf('10.0.3.1'));
    await bench.advance(3000);
    expect(bench.running).toBe(3);
    expect(bench.probed.filter((host) => host === '10.0.3.1').length).toBeGreaterThanOrEqual(2);
    const many = bench.watch({ active: { concurrency: 65_535 } }, 'many');
    for (let index = 0; index < 400; index += 1) {
      bench.answers.set(`10.0.4.${index}`, undefined);
      many.of(addressOf(`10.0.4.${index}`));
    }
    await bench.advance(3000);
    expect(bench.runningMax).toBe(probeLimits.runningMax);
    slow.release();
    expect(bench.aborted).toHaveLength(3);
    await bench.advance(100);
    expect(bench.running, 'what was given up makes room').toBe(probeLimits.runningMax);
    bench.monitor.stop();
    expect(bench.clock.pendingTimers).toBe(0);
  });
});

describe('traffic', () => {
  it('marks an address, and one trial at a time brings it back', async () => {
    const bench = new MonitorBench();
    const health = bench.watch({ passive: {} }).of(addressOf('10.0.0.1'));
    health.observe(refused);
    health.observe({ kind: 'failed', code: 'aborted' });
    health.observe({ kind: 'answered', status: 404, latencyMs: 1 });
    expect(health.usable).toBe(true);
    health.observe(refused);
    expect(health.usable).toBe(false);
    await bench.advance(benchRecoveryMs - 100);
    expect(health.usable).toBe(false);
    await bench.advance(200);
    expect(health.usable).toBe(true);
    health.begin();
    expect(health.usable, 'the trial is taken').toBe(false);
    health.observe(refused);
    await bench.advance(benchRecoveryMs + 100);
    health.begin();
    await bench.advance(benchRecoveryMs + 100);
    expect(health.usable, 'a trial that never ended').toBe(true);
    for (let trial = 0; trial < 2; trial += 1) {
      expect(bench.states()).toEqual({ '10.0.0.1:80': 'UNHEALTHY' });
      health.begin();
      health.observe(fine);
    }
    expect([health.usable, bench.states()]).toEqual([true, { '10.0.0.1:80': 'HEALTHY' }]);
    expect(bench.probed).toEqual([]);
  });

  it('marks, and probes bring back, where both are on', async () => {
    const bench = new MonitorBench();
    const health = bench.watch({ active: { healthy: { interval: 0 } }, passive: {} }).of(addressOf('10.0.0.1'));
    await bench.advance(5000);
    expect(bench.probed).toEqual([]);
    health.observe(refused);
    health.observe(refused);
    expect(health.usable).toBe(false);
    await bench.advance(2100);
    expect([health.usable, bench.probed.length]).toEqual([true, 2]);
    await bench.advance(5000);
    expect(bench.probed).toHaveLength(2);
  });

  it('of a tcp check counts connections, whatever the status', () => {
    const bench = new MonitorBench();
    const health = bench.watch({ passive: { type: 'tcp' } }).of(addressOf('10.0.0.1'));
    for (let index = 0; index < 10; index += 1) health.observe({ kind: 'answered', status: 503, latencyMs: 1 });
    expect(health.usable).toBe(true);
    health.observe(refused);
    health.observe({ kind: 'answered', status: 503, latencyMs: 1 });
    health.observe(refused);
    expect(health.usable).toBe(true);
    health.observe({ kind: 'failed', code: 'upstream_reset' });
    expect(health.usable).toBe(false);
  });
});

describe('configurations that overlap', () => {
  it('say why a target is not well, until it is', async () => {
    const bench = new MonitorBench();
    const reasons = (): (string | undefined)[] => Array.from(bench.monitor.report(), ({ reason }) => reason);
    const health = bench.watch({ active: { healthy: { successes: 1 } }, passive: {} }).of(addressOf('10.0.0.1'));
    expect(reasons()).toEqual([undefined]);
    health.observe(refused);
    health.observe(refused);
    expect(reasons()).toEqual(['requests: upstream_connect_failed']);
    await bench.advance(1100);
    expect([health.usable, reasons()]).toEqual([true, [undefined]]);
  });

  it('say that an unhealthy target is checked no more, and not that it is well', () => {
    const bench = new MonitorBench();
    const health = bench.watch({ passive: {} }).of(addressOf('10.0.0.1'));
    health.observe(refused);
    health.observe(refused);
    bench.watch(undefined);
    expect(bench.lines.map(({ message }) => message)).toEqual([
      'a target is unhealthy',
      'a target is not checked any more',
    ]);
  });

  it('share what they know; the newest settings count', async () => {
    const bench = new MonitorBench();
    const old = bench.watch({ passive: {} });
    const health = old.of(addressOf('10.0.0.1'));
    health.observe(refused);
    health.observe(refused);
    const next = bench.watch({ active: { healthy: { successes: 1 } } });
    expect(next.of(addressOf('10.0.0.1'))).toBe(health);
    expect(health.usable).toBe(false);
    old.release();
    old.release();
    expect(bench.states()).toEqual({ '10.0.0.1:80': 'UNHEALTHY' });
    await bench.advance(1100);
    expect(health.usable).toBe(true);
    const off = bench.watch(undefined);
    off.of(addressOf('10.0.0.1'));
    expect(bench.states()).toEqual({ '10.0.0.1:80': 'HEALTHCHECKS_OFF' });
    off.release();
    expect(bench.states()).toEqual({ '10.0.0.1:80': 'HEALTHY' });
    next.drop(addressOf('10.0.0.1'));
    expect(bench.states()).toEqual({});
    next.release();
    expect(bench.clock.pendingTimers).toBe(0);
  });

  it('an edit of what the probes ask keeps the state, and probing goes on in time', async () => {
    const bench = new MonitorBench();
    let watch = bench.watch({ active: {} });
    const health = watch.of(addressOf('10.0.0.1'));
    bench.answers.set('10.0.0.1', 'tcp_failure');
    await bench.advance(2100);
    expect(health.usable).toBe(false);
    bench.answers.set('10.0.0.1', 'success');
    for (let edit = 0; edit < 30; edit += 1) {
      health.observe(fine);
      const next = bench.watch({ active: { http_path: `/${edit}` } });
      expect(next.of(addressOf('10.0.0.1'))).toBe(health);
      watch.release();
      watch = next;
      await bench.advance(100);
    }
    expect(health.usable, 'edits that come faster than probes put none off').toBe(true);
  });

  it('an address of two targets has a health for each', () => {
    const bench = new MonitorBench();
    const watch = bench.watch({ active: {} });
    expect(watch.of(addressOf('10.0.0.1', 'one'))).not.toBe(watch.of(addressOf('10.0.0.1', 'two')));
    watch.of({ ...addressOf('::1'), targetId: undefined });
    expect(Array.from(bench.monitor.report(), ({ targetId }) => targetId)).toEqual(['one', 'two']);
  });
});

it('names that cannot be resolved are reported until they can', () => {
  const bench = new MonitorBench();
  bench.monitor.noteDnsError('unknown', 'target-1', 'a.test');
  const watch = bench.watch({ active: {} });
  bench.monitor.noteDnsError('upstream-1', 'target-1', 'a.test');
  bench.monitor.noteDnsError('upstream-1', 'target-1', 'a.test');
  expect(bench.states()).toEqual({ 'a.test': 'DNS_ERROR' });
  expect(bench.lines).toHaveLength(1);
  bench.monitor.clearDnsError('upstream-1', 'target-1');
  bench.monitor.clearDnsError('upstream-1', 'target-1');
  expect([bench.states(), bench.lines.length]).toEqual([{}, 2]);
  bench.monitor.noteDnsError('upstream-1', 'target-1', 'a.test');
  watch.release();
  expect(bench.states()).toEqual({});
});
