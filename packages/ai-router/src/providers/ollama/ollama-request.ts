import type { JsonObject } from '../../json.ts';
import type { AdapterCall } from '../adapter.ts';
import type { ChatPart, ChatRequest, ChatToolResult, ChatTurn } from '../chat-form/chat-request.ts';
import { booleanField, countField, fieldOf, numberField, stringField, stringsField } from '../chat-form/field.ts';
import { readChatRequest } from '../chat-form/read-chat-request.ts';
import { UnsupportedRequestError } from '../errors.ts';

/**
 * A chat as `/api/chat` takes it. Source: Ollama API, chat.
 * @throws UnsupportedRequestError for several answers, a tool that must be called, images that are addresses, and files
 */
export function ollamaChatRequest({ body, model, stream }: AdapterCall): JsonObject {
  const request = readChatRequest(body);
  if (request.choices !== 1) throw new UnsupportedRequestError('this provider gives one answer: n must be 1');
  const tools = toolsOf(request);
  const system = request.system.map((content) => ({ role: 'system', content }));
  return {
    model,
    messages: [...system, ...request.turns.flatMap(messagesOf)],
    stream,
    ...(tools.length > 0 && { tools }),
    ...(request.format !== undefined && {
      format: request.format.type === 'json_object' ? 'json' : request.format.schema,
    }),
    options: optionsOf(body, request),
  };
}

/**
 * A completion as `/api/generate` takes it. Source: Ollama API, generate.
 * @throws UnsupportedRequestError for several prompts or answers, tokens as prompts, `echo` and `logprobs`
 */
export function ollamaGenerateRequest({ body, model, stream }: AdapterCall): JsonObject {
  const prompts = stringsField(body, 'prompt');
  const [prompt] = prompts;
  if (prompt === undefined || prompts.length > 1) throw new UnsupportedRequestError('this provider takes one prompt');
  const isOne = (name: string): boolean => (countField(body, name) ?? 1) === 1;
  if (!isOne('n') || !isOne('best_of'))
    throw new UnsupportedRequestError('this provider gives one answer: n must be 1');
  if (booleanField(body, 'echo') === true) throw new UnsupportedRequestError('this provider does not echo prompts');
  if (fieldOf(body, 'logprobs') !== undefined)
    throw new UnsupportedRequestError('logprobs are not given by this provider');
  const suffix = stringField(body, 'suffix');
  const maxTokens = countField(body, 'max_tokens');
  const temperature = numberField(body, 'temperature');
  const topP = numberField(body, 'top_p');
  return {
    model,
    prompt,
    stream,
    ...(suffix !== undefined && suffix !== '' && { suffix }),
    options: optionsOf(body, {
      stop: stringsField(body, 'stop'),
      ...(maxTokens !== undefined && { maxTokens }),
      ...(temperature !== undefined && { temperature }),
      ...(topP !== undefined && { topP }),
    }),
  };
}

type Sampling = Pick<ChatRequest, 'maxTokens' | 'temperature' | 'topP' | 'stop'>;

function optionsOf(body: JsonObject, { maxTokens, temperature, topP, stop }: Sampling): JsonObject {
  const seed = numberField(body, 'seed');
  const presence = numberField(body, 'presence_penalty');
  const frequency = numberField(body, 'frequency_penalty');
  return {
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { top_p: topP }),
    ...(maxTokens !== undefined && { num_predict: maxTokens }),
    ...(stop.length > 0 && { stop }),
    ...(seed !== undefined && { seed }),
    ...(presence !== undefined && { presence_penalty: presence }),
    ...(frequency !== undefined && { frequency_penalty: frequency }),
  };
}

function toolsOf({ tools, toolChoice }: ChatRequest): readonly JsonObject[] {
  if (toolChoice === 'none') return [];
  if (toolChoice !== undefined && toolChoice !== 'auto') {
    throw new UnsupportedRequestError('this provider cannot be made to call a tool: tool_choice must be auto or none');
  }
  return tools.map(({ name, description, parameters }) => ({
    type: 'function',
    function: { name, ...(description !== undefined && { description }), parameters },
  }));
}

function messagesOf(turn: ChatTurn): readonly JsonObject[] {
  if (turn.role === 'assistant') {
    const calls = turn.calls.map(({ name, input }) => ({ function: { name, arguments: input } }));
    return [{ role: 'assistant', content: turn.texts.join('\n'), ...(calls.length > 0 && { tool_calls: calls }) }];
  }
  const results = turn.parts.filter((part): part is ChatToolResult => part.type === 'tool_result');
  const said = turn.parts.filter((part): part is ChatPart => part.type !== 'tool_result');
  return [
    ...results.map(({ name, parts }) => ({
      ...messageOf('tool', parts),
      ...(name !== undefined && { tool_name: name }),
    })),
    ...(said.length > 0 ? [messageOf('user', said)] : []),
  ];
}

function messageOf(role: string, parts: readonly ChatPart[]): JsonObject {
  const texts: string[] = [];
  const images: string[] = [];
  for (const part of parts) {
    if (part.type === 'text') texts.push(part.text);
    else if (part.type === 'data' && part.kind === 'image') images.push(part.data);
    else throw new UnsupportedRequestError('this provider takes text, and images as data: URLs');
  }
  return { role, content: texts.join('\n'), ...(images.length > 0 && { images }) };
}
