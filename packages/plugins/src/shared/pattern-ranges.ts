import { RE2JS } from 're2js';
import { patternSet } from './safe-patterns.ts';

/** A place in a text, in UTF-16 units. */
interface PatternRange {
  readonly start: number;
  readonly end: number;
}

/** Where patterns match in a text. The shape of `TextFinder` of `@portcullis/ai-router`. */
export interface PatternRanges {
  /** Places of all patterns. When the time is over, what is left of the text is one place. */
  rangesIn(text: string): readonly PatternRange[];
  /** Whether any of them matches: one pass, whatever their number. */
  isIn(text: string): boolean;
}

/**
 * Milliseconds that the places of one text may take. To find one is linear in the text; to find all is not, where each search looks to
 * the end of the text in vain.
 */
export const PLACES_TIME_MS = 100;

/**
 * Compiles patterns that were checked (`patternMistakes`) to find their places. Matches of nothing are none.
 * @param isCaseSensitive else letters match in both cases
 */
export function patternRanges(
  patterns: readonly string[],
  isCaseSensitive: boolean,
  monotonicMs: () => number,
): PatternRanges {
  const isIn = patternSet(patterns, isCaseSensitive);
  const flags = isCaseSensitive ? 0 : RE2JS.CASE_INSENSITIVE;
  const compiled = patterns.map((pattern) => RE2JS.compile(pattern, flags));
  return {
    isIn,
    rangesIn(text) {
      if (!isIn(text)) return [];
      const ranges: PatternRange[] = [];
      const endMs = monotonicMs() + PLACES_TIME_MS;
      for (const pattern of compiled) {
        const matcher = pattern.matcher(text);
        let searchedTo = 0;
        while (matcher.find()) {
          const range = { start: matcher.start(), end: matcher.end() };
          if (range.end > range.start) ranges.push(range);
          searchedTo = range.end;
          if (monotonicMs() > endMs) break;
        }
        if (monotonicMs() > endMs) {
          ranges.push({ start: searchedTo, end: text.length });
          // Whoever had no turn may match anywhere.
          if (pattern !== compiled.at(-1)) return [{ start: 0, end: text.length }];
        }
      }
      return ranges;
    },
  };
}
