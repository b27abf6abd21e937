import { isJsonObject, type JsonObject } from '../../json.ts';
import { tokenCount } from '../../providers/chat-form/chat-usage.ts';

/**
 * A chat's `finish_reason` as Anthropic names it. Some providers say `stop` although the model called tools; clients run tools only for
 * `tool_use`.
 */
export function stopReasonOf(finishReason: unknown, hasCalls: boolean): string {
  switch (finishReason) {
    case 'length':
      return 'max_tokens';
    case 'content_filter':
      return 'refusal';
    case 'tool_calls':
    case 'function_call':
      return 'tool_use';
    default:
      return hasCalls ? 'tool_use' : 'end_turn';
  }
}

/** A chat's usage as Anthropic tells it: cached tokens beside `input_tokens`, not among them. */
export function messagesUsage(usage: unknown): JsonObject {
  const input = tokenCount(usage, 'prompt_tokens') ?? 0;
  const details = isJsonObject(usage) ? usage['prompt_tokens_details'] : undefined;
  const cached = Math.min(tokenCount(details, 'cached_tokens') ?? 0, input);
  return {
    input_tokens: input - cached,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: cached,
    output_tokens: tokenCount(usage, 'completion_tokens') ?? 0,
  };
}

/** The ID of a message. Clients keep it and read nothing out of it. */
export function messageIdOf(id: unknown): string {
  const given = typeof id === 'string' ? id : '';
  return given.startsWith('msg_') ? given : `msg_${given}`;
}

/** Whether a client of the Messages API asked to see what the model thinks. */
export function wantsThinking(request: JsonObject): boolean {
  const thinking = request['thinking'];
  const type = isJsonObject(thinking) ? thinking['type'] : undefined;
  return type === 'enabled' || type === 'adaptive';
}

/** What a message says that answered: the answer's own word, else what the client asked for. */
export function messageModel(answer: JsonObject, request: JsonObject): string {
  const model = [answer['model'], request['model']].find((name) => typeof name === 'string' && name !== '');
  return typeof model === 'string' ? model : 'unknown';
}
