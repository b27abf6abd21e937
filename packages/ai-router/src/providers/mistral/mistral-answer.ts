import { isJsonObject, type JsonObject } from '../../json.ts';
import { MalformedAnswerError } from '../errors.ts';
import type { ChunkRewrite } from '../openai/openai-dialect.ts';

/** Ends that OpenAI has other names for. */
const FINISH_REASONS: ReadonlyMap<unknown, string> = new Map([['model_length', 'length']]);

/** What a choice ends with whose model failed. */
const FAILED = 'error';

/**
 * An answer as OpenAI would have given it; the very same object when it is. Models that think give their content as a list of parts.
 * Source: Mistral API, chat completions and reasoning.
 * @throws MalformedAnswerError for one whose model failed
 */
export function mistralAnswer(body: JsonObject): JsonObject {
  const choices = body['choices'];
  if (!Array.isArray(choices)) return body;
  if (hasFailed(body)) throw new MalformedAnswerError('the model failed');
  const changed = choices.map((choice: unknown) => (isJsonObject(choice) ? openAiChoice(choice) : choice));
  return changed.every((choice, at) => choice === choices[at]) ? body : { ...body, choices: changed };
}

/** The same for chunks. */
export const mistralChunks: ChunkRewrite = {
  isSuspect: (data) => data.includes('content":['),
  hasFailed,
  chunk: mistralAnswer,
};

function hasFailed({ choices }: JsonObject): boolean {
  return (
    Array.isArray(choices) &&
    choices.some((choice: unknown) => isJsonObject(choice) && choice['finish_reason'] === FAILED)
  );
}

function openAiChoice(choice: JsonObject): JsonObject {
  const finish = FINISH_REASONS.get(choice['finish_reason']);
  const said = finish === undefined ? choice : { ...choice, finish_reason: finish };
  for (const name of ['message', 'delta'] as const) {
    const message = said[name];
    if (isJsonObject(message) && Array.isArray(message['content'])) {
      return { ...said, [name]: plainMessage(message, message['content']) };
    }
  }
  return said;
}

function plainMessage(message: JsonObject, parts: readonly unknown[]): JsonObject {
  let text = '';
  let reasoning = '';
  for (const part of parts) {
    if (!isJsonObject(part)) continue;
    if (typeof part['text'] === 'string') text += part['text'];
    if (Array.isArray(part['thinking'])) {
      for (const thought of part['thinking']) {
        if (isJsonObject(thought) && typeof thought['text'] === 'string') reasoning += thought['text'];
      }
    }
  }
  return { ...message, content: text, ...(reasoning === '' ? {} : { reasoning_content: reasoning }) };
}
