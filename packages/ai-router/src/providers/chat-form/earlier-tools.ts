import type { ChatRequest } from './chat-request.ts';

/**
 * Names of tools that the conversation called, once each, in order. Anthropic and Bedrock refuse a conversation with calls when no tools are
 * declared, which OpenAI's clients may well leave out in the end.
 */
export function earlierTools(request: ChatRequest): readonly string[] {
  const names = new Set<string>();
  for (const turn of request.turns) {
    if (turn.role === 'assistant') for (const call of turn.calls) names.add(call.name);
  }
  return [...names];
}
