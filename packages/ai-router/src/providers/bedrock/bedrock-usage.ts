import type { Usage } from '../../usage.ts';
import type { FinishReason } from '../chat-form/chat-answer.ts';
import { tokenCount, usageBesideCache } from '../chat-form/chat-usage.ts';

/** Usage as Converse tells it: tokens of the cache are beside `inputTokens`, not among them. Source: Amazon Bedrock, TokenUsage. */
export function bedrockUsage(usage: unknown): Usage | undefined {
  return usageBesideCache({
    input: tokenCount(usage, 'inputTokens'),
    output: tokenCount(usage, 'outputTokens'),
    cacheRead: tokenCount(usage, 'cacheReadInputTokens'),
    cacheWritten: tokenCount(usage, 'cacheWriteInputTokens'),
  });
}

/** A `stopReason` as OpenAI names it. */
export function bedrockFinishReason(stopReason: unknown): FinishReason {
  switch (stopReason) {
    case 'max_tokens':
    case 'model_context_window_exceeded':
      return 'length';
    case 'tool_use':
      return 'tool_calls';
    case 'guardrail_intervened':
    case 'content_filtered':
      return 'content_filter';
    default:
      return 'stop';
  }
}
