import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BURST_BYTES_MAX, BURST_DATAGRAMS_MAX, BURST_MS, BurstPace } from './burst-pace.ts';

describe('a burst', () => {
  it('has so many datagrams, and the next may leave when it is over', () => {
    const pace = new BurstPace();
    const taken = Array.from({ length: BURST_DATAGRAMS_MAX + 1 }, () => pace.take(1, 5));
    expect([taken.slice(0, -1).every(Boolean), taken.at(-1)]).toEqual([true, false]);
    expect([pace.take(1, 5 + BURST_MS / 2), pace.take(1, 5 + BURST_MS)]).toEqual([false, true]);
  });

  it('has so many bytes, unless one datagram has more', () => {
    const pace = new BurstPace();
    expect([pace.take(BURST_BYTES_MAX + 1, 0), pace.take(0, 0)]).toEqual([true, false]);
    expect([pace.take(BURST_BYTES_MAX, 1), pace.take(1, 1)]).toEqual([true, false]);
  });

  it('never has more, whatever is sent and when', () => {
    const sends = fc.array(fc.tuple(fc.nat(BURST_BYTES_MAX), fc.integer({ min: 0, max: 20 })), { maxLength: 300 });
    fc.assert(
      fc.property(sends, (sent) => {
        const pace = new BurstPace();
        let nowMs = 0;
        const bursts: number[][] = [];
        let beganMs = Number.NEGATIVE_INFINITY;
        for (const [bytes, waitedTenths] of sent) {
          nowMs += Math.max(0, waitedTenths - 15) / 10;
          if (nowMs - beganMs >= BURST_MS) {
            beganMs = nowMs;
            bursts.push([]);
          }
          if (pace.take(bytes, nowMs)) bursts.at(-1)?.push(bytes);
        }
        const sums = bursts.map((burst) => burst.reduce((sum, bytes) => sum + bytes, 0));
        expect(bursts.every((burst) => burst.length > 0 && burst.length <= BURST_DATAGRAMS_MAX)).toBe(true);
        expect(sums.every((sum) => sum <= BURST_BYTES_MAX)).toBe(true);
      }),
    );
  });
});
