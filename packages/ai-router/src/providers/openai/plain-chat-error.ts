import type { JsonObject } from '../../json.ts';
import { nonEmpty } from './openai-answer.ts';

/** Errors that are a text under `error`, `message` or `detail`, as a chat's clients know errors. */
export function plainChatError(body: JsonObject): JsonObject {
  const message = nonEmpty(body['error']) ?? nonEmpty(body['message']) ?? nonEmpty(body['detail']);
  return {
    error: { message: message ?? 'the provider answered with an error', type: 'api_error', param: null, code: null },
  };
}
