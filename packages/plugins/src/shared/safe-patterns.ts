import { RE2JS, RE2Set } from 're2js';

/**
 * Most instructions that one pattern, and all of a config together, may be compiled to. A word takes about one for each letter; ten thousand
 * are some tens of milliseconds of compiling, in which a gateway does nothing else.
 */
export const PATTERN_COST_MAX = 200;
export const PATTERNS_COST_MAX = 10_000;

/** Memory for the states of one set that texts have led to, in bytes; what does not fit is worked out again. */
const STATES_BYTES_MAX = 4 * 1024 * 1024;

/** A pattern that cannot be used, by its place among those that were given. */
export interface PatternMistake {
  readonly at: number;
  readonly message: string;
}

/**
 * What keeps patterns from being used. They are compiled in turn, and none after those together cost too much: so a check costs milliseconds,
 * whatever is given.
 */
export function patternMistakes(patterns: readonly string[]): readonly PatternMistake[] {
  const mistakes: PatternMistake[] = [];
  let total = 0;
  for (const [at, pattern] of patterns.entries()) {
    const cost = costOf(pattern);
    if (cost === undefined)
      mistakes.push({
        at,
        message: 'must be a regular expression in RE2 syntax, without look-around and back references',
      });
    else if (cost > PATTERN_COST_MAX)
      mistakes.push({ at, message: `repeats too much: must compile to at most ${PATTERN_COST_MAX} instructions` });
    total += cost ?? 0;
    if (total <= PATTERNS_COST_MAX) continue;
    if (cost === undefined || cost <= PATTERN_COST_MAX)
      mistakes.push({
        at,
        message: `is too much: all patterns together must compile to at most ${PATTERNS_COST_MAX} instructions`,
      });
    break;
  }
  return mistakes;
}

function costOf(pattern: string): number | undefined {
  try {
    return RE2JS.compile(pattern).programSize();
  } catch {
    return undefined;
  }
}

/** Whether one of the patterns is found in a text. */
export type PatternSet = (text: string) => boolean;

/**
 * Compiles patterns that were checked into one machine: a text is gone through once, whatever their number. Its time is linear in the text.
 * @param isCaseSensitive else letters match in both cases
 */
export function patternSet(patterns: readonly string[], isCaseSensitive: boolean): PatternSet {
  if (patterns.length === 0) return () => false;
  const set = new RE2Set(RE2Set.UNANCHORED, isCaseSensitive ? 0 : RE2JS.CASE_INSENSITIVE, STATES_BYTES_MAX);
  for (const pattern of patterns) set.add(pattern);
  set.compile();
  return (text) => set.match(text).length > 0;
}
