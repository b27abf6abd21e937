import type { FinishReason } from '../chat-form/chat-answer.ts';
import { type CountsBesideCache, tokenCount } from '../chat-form/chat-usage.ts';

/** Counts of which nothing is known. */
export const noCounts: CountsBesideCache = {
  input: undefined,
  output: undefined,
  cacheRead: undefined,
  cacheWritten: undefined,
};

/** Counts of a `usage`; those that it lacks stay as they were: each event of a stream tells all that it knows. */
export function readCounts(usage: unknown, before: CountsBesideCache = noCounts): CountsBesideCache {
  return {
    input: tokenCount(usage, 'input_tokens') ?? before.input,
    output: tokenCount(usage, 'output_tokens') ?? before.output,
    cacheRead: tokenCount(usage, 'cache_read_input_tokens') ?? before.cacheRead,
    cacheWritten: tokenCount(usage, 'cache_creation_input_tokens') ?? before.cacheWritten,
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
