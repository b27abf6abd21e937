import type { JsonObject } from '../json.ts';
import type { AiOperation } from '../operation.ts';
import { requestTexts, requestTokens } from '../request/texts.ts';

/** Characters of a prompt that are taken for one token. Source: spec, AI gateway. */
export const CHARACTERS_PER_TOKEN = 4;

/** What a request will use, as far as can be said before. */
export interface TokenEstimate {
  readonly promptTokens: number;
  /** That the request allows for the answer; 0 where it does not say. */
  readonly maxTokens: number;
  /** What is held back: both together. */
  readonly total: number;
  /** Of all texts. UTF-16 units. */
  readonly promptCharacters: number;
}

/**
 * Estimates a request's tokens: one for four characters of all its texts, rounded up, and those that it allows for the answer. Of several
 * answers (`n`) each may take as many. Source: spec, AI gateway; ai, Token accounting.
 * @param operation whose form the body has
 */
export function estimateTokens(operation: AiOperation, body: JsonObject): TokenEstimate {
  let promptCharacters = 0;
  for (const { text } of requestTexts(operation, body)) promptCharacters += text.length;
  const promptTokens = Math.ceil(promptCharacters / CHARACTERS_PER_TOKEN) + requestTokens(operation, body);
  const maxTokens = allowedTokens(operation, body);
  return { promptTokens, maxTokens, total: promptTokens + maxTokens, promptCharacters };
}

/** Tokens of an answer whose usage its provider did not tell. Source: ai, Token accounting. @param characters that the model wrote */
export function tokensOfText(characters: number): number {
  return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}

/** Names of the limit of an answer. Chats have two, and servers differ in which they know: the larger counts. */
const limitFields: Readonly<Record<AiOperation, readonly string[]>> = {
  chat: ['max_completion_tokens', 'max_tokens'],
  completions: ['max_tokens'],
  embeddings: [],
  messages: ['max_tokens'],
  responses: ['max_output_tokens'],
};

function allowedTokens(operation: AiOperation, body: JsonObject): number {
  const limit = Math.max(0, ...limitFields[operation].map((field) => wholeNumber(body, field) ?? 0));
  const isChoice = operation === 'chat' || operation === 'completions';
  const answers = isChoice ? Math.max(1, wholeNumber(body, 'n') ?? 1, wholeNumber(body, 'best_of') ?? 1) : 1;
  return Math.min(limit * answers, Number.MAX_SAFE_INTEGER);
}

function wholeNumber(body: JsonObject, field: string): number | undefined {
  const value = Object.hasOwn(body, field) ? body[field] : undefined;
  return typeof value === 'number' && Number.isFinite(value) ? Math.ceil(value) : undefined;
}
