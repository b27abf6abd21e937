import type { JsonObject } from '../../json.ts';
import type { AdapterCall } from '../adapter.ts';
import type { ChatPart, ChatRequest, ChatToolResult, ChatTurn } from '../chat-form/chat-request.ts';
import { fieldOf, numberField, stringField } from '../chat-form/field.ts';
import { readEmbeddingsRequest } from '../chat-form/embeddings.ts';
import { requestJson } from '../chat-form/json-text.ts';
import { readChatRequest } from '../chat-form/read-chat-request.ts';
import { UnsupportedRequestError } from '../errors.ts';

/** Texts of one call of `/v2/embed`. Source: Cohere API, embed. */
const TEXTS_MAX = 96;

/**
 * A chat as `/v2/chat` takes it. A tool that must be called is the only one that is offered. Source: Cohere API, chat.
 * @throws UnsupportedRequestError for several answers, and for files and audio
 */
export function cohereChatRequest({ body, model, stream }: AdapterCall): JsonObject {
  const request = readChatRequest(body);
  if (request.choices !== 1) throw new UnsupportedRequestError('this provider gives one answer: n must be 1');
  if (fieldOf(body, 'logit_bias') !== undefined)
    throw new UnsupportedRequestError('logit_bias is not known to this provider');
  const seed = numberField(body, 'seed');
  const presence = numberField(body, 'presence_penalty');
  const frequency = numberField(body, 'frequency_penalty');
  const { maxTokens, temperature, topP, stop, format } = request;
  return {
    model,
    messages: [...request.system.map((content) => ({ role: 'system', content })), ...request.turns.flatMap(messagesOf)],
    stream,
    ...toolsOf(request),
    ...(format !== undefined && {
      response_format: { type: 'json_object', ...(format.type === 'json_schema' && { json_schema: format.schema }) },
    }),
    ...(maxTokens !== undefined && { max_tokens: maxTokens }),
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { p: topP }),
    ...(stop.length > 0 && { stop_sequences: stop }),
    ...(seed !== undefined && { seed }),
    ...(presence !== undefined && { presence_penalty: presence }),
    ...(frequency !== undefined && { frequency_penalty: frequency }),
  };
}

function toolsOf({ tools, toolChoice }: ChatRequest): JsonObject {
  const offered = typeof toolChoice === 'object' ? tools.filter(({ name }) => name === toolChoice.name) : tools;
  if (typeof toolChoice === 'object' && offered.length === 0)
    throw new UnsupportedRequestError('tool_choice names no tool');
  if (offered.length === 0) return {};
  const choice =
    toolChoice === 'none' ? 'NONE' : toolChoice === undefined || toolChoice === 'auto' ? undefined : 'REQUIRED';
  return {
    tools: offered.map(({ name, description, parameters }) => ({
      type: 'function',
      function: { name, ...(description !== undefined && { description }), parameters },
    })),
    ...(choice !== undefined && { tool_choice: choice }),
  };
}

function messagesOf(turn: ChatTurn): readonly JsonObject[] {
  if (turn.role === 'assistant') {
    const calls = turn.calls.map(({ id, name, input }) => ({
      id,
      type: 'function',
      function: { name, arguments: requestJson(input) },
    }));
    const text = turn.texts.join('\n');
    // With calls, what the model says before them is its plan.
    return [
      {
        role: 'assistant',
        ...(calls.length === 0 ? { content: text } : { tool_calls: calls, ...(text !== '' && { tool_plan: text }) }),
      },
    ];
  }
  const results = turn.parts.filter((part): part is ChatToolResult => part.type === 'tool_result');
  const said = turn.parts.filter((part): part is ChatPart => part.type !== 'tool_result');
  return [
    ...results.map(({ callId, parts }) => ({ role: 'tool', tool_call_id: callId, content: textOf(parts) })),
    ...(said.length > 0 ? [{ role: 'user', content: contentOf(said) }] : []),
  ];
}

function textOf(parts: readonly ChatPart[]): string {
  return parts
    .map((part) => {
      if (part.type !== 'text') throw new UnsupportedRequestError('results of tools must be text');
      return part.text;
    })
    .join('\n');
}

function contentOf(parts: readonly ChatPart[]): string | readonly JsonObject[] {
  if (parts.every((part) => part.type === 'text')) return textOf(parts);
  return parts.map((part) => {
    if (part.type === 'text') return { type: 'text', text: part.text };
    if (part.type === 'image_url') return { type: 'image_url', image_url: { url: part.url } };
    if (part.kind !== 'image') throw new UnsupportedRequestError('this provider takes text and images');
    return { type: 'image_url', image_url: { url: `data:${part.mediaType};base64,${part.data}` } };
  });
}

/**
 * Texts as `/v2/embed` takes them. What they are for may be said in `input_type`, which is Cohere's own field.
 * @throws UnsupportedRequestError for more texts than one call takes
 */
export function cohereEmbeddingsRequest({ body, model }: AdapterCall): JsonObject {
  const { texts, dimensions } = readEmbeddingsRequest(body);
  if (texts.length > TEXTS_MAX) throw new UnsupportedRequestError(`this provider takes at most ${TEXTS_MAX} texts`);
  return {
    model,
    texts,
    input_type: stringField(body, 'input_type') ?? 'search_document',
    embedding_types: ['float'],
    ...(dimensions !== undefined && { output_dimension: dimensions }),
  };
}
