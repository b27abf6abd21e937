import { RE2JS } from 're2js';

/** Where patterns match in a text, in UTF-16 units. The shape of `TextFinder` of `@portcullis/ai-router`. */
export interface PatternRanges {
  rangesIn(text: string): readonly { readonly start: number; readonly end: number }[];
}

/**
 * Compiles a pattern that was checked (`patternMistakes`) to find its places. Its time is linear in the text. Matches of nothing are none.
 * @param isCaseSensitive else letters match in both cases
 */
export function patternRanges(pattern: string, isCaseSensitive: boolean): PatternRanges {
  const compiled = RE2JS.compile(pattern, isCaseSensitive ? 0 : RE2JS.CASE_INSENSITIVE);
  return {
    rangesIn(text) {
      const ranges: { start: number; end: number }[] = [];
      const matcher = compiled.matcher(text);
      while (matcher.find()) {
        const range = { start: matcher.start(), end: matcher.end() };
        if (range.end > range.start) ranges.push(range);
      }
      return ranges;
    },
  };
}
