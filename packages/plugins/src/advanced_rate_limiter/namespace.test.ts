import { FakeClock } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { LimitBench } from '../testing/limit-bench.ts';
import { advancedRateLimiter } from './index.ts';

const two = { limit: 2, window_seconds: 60 };
const shared = { ...two, namespace: 'api' };

function benchOf(instances: Record<string, object>, clock?: FakeClock, tenantId?: string): LimitBench {
  return new LimitBench(advancedRateLimiter, instances, clock, tenantId);
}

async function answers(bench: LimitBench, ...routes: string[]): Promise<boolean[]> {
  const passed: boolean[] = [];
  for (const route of routes) passed.push(await bench.passes(route));
  return passed;
}

describe('namespace', () => {
  it('is one set of counters for all instances that name it, and none else', async () => {
    const bench = benchOf({ a: shared, b: shared, c: { ...two, namespace: 'other' }, d: two, e: two });
    expect(await answers(bench, 'a', 'b', 'a', 'b')).toEqual([true, true, false, false]);
    expect(await answers(bench, 'c', 'c', 'd', 'd', 'e', 'e', 'e')).toEqual([
      true,
      true,
      true,
      true,
      true,
      true,
      false,
    ]);
  });

  it('compares what is shared with the number of each instance', async () => {
    const bench = benchOf({ small: shared, large: { ...shared, limit: 4, cost: 2 } });
    expect(await answers(bench, 'small', 'large', 'small', 'large')).toEqual([true, true, false, false]);
    bench.clock.advance(60_000);
    expect(await answers(bench, 'large', 'large', 'large')).toEqual([true, true, false]);
  });

  it('shares windows of one length and strategy, whatever other windows an instance has', async () => {
    const minute = { limit: 2, window_seconds: 60, name: 'minute' };
    const bench = benchOf({
      a: shared,
      both: { limits: [minute, { limit: 9, window_seconds: 3600 }], namespace: 'api' },
      hour: { limit: 1, window_seconds: 3600, namespace: 'api' },
      sliding: { ...shared, strategy: 'sliding' },
    });
    expect(await answers(bench, 'a', 'both', 'both', 'a')).toEqual([true, true, false, false]);
    expect(await answers(bench, 'hour', 'sliding', 'sliding', 'sliding')).toEqual([false, true, true, false]);
  });

  it('tells clients of different kinds apart', async () => {
    const by = (header: string) => ({ ...shared, limit: 1, limit_by: 'header', header_name: header });
    const bench = benchOf({ a: by('X-A'), b: by('X-B'), lower: by('x-a') });
    const headers = ['X-A', 'v', 'X-B', 'v'];
    expect(await bench.passes('a', { headers })).toBe(true);
    expect(await bench.passes('b', { headers })).toBe(true);
    expect(await bench.passes('lower', { headers })).toBe(false);
  });

  it('is not shared by tenants, nor by hosts with clocks of their own', async () => {
    const clock = new FakeClock();
    const [one, other, far] = [
      benchOf({ a: shared }, clock, 't1'),
      benchOf({ a: shared }, clock, 't2'),
      benchOf({ a: shared }),
    ];
    expect(await answers(one, 'a', 'a', 'a')).toEqual([true, true, false]);
    expect(await answers(other, 'a')).toEqual([true]);
    expect(await answers(far, 'a')).toEqual([true]);
    expect(await answers(benchOf({ b: shared }, clock, 't1'), 'b')).toEqual([false]);
  });

  it('keeps its counters while a configuration changes, also the limits and the instances', async () => {
    const bench = benchOf({ a: shared });
    expect(await answers(bench, 'a', 'a')).toEqual([true, true]);
    bench.change({ a: { ...shared, hide_client_headers: true } });
    expect(await answers(bench, 'a')).toEqual([false]);
    bench.change({ a: { ...shared, limit: 3 }, b: shared });
    expect(await answers(bench, 'b', 'a', 'a')).toEqual([false, true, false]);
    bench.change({ b: shared });
    expect(await answers(bench, 'b')).toEqual([false]);
  });

  it('begins at zero once no instance names it, and where a window was no longer counted', async () => {
    const bench = benchOf({ a: shared });
    expect(await answers(bench, 'a', 'a', 'a')).toEqual([true, true, false]);
    bench.change({ a: { ...shared, window_seconds: 61 } });
    expect(await answers(bench, 'a')).toEqual([true]);
    bench.change({ a: shared });
    expect(await answers(bench, 'a')).toEqual([true]);
    bench.change({});
    bench.change({ a: shared });
    expect(await answers(bench, 'a', 'a')).toEqual([true, true]);
  });

  it('moves by one time for all, also for instances set up after the clock was set', async () => {
    const bench = benchOf({ a: shared });
    expect(await answers(bench, 'a', 'a')).toEqual([true, true]);
    bench.clock.setWall(bench.clock.nowMs() + 3_600_000);
    bench.change({ a: shared, b: shared });
    expect(await answers(bench, 'b', 'a')).toEqual([false, false]);
  });
});
