import type { JsonObject } from '../../json.ts';
import type { AdapterCall } from '../adapter.ts';
import type { ChatRequest, ChatTurn } from '../chat-form/chat-request.ts';
import { strictCallId } from '../chat-form/call-ids.ts';
import { closedSchema } from '../chat-form/closed-schema.ts';
import { earlierTools } from '../chat-form/earlier-tools.ts';
import { readChatRequest } from '../chat-form/read-chat-request.ts';
import { UnsupportedRequestError } from '../errors.ts';
import { anthropicBlock } from './anthropic-parts.ts';

/** Tokens of an answer where the client sets no limit: Anthropic wants one, and all of its models take this. */
export const ANSWER_TOKENS_DEFAULT = 4096;
/** Longer ones are refused by Anthropic; who it is only nudges the model. */
const USER_LENGTH_MAX = 256;
/** OpenAI's goes to 2. */
const TEMPERATURE_MAX = 1;

/**
 * A chat as Anthropic's Messages API takes it. `json_schema` becomes `output_config.format`; what else an answer cannot be made to be is
 * refused. Temperatures above 1 are 1.
 * Source: Anthropic, Messages; structured outputs.
 * @throws UnsupportedRequestError
 */
export function anthropicRequest(call: AdapterCall): JsonObject {
  const request = readChatRequest(call.body);
  if (request.choices > 1) throw new UnsupportedRequestError('this provider gives one answer: n must be 1');
  const { system, temperature, topP, stop, user } = request;
  if (!stop.every((text) => /\S/.test(text))) {
    throw new UnsupportedRequestError('this provider cannot stop at white space alone');
  }
  return {
    model: call.model,
    max_tokens: request.maxTokens ?? ANSWER_TOKENS_DEFAULT,
    ...(system.length > 0 && { system: system.map((text) => ({ type: 'text', text })) }),
    messages: request.turns.map(anthropicMessage),
    ...tools(request),
    ...(stop.length > 0 && { stop_sequences: stop }),
    ...(temperature !== undefined && { temperature: Math.min(temperature, TEMPERATURE_MAX) }),
    // 1 changes nothing, and some models refuse it beside a temperature.
    ...(topP !== undefined && topP !== 1 && { top_p: topP }),
    ...(user !== undefined && user.length <= USER_LENGTH_MAX && { metadata: { user_id: user } }),
    ...format(request),
    ...(call.stream && { stream: true }),
  };
}

function anthropicMessage(turn: ChatTurn): JsonObject {
  if (turn.role === 'user') return { role: 'user', content: turn.parts.map(anthropicBlock) };
  const content: JsonObject[] = turn.texts.map((text) => ({ type: 'text', text }));
  for (const { id, name, input } of turn.calls) content.push({ type: 'tool_use', id: strictCallId(id), name, input });
  return { role: 'assistant', content };
}

function tools(request: ChatRequest): JsonObject {
  if (request.tools.length > 0) {
    return {
      tools: request.tools.map(({ name, description, parameters }) => ({
        name,
        ...(description !== undefined && { description }),
        // Anthropic wants the type, which some clients leave out.
        input_schema: { type: 'object', ...parameters },
      })),
      ...toolChoice(request),
    };
  }
  const earlier = earlierTools(request);
  if (earlier.length === 0) return {};
  return {
    tools: earlier.map((name) => ({ name, input_schema: { type: 'object' } })),
    tool_choice: { type: 'none' },
  };
}

function toolChoice(request: ChatRequest): JsonObject {
  const { toolChoice, parallelToolCalls } = request;
  if (toolChoice === 'none') return { tool_choice: { type: 'none' } };
  const oneByOne = parallelToolCalls === false ? { disable_parallel_tool_use: true } : {};
  if (typeof toolChoice === 'object') return { tool_choice: { type: 'tool', name: toolChoice.name, ...oneByOne } };
  if (toolChoice === 'required') return { tool_choice: { type: 'any', ...oneByOne } };
  return toolChoice === 'auto' || parallelToolCalls === false ? { tool_choice: { type: 'auto', ...oneByOne } } : {};
}

function format({ format }: ChatRequest): JsonObject {
  if (format === undefined) return {};
  if (format.type === 'json_object') {
    throw new UnsupportedRequestError(
      'this provider answers with JSON only by a schema: use response_format json_schema',
    );
  }
  return { output_config: { format: { type: 'json_schema', schema: closedSchema(format.schema) } } };
}
