import type { Usage } from '../../usage.ts';
import type { FinishReason } from '../chat-form/chat-answer.ts';
import { tokenCount } from '../chat-form/chat-usage.ts';

/** Usage as Gemini tells it: cached tokens are among those of the prompt, thoughts are beside those of the answer. Source: Gemini API, UsageMetadata. */
export function geminiUsage(metadata: unknown): Usage | undefined {
  const prompt = tokenCount(metadata, 'promptTokenCount');
  const candidates = tokenCount(metadata, 'candidatesTokenCount');
  if (prompt === undefined && candidates === undefined) return undefined;
  const cached = tokenCount(metadata, 'cachedContentTokenCount');
  return {
    inputTokens: (prompt ?? 0) + (tokenCount(metadata, 'toolUsePromptTokenCount') ?? 0),
    outputTokens: (candidates ?? 0) + (tokenCount(metadata, 'thoughtsTokenCount') ?? 0),
    ...(cached !== undefined && { cachedInputTokens: cached }),
  };
}

const filtered: ReadonlySet<unknown> = new Set([
  'SAFETY',
  'RECITATION',
  'LANGUAGE',
  'BLOCKLIST',
  'PROHIBITED_CONTENT',
  'SPII',
  'MODEL_ARMOR',
  'IMAGE_SAFETY',
  'IMAGE_PROHIBITED_CONTENT',
  'IMAGE_RECITATION',
]);

/** The model began something that came to nothing. */
const failed: ReadonlySet<unknown> = new Set([
  'MALFORMED_FUNCTION_CALL',
  'MALFORMED_RESPONSE',
  'MISSING_THOUGHT_SIGNATURE',
  'NO_IMAGE',
  'OTHER',
  'TOO_MANY_TOOL_CALLS',
  'UNEXPECTED_TOOL_CALL',
]);

/**
 * A `finishReason` as OpenAI names it; Gemini says `STOP` for calls of tools too. `undefined`: the model failed, and what there is is no
 * answer. Source: Gemini API, FinishReason.
 */
export function geminiFinishReason(reason: unknown, hasCalls: boolean): FinishReason | undefined {
  if (failed.has(reason)) return undefined;
  if (reason === 'MAX_TOKENS') return 'length';
  if (filtered.has(reason)) return 'content_filter';
  return hasCalls ? 'tool_calls' : 'stop';
}
