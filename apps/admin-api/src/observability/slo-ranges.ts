import type { CounterRange, WindowPlan } from '@portcullis/slo-engine';
import type { ObservationGrain } from '../database/observation-tables.ts';

/** Counters of one length between two minutes. Every window holds all of them or none. */
export interface CounterSegment extends CounterRange {
  readonly grain: ObservationGrain;
}

/** Minutes between two ranges from which on reading them apart is worth a further question. */
const gapMinutesMin = 30;

/**
 * Cuts the counters of several windows at each beginning and end of one of them: the sum of such a segment counts for a window as
 * one counter would. Seven windows that end together have about twenty segments.
 */
export function segmentsOf(plans: readonly WindowPlan[]): CounterSegment[] {
  const ranges = plans.flatMap(({ whole, cut, last }) => [...whole, cut, last]).filter(({ first, end }) => first < end);
  return [...Map.groupBy(ranges, ({ grainMinutes }) => grainMinutes)].flatMap(([grainMinutes, ofGrain]) =>
    pieces(ofGrain).map(({ first, end }) => ({ grain: grainOf(grainMinutes), grainMinutes, first, end })),
  );
}

/**
 * What is read for some segments: few ranges, each of at most so many counters of a gateway. They hold more than the segments do.
 * @param countersMax of one range
 */
export function readRanges(segments: readonly CounterSegment[], countersMax: number): CounterSegment[] {
  return joined(segments).flatMap((range) => {
    const minutesMax = countersMax * range.grainMinutes;
    const count = Math.ceil((range.end - range.first) / minutesMax);
    return Array.from({ length: count }, (_, index) => {
      const first = range.first + index * minutesMax;
      return { ...range, first, end: Math.min(first + minutesMax, range.end) };
    });
  });
}

/** Segments of one length that follow each other without a gap, or with a short one, as one. */
function joined(segments: readonly CounterSegment[]): CounterSegment[] {
  const all: CounterSegment[] = [];
  const inOrder = segments.toSorted(
    (left, right) => left.grainMinutes - right.grainMinutes || left.first - right.first,
  );
  for (const segment of inOrder) {
    const last = all.at(-1);
    if (last?.grain === segment.grain && segment.first - last.end < gapMinutesMin) {
      all[all.length - 1] = { ...last, end: segment.end };
    } else all.push(segment);
  }
  return all;
}

function grainOf(grainMinutes: number): ObservationGrain {
  return grainMinutes === 60 ? 'gateway_hour' : 'gateway_minute';
}

function pieces(ranges: readonly Pick<CounterRange, 'first' | 'end'>[]): { first: number; end: number }[] {
  const borders = [...new Set(ranges.flatMap(({ first, end }) => [first, end]))].toSorted(
    (left, right) => left - right,
  );
  return borders.flatMap((first, index) => {
    const end = borders[index + 1];
    const isIn = end !== undefined && ranges.some((range) => range.first <= first && end <= range.end);
    return isIn ? [{ first, end }] : [];
  });
}
