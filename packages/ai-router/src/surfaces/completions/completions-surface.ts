import { isJsonObject, type JsonObject } from '../../json.ts';
import type { StreamChunk } from '../../providers/adapter.ts';
import { booleanField, countField, fieldOf, stringField } from '../../providers/chat-form/field.ts';
import { chatUsage } from '../../providers/chat-form/chat-usage.ts';
import { UnsupportedRequestError } from '../../providers/errors.ts';
import type { Surface, SurfaceStream } from '../surface.ts';

/** Fields that mean the same in both forms. */
const SHARED = [
  'model',
  'max_tokens',
  'temperature',
  'top_p',
  'stop',
  'seed',
  'presence_penalty',
  'frequency_penalty',
  'logit_bias',
  'user',
  'stream',
  'stream_options',
] as const;

/**
 * OpenAI's completions, by way of a chat of one message. Source: OpenAI API, completions; ai, Endpoints.
 */
export const completionsSurface: Surface = {
  operation: 'completions',
  toChat,
  fromChat(answer) {
    const choices = Array.isArray(answer['choices']) ? answer['choices'] : [];
    return completionOf(
      answer,
      choices.map((choice, index) => completionChoice(choice, 'message', index)),
      answer['usage'],
    );
  },
  openStream: (request) => new CompletionStream(request),
};

/**
 * @throws UnsupportedRequestError for several prompts, tokens in place of text, several answers, `echo`, `suffix` and `logprobs`: a chat
 * has no words for them
 */
function toChat(body: JsonObject): JsonObject {
  if (booleanField(body, 'echo') === true) throw untold('echo');
  const suffix = stringField(body, 'suffix');
  if (suffix !== undefined && suffix !== '') throw untold('suffix');
  if (fieldOf(body, 'logprobs') !== undefined) throw untold('logprobs');
  for (const name of ['n', 'best_of'] as const) {
    if ((countField(body, name) ?? 1) !== 1) throw untold(`${name} above 1`);
  }
  const chat: JsonObject = { messages: [{ role: 'user', content: promptOf(body) }] };
  for (const name of SHARED) {
    const value = fieldOf(body, name);
    if (value !== undefined) chat[name] = value;
  }
  return chat;
}

function promptOf(body: JsonObject): string {
  const prompt = fieldOf(body, 'prompt');
  const prompts: readonly unknown[] = Array.isArray(prompt) ? prompt : [prompt];
  if (prompts.length > 1 && prompts.every((one) => typeof one === 'string')) throw untold('more than one prompt');
  const [only] = prompts;
  if (prompts.length !== 1 || typeof only !== 'string') throw new UnsupportedRequestError('prompt must be text');
  return only;
}

function untold(what: string): UnsupportedRequestError {
  return new UnsupportedRequestError(`${what}: the model is one for chats, which cannot say that`);
}

function completionOf(chat: JsonObject, choices: readonly JsonObject[], usage: unknown): JsonObject {
  const { id, created, model, system_fingerprint: fingerprint } = chat;
  return {
    id: typeof id === 'string' ? id : '',
    object: 'text_completion',
    created: typeof created === 'number' ? created : 0,
    model: typeof model === 'string' ? model : '',
    ...(typeof fingerprint === 'string' ? { system_fingerprint: fingerprint } : {}),
    choices,
    ...(isJsonObject(usage) ? { usage } : {}),
  };
}

function completionChoice(choice: unknown, part: 'message' | 'delta', index: number): JsonObject {
  const given = isJsonObject(choice) ? choice : {};
  const said = isJsonObject(given[part]) ? given[part] : {};
  return {
    text: typeof said['content'] === 'string' ? said['content'] : '',
    index: typeof given['index'] === 'number' ? given['index'] : index,
    logprobs: null,
    finish_reason: finishOf(given['finish_reason']),
  };
}

/** Completions know no tools: a model that called one has stopped. */
function finishOf(reason: unknown): string | null {
  if (typeof reason !== 'string' || reason === '') return null;
  return reason === 'length' || reason === 'content_filter' ? reason : 'stop';
}

class CompletionStream implements SurfaceStream {
  readonly #wantsUsage: boolean;

  constructor(request: JsonObject) {
    const options = request['stream_options'];
    this.#wantsUsage = isJsonObject(options) && options['include_usage'] === true;
  }

  push(chunk: StreamChunk): string {
    if (chunk.isUsageOnly === true && !this.#wantsUsage) return '';
    const value = chunk.value();
    const given: readonly unknown[] = Array.isArray(value['choices']) ? value['choices'] : [];
    const choices = given
      .map((choice, index) => completionChoice(choice, 'delta', index))
      .filter(({ text, finish_reason }) => text !== '' || finish_reason !== null);
    if (choices.length === 0 && chunk.isUsageOnly !== true) return '';
    // What is known so far comes with every chunk; clients add up what they are told, so it is told where the provider tells it.
    const tellsUsage = this.#wantsUsage && (chunk.isUsageOnly === true || isJsonObject(value['usage']));
    const usage = tellsUsage && chunk.usage !== undefined ? chatUsage(chunk.usage) : undefined;
    return `data: ${JSON.stringify(completionOf(value, choices, usage))}\n\n`;
  }

  end(): string {
    return 'data: [DONE]\n\n';
  }
}
