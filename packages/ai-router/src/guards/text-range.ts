/** A place in a text, in UTF-16 units: from `start` up to, and without, `end`. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** Finds what it looks for in a text. Its time is linear in the text, whatever the text is. */
export interface TextFinder {
  /** All places, in any order; they may overlap. */
  rangesIn(text: string): readonly TextRange[];
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
