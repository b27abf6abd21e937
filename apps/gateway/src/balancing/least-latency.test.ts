import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { endpoint, setUsable, sharesOf } from './balancing.test-support.ts';
import { untroubled } from './eligibility.ts';
import { failedLatencyMs, latencyDecayMs } from './endpoint.ts';
import { LeastLatency } from './least-latency.ts';

/** Numbers in [0, 1) that are the same in each run. */
function sequence(): () => number {
  let state = 1;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

describe('latency', () => {
  it('sends most requests to the faster, and asks the slower again when its measure has faded', () => {
    const shares = sharesOf([100, 100, 100]);
    const balancer = new LeastLatency(shares, sequence());
    const took = [5, 100, 5];
    const counts = [0, 0, 0];
    for (let request = 0; request < 3000; request += 1) {
      const nowMs = request * 10;
      const chosen = balancer.choose(undefined, nowMs, undefined, untroubled);
      const index = Number(chosen?.address.host);
      counts[index] = (counts[index] ?? 0) + 1;
      chosen?.answered(200, took[index] ?? 0, nowMs);
    }
    expect(counts[1]).toBeLessThan(150);
    expect(counts[1]).toBeGreaterThan(1);
  });

  it('sends one request first to who was never measured, and the next elsewhere until that is answered', () => {
    const shares = sharesOf([1, 1]);
    const balancer = new LeastLatency(shares, sequence());
    const [first, second] = shares.map((share) => share.endpoint);
    if (first === undefined || second === undefined) throw new Error('two endpoints');
    first.answered(200, 10, 0);
    expect(balancer.choose(undefined, 0, undefined, untroubled)).toBe(second);
    second.begin(0);
    expect(balancer.choose(undefined, 0, undefined, untroubled)).toBe(first);
  });

  it('takes the weight for how much slower one may be', () => {
    const shares = sharesOf([1, 4]);
    const balancer = new LeastLatency(shares, sequence());
    for (const [index, { endpoint: one }] of shares.entries()) one.answered(200, [10, 30][index] ?? 0, 0);
    expect(balancer.choose(undefined, 0, undefined, untroubled)?.address.host).toBe('1');
  });

  it('chooses someone who can be used whenever there is one', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 1, maxLength: 30 }), (usable) => {
        const shares = sharesOf(usable.map(() => 1));
        for (const [index, { endpoint: one }] of shares.entries()) setUsable(one, usable[index] === true);
        const balancer = new LeastLatency(shares, sequence());
        for (let turn = 0; turn < 5; turn += 1) {
          const chosen = balancer.choose(undefined, 0, undefined, untroubled);
          expect(chosen?.health.usable).toBe(usable.includes(true) ? true : undefined);
        }
      }),
    );
  });
});

describe('the latency of an endpoint', () => {
  it('rises at once, falls by and by, and counts a failure as slow', () => {
    const one = endpoint('a');
    one.answered(200, 10, 0);
    one.answered(200, 50, 0);
    expect(one.latencyEwmaMs).toBe(50);
    one.answered(200, 10, latencyDecayMs);
    expect(one.latencyEwmaMs).toBeCloseTo(10 + 40 / Math.E, 5);
    one.failed('upstream_connect_failed', 1, latencyDecayMs);
    expect(one.latencyEwmaMs).toBe(failedLatencyMs);
  });

  it('says nothing of clients that went away', () => {
    const one = endpoint('a');
    one.failed('aborted', 9000, 0);
    one.failed('request_body_failed', 9000, 0);
    expect(one.latencyEwmaMs).toBeUndefined();
  });
});
