import { MASK_DEFAULT } from '@portcullis/ai-router';
import * as v from 'valibot';
import { contentTypes } from '../shared/bodies/body-fields.ts';
import { answerBytes } from '../shared/chat/answer-bytes.ts';
import { ANSWER_TYPES } from '../shared/chat/read-answer.ts';
import { choice, configObject, flag, wholeNumber } from '../shared/config-fields.ts';
import { crossFieldRule, requireOneOf, type CrossFieldIssue } from '../shared/config-rules.ts';
import { BLOCKED_MESSAGE, maskText, messageText, patternList, piiKinds, termList } from '../shared/guard-fields.ts';
import { patternMistakes } from '../shared/safe-patterns.ts';

const fields = configObject({
  action: v.optional(
    choice('What becomes of an answer in which something is found: it is refused, or what was found is masked', [
      'block',
      'mask',
    ]),
    'block',
  ),
  block_pii: v.optional(flag('Whether personal data is looked for; true where pii_types is given')),
  blocked_patterns: patternList('Regular expressions in RE2 syntax that are looked for'),
  blocked_terms: termList('Words that are looked for'),
  case_sensitive: v.optional(flag('Whether letters match in their own case only'), false),
  content_types: contentTypes(
    'Types of answers that are judged; those that say none, or application/octet-stream, always are; answers of other types pass',
    ANSWER_TYPES,
  ),
  mask: v.optional(maskText(), MASK_DEFAULT),
  max_body_bytes: answerBytes('Longest answer, as sent and decoded, in bytes: a longer one is refused with 502'),
  message: v.optional(messageText('What a client is told of a blocked answer'), BLOCKED_MESSAGE),
  pii_types: piiKinds('Kinds of personal data that are looked for; all of them when absent'),
  response_blocked_patterns: patternList('More of blocked_patterns, as ai_proxy calls those for answers'),
  response_blocked_terms: termList('More of blocked_terms, as ai_proxy calls those for answers'),
  status_code: v.optional(wholeNumber('Status of a blocked answer', 400, 599), 400),
});

/** See {@link config}. */
export type Config = v.InferOutput<typeof fields>;

const PATTERN_FIELDS = ['blocked_patterns', 'response_blocked_patterns'] as const;
const TERM_FIELDS = ['blocked_terms', 'response_blocked_terms'] as const;

/** Config of `ai_response_guard`. Source: spec, Contract and AI policies. */
export const config = crossFieldRule(
  requireOneOf(fields, ['block_pii', 'pii_types', ...PATTERN_FIELDS, ...TERM_FIELDS]),
  (given) => [...emptyRules(given), ...piiIssues(given), ...patternIssues(given)],
);

/** All patterns of a config. */
export function patternsOf(given: Config): readonly string[] {
  return PATTERN_FIELDS.flatMap((field) => given[field] ?? []);
}

/** All words of a config. */
export function termsOf(given: Config): readonly string[] {
  return TERM_FIELDS.flatMap((field) => given[field] ?? []);
}

/** Whether personal data is looked for. */
export function looksForPii({ block_pii: said, pii_types: types }: Config): boolean {
  return said ?? types !== undefined;
}

/** A guard that looks for nothing lets everything pass: nobody means that. */
function emptyRules(given: Config): readonly CrossFieldIssue[] {
  if (looksForPii(given) || patternsOf(given).length > 0 || termsOf(given).length > 0) return [];
  const named = (['block_pii', 'pii_types', ...PATTERN_FIELDS, ...TERM_FIELDS] as const).find(
    (field) => given[field] !== undefined,
  );
  return named === undefined ? [] : [{ field: named, message: 'leaves nothing to look for' }];
}

function piiIssues({ block_pii: said, pii_types: types }: Config): readonly CrossFieldIssue[] {
  if (types === undefined) return [];
  if (said === false) return [{ field: 'pii_types', message: 'needs block_pii' }];
  return types.length === 0 ? [{ field: 'pii_types', message: 'must not be empty' }] : [];
}

function patternIssues(given: Config): readonly CrossFieldIssue[] {
  const places = PATTERN_FIELDS.flatMap((field) => (given[field] ?? []).map((_pattern, index) => ({ field, index })));
  return patternMistakes(patternsOf(given)).flatMap(({ at, message }) => {
    const place = places[at];
    return place === undefined ? [] : [{ ...place, message }];
  });
}
