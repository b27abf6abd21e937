/** A place in a text, in UTF-16 units: from `start` up to, and without, `end`. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** Finds what it looks for in a text. */
export interface TextFinder {
  /**
   * All places, in any order; they may overlap. What takes longer than a finder may need is told as one place to the end of the text: more is
   * masked then, and never less.
   */
  rangesIn(text: string): readonly TextRange[];
  /** Whether there is any place, where that is cheaper to say. */
  isIn?(text: string): boolean;
}

/** Puts a mask into the place of each range. Ranges that overlap or touch get one mask. */
export function masked(text: string, ranges: readonly TextRange[], mask: string): string {
  let result = '';
  let done = 0;
  for (const { start, end } of joined(ranges)) {
    result += text.slice(done, start) + mask;
    done = end;
  }
  return result + text.slice(done);
}

function joined(ranges: readonly TextRange[]): readonly TextRange[] {
  const result: TextRange[] = [];
  for (const range of ranges.toSorted((left, right) => left.start - right.start)) {
    const last = result.at(-1);
    if (last === undefined || range.start > last.end) result.push(range);
    else if (range.end > last.end) result[result.length - 1] = { start: last.start, end: range.end };
  }
  return result;
}
