import { minuteDays } from './retention-rules.ts';

/** Points of a summary's series at most. */
export const seriesPointsMax = 120;

/** Widths of a point, minutes. From an hour up they are whole hours, so that the counters of hours fit into them. */
const stepsMinutes = [1, 5, 15, 60, 120, 180, 240, 360, 480] as const;
/** Wide enough for the longest window, 30 days. */
const longestStepMinutes = 480;

/** Minutes that a summary covers, in whole minutes since 1970. */
export interface SummaryWindow {
  readonly first: number;
  /** The minute after the last. */
  readonly end: number;
}

/** Windows longer than this begin with a whole hour, minutes. */
const exactBeginningMinutes = minuteDays.route * 1440 - 60;

/**
 * The window of so many minutes before `end`. Where minutes of routes are not kept any more it begins with the hour in which it would begin, so that
 * totals and routes count the same.
 */
export function summaryWindow(end: number, minutes: number): SummaryWindow {
  const first = end - minutes;
  return { first: minutes > exactBeginningMinutes ? first - (first % 60) : first, end };
}

/** From this length on points are whole hours: reading each minute of a day costs ten times as much as all the rest of its summary. */
const wholeHoursFromMinutes = 720;

/**
 * The narrowest width of points with which a window, of up to 30 days and an hour, has at most `seriesPointsMax` of them; whole hours for windows of half a
 * day and more.
 */
export function seriesStepMinutes({ first, end }: SummaryWindow): number {
  const pointsOf = (step: number): number => Math.floor((end - 1) / step) - Math.floor(first / step) + 1;
  const narrowest = end - first < wholeHoursFromMinutes ? 1 : 60;
  return stepsMinutes.find((step) => step >= narrowest && pointsOf(step) <= seriesPointsMax) ?? longestStepMinutes;
}

/** Minutes whose counters are read from rows of one length. */
export interface CounterRange extends SummaryWindow {
  readonly rows: 'minute' | 'hour';
}

/**
 * Cuts a window so that whole hours are read from rows of hours and only its edges from rows of minutes: thirty days are
 * 720 rows of a route and not 43,200, with the same sums. Source: reliability rules, SLO engine.
 */
export function rangesOf({ first, end }: SummaryWindow): CounterRange[] {
  const firstHour = Math.ceil(first / 60) * 60;
  const endHour = Math.floor(end / 60) * 60;
  if (firstHour >= endHour) return [{ rows: 'minute', first, end }];
  const ranges: CounterRange[] = [
    { rows: 'minute', first, end: firstHour },
    { rows: 'hour', first: firstHour, end: endHour },
    { rows: 'minute', first: endHour, end },
  ];
  return ranges.filter((range) => range.first < range.end);
}
