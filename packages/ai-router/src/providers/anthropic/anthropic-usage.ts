import type { Usage } from '../../usage.ts';
import type { FinishReason } from '../chat-form/chat-answer.ts';
import { tokenCount } from '../chat-form/chat-usage.ts';

/** Counts as Anthropic gives them: tokens of the cache are beside `input_tokens`, not among them. */
export interface AnthropicCounts {
  readonly input: number | undefined;
  readonly output: number | undefined;
  readonly cacheRead: number | undefined;
  readonly cacheWritten: number | undefined;
}

/** Counts of which nothing is known. */
export const noCounts: AnthropicCounts = {
  input: undefined,
  output: undefined,
  cacheRead: undefined,
  cacheWritten: undefined,
};

/** Counts of a `usage`; those that it lacks stay as they were: each event of a stream tells all that it knows. */
export function readCounts(usage: unknown, before: AnthropicCounts = noCounts): AnthropicCounts {
  return {
    input: tokenCount(usage, 'input_tokens') ?? before.input,
    output: tokenCount(usage, 'output_tokens') ?? before.output,
    cacheRead: tokenCount(usage, 'cache_read_input_tokens') ?? before.cacheRead,
    cacheWritten: tokenCount(usage, 'cache_creation_input_tokens') ?? before.cacheWritten,
  };
}

/** The same as everyone else counts; `undefined` when nothing is known. */
export function usageOf(counts: AnthropicCounts): Usage | undefined {
  const { input, output, cacheRead, cacheWritten } = counts;
  if (input === undefined && output === undefined) return undefined;
  return {
    inputTokens: (input ?? 0) + (cacheRead ?? 0) + (cacheWritten ?? 0),
    outputTokens: output ?? 0,
    ...(cacheRead !== undefined && { cachedInputTokens: cacheRead }),
  };
}

/** A `stop_reason` as OpenAI names it. Source: Anthropic, Handling stop reasons. */
export function finishReasonOf(stopReason: unknown): FinishReason {
  switch (stopReason) {
    case 'max_tokens':
    case 'model_context_window_exceeded':
      return 'length';
    case 'tool_use':
      return 'tool_calls';
    case 'refusal':
      return 'content_filter';
    default:
      return 'stop';
  }
}
