/*
 * What the router itself refuses or fails with, before it is told in the client's form. Source: ai, Endpoints and Exhaustion.
 */

/** Words that clients may rely on, each with its status. */
export const errorStatuses = {
  invalid_request_error: 400,
  content_blocked: 400,
  model_not_allowed: 403,
  model_not_found: 404,
  request_too_large: 413,
  rate_limit_exceeded: 429,
  token_budget_exceeded: 429,
  ai_targets_exhausted: 502,
  embedding_failed: 502,
  cache_unavailable: 503,
  limits_unavailable: 503,
} as const;

/** See {@link errorStatuses}. */
export type RouterErrorCode = keyof typeof errorStatuses;

/** A failure as the client is told of it. The message is for the client: it names no secret, address or provider body. */
export interface RouterError {
  readonly code: RouterErrorCode;
  readonly message: string;
  /** 400 to 599. Default: by {@link errorStatuses}. */
  readonly status?: number;
  /** The field of the request that is wrong. */
  readonly param?: string;
  /** When the client may come again, in milliseconds. */
  readonly retryAfterMs?: number;
}

/** The status that an error is answered with. */
export function statusOf(error: RouterError): number {
  return error.status ?? errorStatuses[error.code];
}
