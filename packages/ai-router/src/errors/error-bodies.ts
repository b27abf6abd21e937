import { isJsonObject, type JsonObject } from '../json.ts';
import type { AiOperation } from '../operation.ts';
import type { RouterError } from './router-error.ts';

/** Characters of a provider's own words of an error that are told again in another form. */
export const ERROR_TEXT_LENGTH_MAX = 4096;

/**
 * The body of an error in the client's form: `{error: {message, type, param, code}}`, or for `messages`
 * `{type: "error", error: {type, message, code}}`. Source: ai, Endpoints.
 */
export function errorBody(operation: AiOperation, error: RouterError): JsonObject {
  const { code, message, param = null } = error;
  if (operation !== 'messages') return { error: { message, type: code, param, code } };
  return { type: 'error', error: { type: messagesTypes[code], message, code } };
}

/** What Anthropic's clients know such errors by. */
const messagesTypes: Readonly<Record<RouterError['code'], string>> = {
  invalid_request_error: 'invalid_request_error',
  content_blocked: 'invalid_request_error',
  model_not_allowed: 'permission_error',
  model_not_found: 'not_found_error',
  request_too_large: 'request_too_large',
  rate_limit_exceeded: 'rate_limit_error',
  token_budget_exceeded: 'rate_limit_error',
  ai_targets_exhausted: 'api_error',
  embedding_failed: 'api_error',
  cache_unavailable: 'api_error',
  limits_unavailable: 'api_error',
};

/** An error of a provider in the form `chat` as `messages` tells it. What is in neither form is told without its words. */
export function errorAsMessages(body: JsonObject): JsonObject {
  if (body['type'] === 'error' && isJsonObject(body['error'])) return body;
  const error = body['error'];
  const given: JsonObject = isJsonObject(error) ? error : { message: error };
  const type = wordsOf(given['type']) ?? 'api_error';
  const message = wordsOf(given['message']) ?? 'The provider answered with an error';
  return { type: 'error', error: { type, message } };
}

function wordsOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value.slice(0, ERROR_TEXT_LENGTH_MAX) : undefined;
}

/** The body that stands for a provider's error that is no JSON object: nothing of it is shown. Source: ai, Exhaustion. */
export function wrappedErrorBody(operation: AiOperation): JsonObject {
  const message = 'The provider answered with an error that is not JSON';
  if (operation === 'messages') return { type: 'error', error: { type: 'api_error', message, code: 'provider_error' } };
  return { error: { message, type: 'provider_error', param: null, code: 'provider_error' } };
}
