import { isJsonObject, type JsonObject } from '../../json.ts';
import type { Usage } from '../../usage.ts';
import type { AdapterCall, ReadAnswer } from '../adapter.ts';
import { type AnswerCall, chatAnswer, type FinishReason } from '../chat-form/chat-answer.ts';
import { tokenCount } from '../chat-form/chat-usage.ts';
import { embeddingsAnswer } from '../chat-form/embeddings.ts';
import { objectOfText } from '../chat-form/json-text.ts';
import { MalformedAnswerError } from '../errors.ts';
import { isVector } from '../ollama/ollama-answer.ts';
import { nonEmpty } from '../openai/openai-answer.ts';

const FINISH_REASONS: ReadonlyMap<unknown, FinishReason> = new Map<unknown, FinishReason>([
  ['COMPLETE', 'stop'],
  ['STOP_SEQUENCE', 'stop'],
  ['MAX_TOKENS', 'length'],
  ['TOOL_CALL', 'tool_calls'],
  ['ERROR_TOXIC', 'content_filter'],
]);

/** Why it stopped, in OpenAI's words; `undefined` for `ERROR`, `TIMEOUT` and what is not known: it failed. */
export function cohereFinish(reason: unknown): FinishReason | undefined {
  return FINISH_REASONS.get(reason);
}

/**
 * An answer of `/v2/chat` as a chat's. What the model planned before it called tools is its text.
 * @throws MalformedAnswerError for what is none, or says that it failed
 */
export function cohereChatAnswer(call: AdapterCall, body: JsonObject, newId: () => string): ReadAnswer {
  const message = body['message'];
  const finishReason = cohereFinish(body['finish_reason']);
  if (!isJsonObject(message) || finishReason === undefined) throw new MalformedAnswerError('the answer has no message');
  const said = textsOf(message['content']);
  return chatAnswer({
    id: nonEmpty(body['id']) ?? `chatcmpl-${newId()}`,
    createdMs: call.nowMs,
    model: call.model,
    choices: [
      {
        ...said,
        text: (nonEmpty(message['tool_plan']) ?? '') + said.text,
        calls: callsOf(message['tool_calls']),
        finishReason,
      },
    ],
    usage: cohereUsage(body['usage']),
  });
}

function textsOf(content: unknown): { readonly text: string; readonly reasoning: string } {
  let [text, reasoning] = ['', ''];
  for (const part of Array.isArray(content) ? content : []) {
    if (!isJsonObject(part)) continue;
    text += nonEmpty(part['text']) ?? '';
    reasoning += nonEmpty(part['thinking']) ?? '';
  }
  return { text, reasoning };
}

function callsOf(calls: unknown): readonly AnswerCall[] {
  if (!Array.isArray(calls)) return [];
  return calls.map((call: unknown) => {
    const given = isJsonObject(call) ? call['function'] : undefined;
    const id = isJsonObject(call) ? nonEmpty(call['id']) : undefined;
    const name = isJsonObject(given) ? nonEmpty(given['name']) : undefined;
    const input = isJsonObject(given) ? objectOfText(nonEmpty(given['arguments']) ?? '') : undefined;
    if (id === undefined || name === undefined || input === undefined) {
      throw new MalformedAnswerError('a call of a tool is not whole');
    }
    return { id, name, input };
  });
}

/** All tokens where Cohere tells them, else those that it bills. */
export function cohereUsage(usage: unknown): Usage | undefined {
  if (!isJsonObject(usage)) return undefined;
  for (const name of ['tokens', 'billed_units'] as const) {
    const inputTokens = tokenCount(usage[name], 'input_tokens');
    if (inputTokens === undefined) continue;
    const outputTokens = tokenCount(usage[name], 'output_tokens') ?? 0;
    const cached = tokenCount(usage, 'cached_tokens');
    return { inputTokens, outputTokens, ...(cached !== undefined && { cachedInputTokens: cached }) };
  }
  return undefined;
}

/** @throws MalformedAnswerError for what is no answer of `/v2/embed` */
export function cohereEmbeddings(call: AdapterCall, body: JsonObject): ReadAnswer {
  const vectors = isJsonObject(body['embeddings']) ? body['embeddings']['float'] : undefined;
  if (!Array.isArray(vectors) || vectors.length === 0 || !vectors.every(isVector)) {
    throw new MalformedAnswerError('the answer has no embeddings');
  }
  const usage = cohereUsage(body['meta']);
  return embeddingsAnswer(call.body, { model: call.model, vectors, usage });
}
