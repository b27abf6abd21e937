import type { CounterRange, WindowPlan } from '@portcullis/slo-engine';
import type { ObservationGrain } from '../database/observation-tables.ts';

/** Counters of one length between two minutes. Every window holds all of them or none. */
export interface CounterSegment extends CounterRange {
  readonly grain: ObservationGrain;
}

/**
 * Cuts the counters of several windows at each beginning and end of one of them: the sum of such a segment counts for a window as
 * one counter would. Seven windows that end together have about twenty segments.
 */
export function segmentsOf(plans: readonly WindowPlan[]): CounterSegment[] {
  const ranges = plans.flatMap(({ whole, cut }) => [...whole, cut]).filter(({ first, end }) => first < end);
  return [...Map.groupBy(ranges, ({ grainMinutes }) => grainMinutes)].flatMap(([grainMinutes, ofGrain]) =>
    pieces(ofGrain).map(({ first, end }) => ({
      grain: grainMinutes === 60 ? 'gateway_hour' : 'gateway_minute',
      grainMinutes,
      first,
      end,
    })),
  );
}

/** Segments of one length that follow each other without a gap, as one. For rows that are read one by one. */
export function joined(segments: readonly CounterSegment[]): CounterSegment[] {
  const all: CounterSegment[] = [];
  const inOrder = segments.toSorted(
    (left, right) => left.grainMinutes - right.grainMinutes || left.first - right.first,
  );
  for (const segment of inOrder) {
    const last = all.at(-1);
    const goesOn = last?.grain === segment.grain && last.end === segment.first;
    if (last && goesOn) all[all.length - 1] = { ...last, end: segment.end };
    else all.push(segment);
  }
  return all;
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
