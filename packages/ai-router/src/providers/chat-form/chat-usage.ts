import { isJsonObject, type JsonObject } from '../../json.ts';
import type { Usage } from '../../usage.ts';

/** Usage as OpenAI tells it: cached tokens are among those of the prompt. */
export function chatUsage(usage: Usage): JsonObject {
  const { inputTokens, outputTokens, cachedInputTokens } = usage;
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    ...(cachedInputTokens !== undefined && { prompt_tokens_details: { cached_tokens: cachedInputTokens } }),
  };
}

/** Counts of a provider whose tokens of the cache are beside those of the prompt, not among them. */
export interface CountsBesideCache {
  readonly input: number | undefined;
  readonly output: number | undefined;
  readonly cacheRead: number | undefined;
  readonly cacheWritten: number | undefined;
}

/** The same as everyone else counts; `undefined` when nothing is known. */
export function usageBesideCache(counts: CountsBesideCache): Usage | undefined {
  const { input, output, cacheRead, cacheWritten } = counts;
  if (input === undefined && output === undefined) return undefined;
  return {
    inputTokens: (input ?? 0) + (cacheRead ?? 0) + (cacheWritten ?? 0),
    outputTokens: output ?? 0,
    ...(cacheRead !== undefined && { cachedInputTokens: cacheRead }),
  };
}

/** A count of tokens that a provider gave; `undefined` for anything else. An explicit zero is zero. Source: ai, Token accounting. */
export function tokenCount(object: unknown, name: string): number | undefined {
  if (!isJsonObject(object) || !Object.hasOwn(object, name)) return undefined;
  const value = object[name];
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}
