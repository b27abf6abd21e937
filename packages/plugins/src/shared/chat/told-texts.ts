import { isJsonObject, type JsonObject } from '@portcullis/ai-router';
import { placesIn, type AnswerDocument } from './answer-document.ts';
import { textGroups } from './text-groups.ts';

/**
 * All that an answer tells anybody, each text once: contents, calls of tools with what they are called with, thoughts, refusals, transcripts. A client
 * chooses by its request where a model's text stands, so all of them count. What repeats a text token by token is left out where there is
 * another text. Vectors tell nothing.
 * @returns `undefined` for too many
 */
export function toldTexts({ form, isStream, values }: AnswerDocument): readonly string[] | undefined {
  if (form === 'embeddings') return [];
  const groups = textGroups(placesIn(form, isStream, values.map(withoutLogprobs)));
  const found = groups?.length === 0 ? textGroups(placesIn(form, isStream, values)) : groups;
  return found === undefined ? undefined : [...new Set(found.map(({ text }) => text))];
}

function withoutLogprobs(value: JsonObject): JsonObject {
  const choices: unknown = value['choices'];
  if (!Array.isArray(choices) || !choices.some((choice) => isJsonObject(choice) && 'logprobs' in choice)) return value;
  return {
    ...value,
    choices: choices.map((choice: unknown) => (isJsonObject(choice) ? { ...choice, logprobs: null } : choice)),
  };
}
