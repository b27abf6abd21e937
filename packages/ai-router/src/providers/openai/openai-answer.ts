import { isJsonObject, type JsonObject } from '../../json.ts';
import type { AiOperation } from '../../operation.ts';
import type { ReadAnswer } from '../adapter.ts';
import { MalformedAnswerError } from '../errors.ts';
import { readOpenAiUsage } from './openai-usage.ts';
import { responseFinishReason } from './responses-finish.ts';
import { textLengthOf } from './text-length.ts';

/** The list that makes an object an answer, by its form. Source: OpenAI API. */
const LISTS: Readonly<Record<AiOperation, string>> = {
  chat: 'choices',
  completions: 'choices',
  embeddings: 'data',
  responses: 'output',
  messages: 'content',
};

/**
 * A whole answer in one of OpenAI's forms.
 * @param isOriginal whether it is what the vendor sent
 * @throws MalformedAnswerError for an object without what makes it an answer
 */
export function readOpenAiAnswer(operation: AiOperation, body: JsonObject, isOriginal: boolean): ReadAnswer {
  const list = listOf(body, LISTS[operation]);
  if (list === undefined || !list.every(isJsonObject)) {
    throw new MalformedAnswerError(`the answer has no list ${LISTS[operation]}`);
  }
  if (operation !== 'responses' && list.length === 0) {
    throw new MalformedAnswerError(`the answer's list ${LISTS[operation]} is empty`);
  }
  const usage = readOpenAiUsage(body['usage'], operation === 'embeddings' ? 0 : undefined);
  const finishReason = operation === 'responses' ? responseFinishReason(body) : nonEmpty(list[0]?.['finish_reason']);
  const model = nonEmpty(body['model']);
  return {
    body,
    isOriginal,
    ...(usage === undefined ? {} : { usage }),
    ...(finishReason === undefined ? {} : { finishReason }),
    ...(model === undefined ? {} : { model }),
    textLength: operation === 'embeddings' ? 0 : textLengthOf(list),
  };
}

/** A text that says something. */
export function nonEmpty(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function listOf(body: JsonObject, name: string): readonly unknown[] | undefined {
  const list = Object.hasOwn(body, name) ? body[name] : undefined;
  return Array.isArray(list) ? list : undefined;
}
