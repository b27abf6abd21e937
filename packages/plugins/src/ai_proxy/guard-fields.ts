import {
  compileGuard,
  MASK_DEFAULT,
  piiTypes,
  piiTypesOf,
  type RouterGuards,
  TERM_LENGTH_MAX,
  TERMS_MAX,
  type TextGuard,
} from '@portcullis/ai-router';
import * as v from 'valibot';
import { choice, configObject, flag, text, wholeNumber } from '../shared/config-fields.ts';
import { patternRanges } from '../shared/pattern-ranges.ts';
import { patternMistakes } from '../shared/safe-patterns.ts';

const PATTERN_LENGTH_MAX = 256;
const PATTERNS_MAX = 100;
const MASK_LENGTH_MAX = 64;
const MESSAGE_LENGTH_MAX = 1024;
const MESSAGE_DEFAULT = 'The content was blocked by a guardrail';

const maskField = v.optional(text('What stands in the place of what was found', MASK_LENGTH_MAX, 0), MASK_DEFAULT);
const kinds = v.optional(
  v.pipe(
    v.array(choice('A kind of personal data', piiTypes), 'must be a list of kinds of personal data'),
    v.maxLength(piiTypes.length, `must have at most ${piiTypes.length} entries`),
    v.description('Kinds of personal data; all of them when absent'),
  ),
);

/** `guardrails`: words and patterns that prompts and answers must not hold. */
export const guardrailsField = v.pipe(
  configObject({
    action: v.optional(choice('What becomes of a text in which something is found', ['block', 'mask']), 'block'),
    block_pii: v.optional(flag('Whether personal data in prompts counts, too'), false),
    blocked_patterns: patterns('Regular expressions in RE2 syntax, looked for in prompts'),
    blocked_terms: terms('Words looked for in prompts'),
    case_sensitive: v.optional(flag('Whether letters match in their own case only'), false),
    mask: maskField,
    message: v.optional(
      text('What a client is told of a blocked prompt or answer', MESSAGE_LENGTH_MAX),
      MESSAGE_DEFAULT,
    ),
    pii_types: kinds,
    response_blocked_patterns: patterns('Regular expressions in RE2 syntax, looked for in answers'),
    response_blocked_terms: terms('Words looked for in answers; with any, answers are sent once they are whole'),
    status_code: v.optional(wholeNumber('Status of a blocked prompt or answer', 400, 599), 400),
  }),
  v.description('What prompts and answers must not hold'),
);

/** `pii_redaction`: personal data that is masked. */
export const piiRedactionField = v.pipe(
  configObject({
    apply_to: v.optional(
      choice('Texts in which it is masked; answers are then sent once they are whole', ['request', 'response', 'both']),
      'request',
    ),
    enabled: v.optional(flag('Whether personal data is masked'), true),
    mask: maskField,
    pii_types: kinds,
  }),
  v.description('Personal data that is masked before a provider, or the client, sees it'),
);

/** See {@link guardrailsField}. */
export type Guardrails = v.InferOutput<typeof guardrailsField>;

/** See {@link piiRedactionField}. */
export type PiiRedaction = v.InferOutput<typeof piiRedactionField>;

/** What is wrong with the patterns, each with its place. */
export function guardrailMistakes(given: Guardrails): readonly string[] {
  const all = (['blocked_patterns', 'response_blocked_patterns'] as const).flatMap((field) =>
    (given[field] ?? []).map((pattern, index) => ({ place: `${field}[${index}]`, pattern })),
  );
  return patternMistakes(all.map(({ pattern }) => pattern)).map(({ at, message }) => `${all[at]?.place}: ${message}`);
}

/** The guards that a config means; `undefined` for none. */
export function routerGuards(
  guardrails: Guardrails | undefined,
  redaction: PiiRedaction | undefined,
  monotonicMs: () => number,
): RouterGuards | undefined {
  const request = [requestGuard(guardrails, monotonicMs), redactionGuard(redaction, 'request')].filter(isGuard);
  const response = [responseGuard(guardrails, monotonicMs), redactionGuard(redaction, 'response')].filter(isGuard);
  if (request.length === 0 && response.length === 0) return undefined;
  const { status_code: status = 400, message = MESSAGE_DEFAULT } = guardrails ?? {};
  return { request, response, status, message };
}

function requestGuard(given: Guardrails | undefined, monotonicMs: () => number): TextGuard | undefined {
  if (given === undefined) return undefined;
  const { action, mask, case_sensitive: isCaseSensitive } = given;
  const pii = piiTypesOf(given.block_pii, given.pii_types);
  const found = findersOf(given.blocked_patterns, isCaseSensitive, monotonicMs);
  return compileGuard({ action, mask, isCaseSensitive, terms: given.blocked_terms, patterns: found, pii });
}

function responseGuard(given: Guardrails | undefined, monotonicMs: () => number): TextGuard | undefined {
  if (given === undefined) return undefined;
  const { action, mask, case_sensitive: isCaseSensitive } = given;
  const found = findersOf(given.response_blocked_patterns, isCaseSensitive, monotonicMs);
  return compileGuard({ action, mask, isCaseSensitive, terms: given.response_blocked_terms, patterns: found });
}

function redactionGuard(given: PiiRedaction | undefined, side: 'request' | 'response'): TextGuard | undefined {
  if (given === undefined || (given.apply_to !== side && given.apply_to !== 'both')) return undefined;
  return compileGuard({ action: 'mask', mask: given.mask, pii: piiTypesOf(given.enabled, given.pii_types) });
}

/** One for all patterns: they are looked for in one pass. */
function findersOf(given: readonly string[] | undefined, isCaseSensitive: boolean, monotonicMs: () => number) {
  return given === undefined || given.length === 0 ? [] : [patternRanges(given, isCaseSensitive, monotonicMs)];
}

function isGuard(guard: TextGuard | undefined): guard is TextGuard {
  return guard !== undefined;
}

function patterns(description: string) {
  return v.optional(
    v.pipe(
      v.array(text('A regular expression', PATTERN_LENGTH_MAX), 'must be a list of regular expressions'),
      v.maxLength(PATTERNS_MAX, `must have at most ${PATTERNS_MAX} entries`),
      v.description(description),
    ),
  );
}

function terms(description: string) {
  return v.optional(
    v.pipe(
      v.array(text('A word, or several', TERM_LENGTH_MAX), 'must be a list of words'),
      v.maxLength(TERMS_MAX, `must have at most ${TERMS_MAX} entries`),
      v.description(description),
    ),
  );
}
