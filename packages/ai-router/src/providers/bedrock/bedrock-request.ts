import type { JsonObject } from '../../json.ts';
import type { AdapterCall } from '../adapter.ts';
import type { ChatRequest, ChatTurn } from '../chat-form/chat-request.ts';
import { strictCallId } from '../chat-form/call-ids.ts';
import { closedSchema } from '../chat-form/closed-schema.ts';
import { earlierTools } from '../chat-form/earlier-tools.ts';
import { requestJson } from '../chat-form/json-text.ts';
import { readChatRequest } from '../chat-form/read-chat-request.ts';
import { UnsupportedRequestError } from '../errors.ts';
import { bedrockBlock } from './bedrock-parts.ts';

/** The most that Converse takes; OpenAI's goes to 2. */
const TEMPERATURE_MAX = 1;

/**
 * A chat as Bedrock's Converse and ConverseStream take it. The model stands in the path. `json_schema` becomes
 * `outputConfig.textFormat`; `json_object`, `n` above 1 and conversations that begin with the assistant are refused; `user` and `parallel_tool_calls` have no place and are left out.
 * Source: Amazon Bedrock, Converse.
 * @throws UnsupportedRequestError
 */
export function bedrockRequest(call: AdapterCall): JsonObject {
  const request = readChatRequest(call.body);
  if (request.choices > 1) throw new UnsupportedRequestError('this provider gives one answer: n must be 1');
  const { system, turns } = request;
  if (turns[0]?.role === 'assistant') {
    throw new UnsupportedRequestError('this provider takes no conversation that begins with the assistant');
  }
  return {
    ...(system.length > 0 && { system: system.map((text) => ({ text })) }),
    messages: turns.map(bedrockMessage),
    ...inference(request),
    ...tools(request),
    ...format(request),
  };
}

function bedrockMessage(turn: ChatTurn): JsonObject {
  if (turn.role === 'user') return { role: 'user', content: turn.parts.map(bedrockBlock) };
  const content: JsonObject[] = turn.texts.map((text) => ({ text }));
  for (const { id, name, input } of turn.calls) {
    content.push({ toolUse: { toolUseId: strictCallId(id), name, input } });
  }
  return { role: 'assistant', content };
}

function inference({ maxTokens, temperature, topP, stop }: ChatRequest): JsonObject {
  const config: JsonObject = {
    ...(maxTokens !== undefined && { maxTokens }),
    ...(temperature !== undefined && { temperature: Math.min(temperature, TEMPERATURE_MAX) }),
    // 1 changes nothing, and some models refuse it beside a temperature.
    ...(topP !== undefined && topP !== 1 && { topP }),
    ...(stop.length > 0 && { stopSequences: stop }),
  };
  return Object.keys(config).length === 0 ? {} : { inferenceConfig: config };
}

function tools(request: ChatRequest): JsonObject {
  const earlier = earlierTools(request);
  if (request.toolChoice === 'none' || request.tools.length === 0) {
    if (earlier.length === 0) return {};
    // Converse cannot forbid calls, and refuses a conversation with calls whose tools are not declared.
    if (request.tools.length > 0)
      throw new UnsupportedRequestError('this provider cannot do tool_choice none after calls');
    return { toolConfig: { tools: earlier.map((name) => toolSpec(name, { type: 'object' })) } };
  }
  const declared = request.tools.map((tool) =>
    toolSpec(tool.name, { type: 'object', ...tool.parameters }, tool.description),
  );
  return { toolConfig: { tools: declared, ...toolChoice(request) } };
}

function toolSpec(name: string, schema: JsonObject, description?: string): JsonObject {
  // Converse refuses a description that is empty.
  const told = description === undefined || description === '' ? {} : { description };
  return { toolSpec: { name, ...told, inputSchema: { json: schema } } };
}

function toolChoice({ toolChoice }: ChatRequest): JsonObject {
  if (typeof toolChoice === 'object') return { toolChoice: { tool: { name: toolChoice.name } } };
  if (toolChoice === 'required') return { toolChoice: { any: {} } };
  return toolChoice === 'auto' ? { toolChoice: { auto: {} } } : {};
}

function format({ format }: ChatRequest): JsonObject {
  if (format === undefined) return {};
  if (format.type === 'json_object') {
    throw new UnsupportedRequestError(
      'this provider answers with JSON only by a schema: use response_format json_schema',
    );
  }
  const jsonSchema = { name: format.name, schema: requestJson(closedSchema(format.schema)) };
  return { outputConfig: { textFormat: { type: 'json_schema', structure: { jsonSchema } } } };
}
