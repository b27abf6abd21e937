import { piiTypes, TERM_LENGTH_MAX, TERMS_MAX } from '@portcullis/ai-router';
import * as v from 'valibot';
import { choice, text } from './config-fields.ts';
import { patternRanges, type PatternRanges } from './pattern-ranges.ts';

const PATTERN_LENGTH_MAX = 256;
const PATTERNS_MAX = 100;
const MASK_LENGTH_MAX = 64;
const MESSAGE_LENGTH_MAX = 1024;

/** What a client is told of a blocked text where a config says nothing. */
export const BLOCKED_MESSAGE = 'The content was blocked by a guardrail';

/** What stands in the place of what was found. */
export function maskText() {
  return text('What stands in the place of what was found', MASK_LENGTH_MAX, 0);
}

/** What a client is told. */
export function messageText(description: string) {
  return text(description, MESSAGE_LENGTH_MAX);
}

/** A list of kinds of personal data. */
export function piiKinds(description: string) {
  return v.optional(
    v.pipe(
      v.array(choice('A kind of personal data', piiTypes), 'must be a list of kinds of personal data'),
      v.maxLength(piiTypes.length, `must have at most ${piiTypes.length} entries`),
      v.description(description),
    ),
  );
}

/** A list of regular expressions. What cannot be compiled is for `patternMistakes` to say. */
export function patternList(description: string) {
  return v.optional(
    v.pipe(
      v.array(text('A regular expression', PATTERN_LENGTH_MAX), 'must be a list of regular expressions'),
      v.maxLength(PATTERNS_MAX, `must have at most ${PATTERNS_MAX} entries`),
      v.description(description),
    ),
  );
}

/** A list of words. */
export function termList(description: string) {
  return v.optional(
    v.pipe(
      v.array(text('A word, or several', TERM_LENGTH_MAX), 'must be a list of words'),
      v.maxLength(TERMS_MAX, `must have at most ${TERMS_MAX} entries`),
      v.description(description),
    ),
  );
}

/** One finder for all patterns: they are looked for in one pass. */
export function patternFinders(
  given: readonly string[] | undefined,
  isCaseSensitive: boolean,
  monotonicMs: () => number,
): readonly PatternRanges[] {
  return given === undefined || given.length === 0 ? [] : [patternRanges(given, isCaseSensitive, monotonicMs)];
}
