import { isJsonObject, type JsonObject } from '../../json.ts';
import type { StreamEvent } from '../adapter.ts';

/** Statuses of errors that come within a stream, whose own status is 200. Source: Anthropic, Errors. */
const statuses: ReadonlyMap<string, number> = new Map([
  ['invalid_request_error', 400],
  ['authentication_error', 401],
  ['billing_error', 402],
  ['permission_error', 403],
  ['not_found_error', 404],
  ['request_too_large', 413],
  ['rate_limit_error', 429],
  ['api_error', 500],
  ['timeout_error', 504],
  // Anthropic says 529, which is registered nowhere and means this.
  ['overloaded_error', 503],
]);

/** What an event says that tells of an error. */
export function anthropicStreamError(data: JsonObject): StreamEvent {
  const error = data['error'];
  const given = isJsonObject(error) ? error['type'] : undefined;
  const errorType = typeof given === 'string' && given !== '' ? given : 'api_error';
  return { type: 'error', errorType, status: statuses.get(errorType) ?? 500 };
}

/** An error as a chat's clients know errors. */
export function anthropicChatError(body: JsonObject): JsonObject {
  const error = isJsonObject(body['error']) ? body['error'] : {};
  const { type, message } = error;
  return {
    error: {
      message: typeof message === 'string' ? message : 'the provider answered with an error',
      type: typeof type === 'string' ? type : 'api_error',
      param: null,
      code: null,
    },
  };
}
