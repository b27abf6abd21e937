import type { JsonObject } from '../../json.ts';
import type { StreamEvent } from '../adapter.ts';

/** What errors of Bedrock are called, by status; exceptions within a stream have a status of their own. */
const types: ReadonlyMap<number, string> = new Map([
  [400, 'invalid_request_error'],
  [401, 'authentication_error'],
  [403, 'permission_error'],
  [404, 'not_found_error'],
  [408, 'timeout_error'],
  [413, 'request_too_large'],
  [424, 'model_error'],
  [429, 'rate_limit_error'],
  [503, 'overloaded_error'],
]);

/** Source: Amazon Bedrock, ConverseStream, ResponseStream. */
const exceptionStatuses: ReadonlyMap<string, number> = new Map([
  ['validationexception', 400],
  ['accessdeniedexception', 403],
  ['resourcenotfoundexception', 404],
  ['modeltimeoutexception', 408],
  ['modelerrorexception', 424],
  ['modelstreamerrorexception', 424],
  ['throttlingexception', 429],
  ['servicequotaexceededexception', 429],
  ['modelnotreadyexception', 429],
  ['internalserverexception', 500],
  ['serviceunavailableexception', 503],
]);

/** Characters of the name of an exception that records show. */
const EXCEPTION_NAME_LENGTH_MAX = 64;

/** An exception within a stream: `:exception-type` says which. */
export function bedrockStreamError(exceptionType: string | undefined): StreamEvent {
  const errorType = (exceptionType ?? 'internalServerException').slice(0, EXCEPTION_NAME_LENGTH_MAX);
  return { type: 'error', errorType, status: exceptionStatuses.get(errorType.toLowerCase()) ?? 500 };
}

/**
 * An error as a chat's clients know errors. AWS tells of a wrong signature by showing what should have been signed, the session's token
 * included: that is for nobody.
 */
export function bedrockChatError(status: number, body: JsonObject): JsonObject {
  const given = body['message'] ?? body['Message'];
  const isTold = typeof given === 'string' && status !== 401 && status !== 403;
  const message = isTold ? given : 'the provider refused the request';
  return { error: { message, type: types.get(status) ?? 'api_error', param: null, code: null } };
}
