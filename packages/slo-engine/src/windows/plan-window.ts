/** Counters of one length that are read: from the minute `first` to before the minute `end`, whole minutes since 1970. */
export interface CounterRange {
  /** How many minutes each counter covers. */
  readonly grainMinutes: number;
  readonly first: number;
  readonly end: number;
}

/** Which counters make up a window. */
export interface WindowPlan {
  /** Events at this moment are outside. */
  readonly fromMs: number;
  /** Events at this moment are inside. */
  readonly toMs: number;
  /** Counters that count as a whole, in the order of time, without overlap. */
  readonly whole: readonly CounterRange[];
  /**
   * The one counter that the beginning of the window cuts, of the shortest length. What of it is inside cannot be told from the
   * counter.
   */
  readonly cut: CounterRange;
  /**
   * The one counter in which the window ends, of the shortest length. It is inside as a whole unless something after now is counted
   * already, as by a clock that is ahead.
   */
  readonly last: CounterRange;
}

/** What a window is planned from. */
export interface WindowRequest {
  readonly nowMs: number;
  /** Whole minutes, 1 or more. */
  readonly windowMinutes: number;
  /** Lengths of the counters there are, in minutes, the longest first. Each is a multiple of the next. Hours and minutes by default. */
  readonly grainsMinutes?: readonly number[] | undefined;
}

const minuteMs = 60_000;
const hoursAndMinutes = [60, 1] as const;

/**
 * Plans the window `(now − W, now]` so that the longest counters are used wherever they fit: thirty days are 720 counters of
 * hours or fewer, at most 118 of minutes, the minute that the window cuts and the one in which it ends. Source: reliability rules, SLO engine.
 * @throws RangeError for a window or lengths that are not as described
 */
export function planWindow({ nowMs, windowMinutes, grainsMinutes = hoursAndMinutes }: WindowRequest): WindowPlan {
  const shortest = checkedShortest(windowMinutes, grainsMinutes);
  const fromMs = nowMs - windowMinutes * minuteMs;
  const startOf = (ms: number): number => Math.floor(ms / (shortest * minuteMs)) * shortest;
  const cutFirst = startOf(fromMs);
  const cutEnd = cutFirst + shortest;
  // A window that is shorter than its counters ends in the one that it cuts.
  const lastFirst = Math.max(startOf(nowMs), cutEnd);
  return {
    fromMs,
    toMs: nowMs,
    whole: rangesOf(cutEnd, lastFirst, grainsMinutes),
    cut: { grainMinutes: shortest, first: cutFirst, end: cutEnd },
    last: { grainMinutes: shortest, first: lastFirst, end: Math.max(startOf(nowMs) + shortest, lastFirst) },
  };
}

/** Cuts minutes into the longest counters that fit, and what is left on both sides into shorter ones. */
function rangesOf(first: number, end: number, grainsMinutes: readonly number[]): CounterRange[] {
  const [grainMinutes, ...shorter] = grainsMinutes;
  if (grainMinutes === undefined || first >= end) return [];
  const innerFirst = Math.ceil(first / grainMinutes) * grainMinutes;
  const innerEnd = Math.floor(end / grainMinutes) * grainMinutes;
  if (innerFirst >= innerEnd) return rangesOf(first, end, shorter);
  return [
    ...rangesOf(first, innerFirst, shorter),
    { grainMinutes, first: innerFirst, end: innerEnd },
    ...rangesOf(innerEnd, end, shorter),
  ];
}

function checkedShortest(windowMinutes: number, grainsMinutes: readonly number[]): number {
  const shortest = grainsMinutes.at(-1);
  const isSorted = grainsMinutes.every(
    (grain, index) =>
      Number.isInteger(grain) && grain > 0 && (index === 0 || Number(grainsMinutes[index - 1]) % grain === 0),
  );
  if (shortest === undefined || !isSorted || !Number.isInteger(windowMinutes) || windowMinutes < 1) {
    throw new RangeError('A window must have whole minutes, and lengths of counters each be a multiple of the next.');
  }
  return shortest;
}
