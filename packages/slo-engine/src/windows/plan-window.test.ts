import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planWindow } from './plan-window.ts';
import { coveragePercent } from './coverage.ts';

const minuteMs = 60_000;

describe('planWindow', () => {
  it('uses hours where they fit, and cuts the first minute', () => {
    const minuteOf = (text: string): number => Date.parse(`2026-03-01T${text}Z`) / minuteMs;
    const nowMs = Date.parse('2026-03-01T12:02:30.500Z');
    expect(planWindow({ nowMs, windowMinutes: 180 })).toEqual({
      fromMs: Date.parse('2026-03-01T09:02:30.500Z'),
      toMs: nowMs,
      whole: [
        { grainMinutes: 1, first: minuteOf('09:03'), end: minuteOf('10:00') },
        { grainMinutes: 60, first: minuteOf('10:00'), end: minuteOf('12:00') },
        { grainMinutes: 1, first: minuteOf('12:00'), end: minuteOf('12:02') },
      ],
      cut: { grainMinutes: 1, first: minuteOf('09:02'), end: minuteOf('09:03') },
      last: { grainMinutes: 1, first: minuteOf('12:02'), end: minuteOf('12:03') },
    });
    expect(planWindow({ nowMs, windowMinutes: 5 }).whole).toEqual([
      { grainMinutes: 1, first: minuteOf('11:58'), end: minuteOf('12:02') },
    ]);
    expect(planWindow({ nowMs, windowMinutes: 5, grainsMinutes: [60] })).toMatchObject({
      whole: [],
      cut: { first: minuteOf('11:00') },
      last: { grainMinutes: 60, first: minuteOf('12:00'), end: minuteOf('13:00') },
    });
    const inOneHour = planWindow({ nowMs: nowMs + 600_000, windowMinutes: 5, grainsMinutes: [60] });
    expect(inOneHour).toMatchObject({ whole: [], cut: { first: minuteOf('12:00') } });
    expect(inOneHour.last.first).toBe(inOneHour.last.end);
  });

  it('covers every minute of the window once, with few counters', () => {
    const moments = fc.integer({ min: Date.UTC(2000, 0, 1), max: Date.UTC(2100, 0, 1) });
    fc.assert(
      fc.property(moments, fc.integer({ min: 5, max: 43_200 }), (nowMs, windowMinutes) => {
        const { whole, cut, last, fromMs, toMs } = planWindow({ nowMs, windowMinutes });
        let next = cut.end;
        let counters = 0;
        for (const { grainMinutes, first, end } of whole) {
          expect([first, first % grainMinutes, end % grainMinutes]).toEqual([next, 0, 0]);
          counters += (end - first) / grainMinutes;
          next = end;
        }
        expect([next, next + 1]).toEqual([last.first, last.end]);
        expect(next).toBe(Math.floor(toMs / minuteMs));
        expect(cut.first * minuteMs <= fromMs && fromMs < cut.end * minuteMs).toBe(true);
        expect(last.end - cut.end).toBe(windowMinutes);
        expect(counters).toBeLessThanOrEqual(windowMinutes / 60 + 118);
      }),
    );
  });

  it('refuses windows and lengths that are none', () => {
    const windows = [0, 1.5, Number.NaN].map((windowMinutes) => ({ nowMs: 0, windowMinutes }));
    const lengths = [[], [60, 7], [1, 60], [0], [1.5]].map((grainsMinutes) => ({
      nowMs: 0,
      windowMinutes: 5,
      grainsMinutes,
    }));
    for (const request of [...windows, ...lengths]) expect(() => planWindow(request)).toThrow(RangeError);
  });
});

it('coverage is the share of the window since observations can exist', () => {
  const window = { fromMs: 1000, toMs: 4000 };
  const coverages = [0, 1000, 2500, 3999, 4000, 9000, undefined].map((since) => coveragePercent(window, since));
  expect(coverages).toEqual([100, 100, 50, 100 / 3000, 0, 0, 0]);
  expect(coveragePercent({ fromMs: 1000, toMs: 1000 }, 0)).toBe(0);
});
