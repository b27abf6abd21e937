import type { JsonObject } from '../../json.ts';
import type { AdapterCall } from '../adapter.ts';
import type { ChatRequest, ChatTool, ChatTurn } from '../chat-form/chat-request.ts';
import { readChatRequest } from '../chat-form/read-chat-request.ts';
import { SchemaBudget } from '../chat-form/schema-source.ts';
import { UnsupportedRequestError } from '../errors.ts';
import { geminiCallParts, geminiUserContents } from './gemini-parts.ts';
import { geminiSchema } from './gemini-schema.ts';

/** Source: Gemini API, GenerationConfig. */
export const CANDIDATES_MAX = 8;

/**
 * A chat as `generateContent` and `streamGenerateContent` take it. The model and whether it streams stand in the path.
 * `parallel_tool_calls` and `user` have no place and are left out.
 * Source: Gemini API, Generating content.
 * @throws UnsupportedRequestError among others for a conversation that begins with calls, which must follow a user or results
 */
export function geminiRequest(call: AdapterCall): JsonObject {
  const request = readChatRequest(call.body);
  if (request.choices > CANDIDATES_MAX) throw new UnsupportedRequestError(`n must be at most ${CANDIDATES_MAX}`);
  const [first] = request.turns;
  if (first?.role === 'assistant' && first.calls.length > 0) {
    throw new UnsupportedRequestError('this provider takes no conversation that begins with calls of tools');
  }
  const isSigned = call.model.includes('gemini-3');
  const budget = new SchemaBudget();
  const generationConfig = generation(request, budget);
  return {
    ...(request.system.length > 0 && { systemInstruction: { parts: request.system.map((text) => ({ text })) } }),
    contents: request.turns.flatMap((turn) => contents(turn, isSigned)),
    ...(Object.keys(generationConfig).length > 0 && { generationConfig }),
    ...(request.tools.length > 0 && {
      tools: [{ functionDeclarations: request.tools.map((tool) => declaration(tool, budget)) }],
      ...toolConfig(request),
    }),
  };
}

function contents(turn: ChatTurn, isSigned: boolean): readonly JsonObject[] {
  if (turn.role === 'user') return geminiUserContents(turn.parts);
  const said = turn.texts.map((text) => ({ text }));
  return [{ role: 'model', parts: [...said, ...geminiCallParts(turn.calls, isSigned)] }];
}

function generation(request: ChatRequest, budget: SchemaBudget): JsonObject {
  const { maxTokens, temperature, topP, stop, choices, format } = request;
  return {
    ...(maxTokens !== undefined && { maxOutputTokens: maxTokens }),
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    ...(stop.length > 0 && { stopSequences: stop }),
    ...(choices > 1 && { candidateCount: choices }),
    ...(format !== undefined && { responseMimeType: 'application/json' }),
    ...(format?.type === 'json_schema' && { responseSchema: geminiSchema(format.schema, budget) }),
  };
}

function declaration({ name, description, parameters }: ChatTool, budget: SchemaBudget): JsonObject {
  const schema = geminiSchema({ type: 'object', ...parameters }, budget);
  const properties = schema['properties'];
  // Gemini refuses an object without properties as parameters.
  const isEmpty = typeof properties !== 'object' || properties === null || Object.keys(properties).length === 0;
  return { name, ...(description !== undefined && { description }), ...(!isEmpty && { parameters: schema }) };
}

function toolConfig({ toolChoice }: ChatRequest): JsonObject {
  if (toolChoice === undefined) return {};
  if (typeof toolChoice === 'object') {
    return { toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: [toolChoice.name] } } };
  }
  const mode = { auto: 'AUTO', none: 'NONE', required: 'ANY' }[toolChoice];
  return { toolConfig: { functionCallingConfig: { mode } } };
}
