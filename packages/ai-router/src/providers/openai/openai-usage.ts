import { isJsonObject, type JsonObject } from '../../json.ts';
import type { Usage } from '../../usage.ts';

/**
 * Usage as OpenAI tells it: `prompt_tokens` and `completion_tokens`, or `input_tokens` and `output_tokens` of responses. `undefined` for what
 * is none, or lacks what was written: that is counted from text then. A zero is a zero. Some vendors count reasoning in the total alone: what the total has above the prompt is the answer's.
 * Source: OpenAI API, chat and responses; ai, Token accounting.
 * @param outputDefault of embeddings, which write nothing and tell of nothing written
 */
export function readOpenAiUsage(usage: unknown, outputDefault?: number): Usage | undefined {
  if (!isJsonObject(usage)) return undefined;
  const inputTokens = tokens(usage, 'prompt_tokens') ?? tokens(usage, 'input_tokens');
  if (inputTokens === undefined) return undefined;
  const written = tokens(usage, 'completion_tokens') ?? tokens(usage, 'output_tokens') ?? outputDefault;
  const beyondPrompt = (tokens(usage, 'total_tokens') ?? 0) - inputTokens;
  if (written === undefined && beyondPrompt <= 0) return undefined;
  const cached =
    detail(usage, 'prompt_tokens_details') ??
    detail(usage, 'input_tokens_details') ??
    tokens(usage, 'prompt_cache_hit_tokens');
  const outputTokens = Math.max(written ?? 0, beyondPrompt);
  return cached === undefined
    ? { inputTokens, outputTokens }
    : { inputTokens, outputTokens, cachedInputTokens: cached };
}

function detail(usage: JsonObject, name: string): number | undefined {
  const details = usage[name];
  return isJsonObject(details) ? tokens(details, 'cached_tokens') : undefined;
}

/** A count of tokens, or `undefined` for what is none. */
export function tokens(object: JsonObject, name: string): number | undefined {
  const value = Object.hasOwn(object, name) ? object[name] : undefined;
  return typeof value === 'number' && value >= 0 && Number.isSafeInteger(Math.ceil(value))
    ? Math.ceil(value)
    : undefined;
}
