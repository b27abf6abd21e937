import { compileGuard, MASK_DEFAULT, piiTypesOf, type RouterGuards, type TextGuard } from '@portcullis/ai-router';
import * as v from 'valibot';
import { choice, configObject, flag, wholeNumber } from '../shared/config-fields.ts';
import {
  BLOCKED_MESSAGE,
  maskText,
  messageText,
  patternFinders,
  patternList,
  piiKinds,
  termList,
} from '../shared/guard-fields.ts';
import { patternMistakes } from '../shared/safe-patterns.ts';

const maskField = v.optional(maskText(), MASK_DEFAULT);
const kinds = piiKinds('Kinds of personal data; all of them when absent');

/** `guardrails`: words and patterns that prompts and answers must not hold. */
export const guardrailsField = v.pipe(
  configObject({
    action: v.optional(choice('What becomes of a text in which something is found', ['block', 'mask']), 'block'),
    block_pii: v.optional(flag('Whether personal data in prompts counts, too'), false),
    blocked_patterns: patternList('Regular expressions in RE2 syntax, looked for in prompts'),
    blocked_terms: termList('Words looked for in prompts'),
    case_sensitive: v.optional(flag('Whether letters match in their own case only'), false),
    mask: maskField,
    message: v.optional(messageText('What a client is told of a blocked prompt or answer'), BLOCKED_MESSAGE),
    pii_types: kinds,
    response_blocked_patterns: patternList('Regular expressions in RE2 syntax, looked for in answers'),
    response_blocked_terms: termList('Words looked for in answers; with any, answers are sent once they are whole'),
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
  const { status_code: status = 400, message = BLOCKED_MESSAGE } = guardrails ?? {};
  return { request, response, status, message };
}

function requestGuard(given: Guardrails | undefined, monotonicMs: () => number): TextGuard | undefined {
  if (given === undefined) return undefined;
  const { action, mask, case_sensitive: isCaseSensitive } = given;
  const pii = piiTypesOf(given.block_pii, given.pii_types);
  const found = patternFinders(given.blocked_patterns, isCaseSensitive, monotonicMs);
  return compileGuard({ action, mask, isCaseSensitive, terms: given.blocked_terms, patterns: found, pii });
}

function responseGuard(given: Guardrails | undefined, monotonicMs: () => number): TextGuard | undefined {
  if (given === undefined) return undefined;
  const { action, mask, case_sensitive: isCaseSensitive } = given;
  const found = patternFinders(given.response_blocked_patterns, isCaseSensitive, monotonicMs);
  return compileGuard({ action, mask, isCaseSensitive, terms: given.response_blocked_terms, patterns: found });
}

function redactionGuard(given: PiiRedaction | undefined, side: 'request' | 'response'): TextGuard | undefined {
  if (given === undefined || (given.apply_to !== side && given.apply_to !== 'both')) return undefined;
  return compileGuard({ action: 'mask', mask: given.mask, pii: piiTypesOf(given.enabled, given.pii_types) });
}

function isGuard(guard: TextGuard | undefined): guard is TextGuard {
  return guard !== undefined;
}
