import { isJsonObject, type JsonObject } from '../../json.ts';
import type { StreamEvent } from '../adapter.ts';

/** What Google's errors are to a chat's clients. Source: Google Cloud APIs, Errors. */
const types: ReadonlyMap<unknown, string> = new Map([
  ['INVALID_ARGUMENT', 'invalid_request_error'],
  ['FAILED_PRECONDITION', 'invalid_request_error'],
  ['OUT_OF_RANGE', 'invalid_request_error'],
  ['UNAUTHENTICATED', 'authentication_error'],
  ['PERMISSION_DENIED', 'permission_error'],
  ['NOT_FOUND', 'not_found_error'],
  ['RESOURCE_EXHAUSTED', 'rate_limit_error'],
  ['UNAVAILABLE', 'overloaded_error'],
  ['DEADLINE_EXCEEDED', 'timeout_error'],
]);

/** An error as a chat's clients know errors. `details` name the project and are left out. */
export function geminiChatError(body: JsonObject): JsonObject {
  const { message, status } = isJsonObject(body['error']) ? body['error'] : {};
  return {
    error: {
      message: typeof message === 'string' ? message : 'the provider answered with an error',
      type: types.get(status) ?? 'api_error',
      param: null,
      code: typeof status === 'string' ? status : null,
    },
  };
}

/** An error within a stream. */
export function geminiStreamError(error: unknown): StreamEvent {
  const { code, status } = isJsonObject(error) ? error : {};
  const isStatus = typeof code === 'number' && Number.isInteger(code) && code >= 400 && code <= 599;
  return { type: 'error', errorType: types.get(status) ?? 'api_error', status: isStatus ? code : 500 };
}
