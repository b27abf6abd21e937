import { isJsonObject, type JsonObject } from '../../json.ts';
import type { Usage } from '../../usage.ts';
import type { AdapterCall, ReadAnswer } from '../adapter.ts';
import { type AnswerCall, chatAnswer, type FinishReason } from '../chat-form/chat-answer.ts';
import { chatUsage, tokenCount } from '../chat-form/chat-usage.ts';
import { embeddingsAnswer } from '../chat-form/embeddings.ts';
import { objectOfText } from '../chat-form/json-text.ts';
import { MalformedAnswerError } from '../errors.ts';
import { nonEmpty } from '../openai/openai-answer.ts';

/** @throws MalformedAnswerError for what is no answer of `/api/chat` */
export function ollamaChatAnswer(call: AdapterCall, body: JsonObject, newId: () => string): ReadAnswer {
  const message = body['message'];
  if (!isJsonObject(message)) throw new MalformedAnswerError('the answer has no message');
  const calls = ollamaCalls(message, newId);
  return chatAnswer({
    id: `chatcmpl-${newId()}`,
    createdMs: call.nowMs,
    model: nonEmpty(body['model']) ?? call.model,
    choices: [
      {
        text: nonEmpty(message['content']) ?? '',
        reasoning: nonEmpty(message['thinking']) ?? '',
        calls,
        finishReason: ollamaFinish(body, calls.length > 0),
      },
    ],
    usage: ollamaUsage(body),
  });
}

/** @throws MalformedAnswerError for what is no answer of `/api/generate` */
export function ollamaCompletion(call: AdapterCall, body: JsonObject, newId: () => string): ReadAnswer {
  const text = body['response'];
  if (typeof text !== 'string') throw new MalformedAnswerError('the answer has no response');
  const usage = ollamaUsage(body);
  const model = nonEmpty(body['model']) ?? call.model;
  const finishReason = ollamaFinish(body, false);
  return {
    body: {
      id: `cmpl-${newId()}`,
      object: 'text_completion',
      created: Math.floor(call.nowMs / 1000),
      model,
      choices: [{ index: 0, text, logprobs: null, finish_reason: finishReason }],
      ...(usage !== undefined && { usage: chatUsage(usage) }),
    },
    isOriginal: false,
    model,
    finishReason,
    textLength: text.length,
    ...(usage !== undefined && { usage }),
  };
}

/** @throws MalformedAnswerError for what is no answer of `/api/embed` */
export function ollamaEmbeddings(call: AdapterCall, body: JsonObject): ReadAnswer {
  const vectors = body['embeddings'];
  if (!Array.isArray(vectors) || vectors.length === 0 || !vectors.every(isVector)) {
    throw new MalformedAnswerError('the answer has no embeddings');
  }
  const inputTokens = tokenCount(body, 'prompt_eval_count');
  return embeddingsAnswer(call.body, {
    model: nonEmpty(body['model']) ?? call.model,
    vectors,
    usage: inputTokens === undefined ? undefined : { inputTokens, outputTokens: 0 },
  });
}

/** Whether a value is a list of numbers. */
export function isVector(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'number');
}

/** The calls of tools in a message. Older versions give them no IDs. */
export function ollamaCalls(message: JsonObject, newId: () => string): readonly AnswerCall[] {
  const calls = message['tool_calls'];
  if (!Array.isArray(calls)) return [];
  return calls.flatMap((call: unknown) => {
    const given = isJsonObject(call) && isJsonObject(call['function']) ? call['function'] : undefined;
    const name = given === undefined ? undefined : nonEmpty(given['name']);
    if (given === undefined || name === undefined) throw new MalformedAnswerError('a call of a tool has no name');
    const id = (isJsonObject(call) ? nonEmpty(call['id']) : undefined) ?? `call_${newId()}`;
    return [{ id, name, input: inputOf(given['arguments']) }];
  });
}

function inputOf(args: unknown): JsonObject {
  const input = typeof args === 'string' ? objectOfText(args) : (args ?? {});
  if (!isJsonObject(input)) throw new MalformedAnswerError('arguments of a call are no object');
  return input;
}

/** Why it stopped, in OpenAI's words. */
export function ollamaFinish(body: JsonObject, hasCalls: boolean): FinishReason {
  if (body['done_reason'] === 'length') return 'length';
  return hasCalls ? 'tool_calls' : 'stop';
}

/** The prompt's count is left out by older versions when they had it in their cache: then nothing is known. */
export function ollamaUsage(body: JsonObject): Usage | undefined {
  const inputTokens = tokenCount(body, 'prompt_eval_count');
  const outputTokens = tokenCount(body, 'eval_count');
  return inputTokens === undefined || outputTokens === undefined ? undefined : { inputTokens, outputTokens };
}
