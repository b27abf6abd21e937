import type { InputIssue } from './schema/input-issues.ts';

/**
 * Why a sync failed.
 * - `invalid_input`: `config` or `secrets` break their schema; nothing was called. `issues` says where.
 * - `refused`: the host's rule forbids the address.
 * - `unreachable`: the name does not resolve, nobody listens, TLS failed, the connection broke.
 * - `timeout`: it took longer than the driver's time, or than its time for connecting.
 * - `aborted`: the caller's signal fired.
 * - `redirected`: 3xx. None is followed.
 * - `unauthorized`, `forbidden`, `not_found`, `rate_limited`: 401, 403, 404, 429.
 * - `rejected`: any other 4xx. `unavailable`: 5xx.
 * - `unexpected_answer`: another status, another content type, or JSON of another form.
 * - `too_large`: a body is longer than the driver takes.
 */
export type IntegrationFailure =
  | 'invalid_input'
  | 'refused'
  | 'unreachable'
  | 'timeout'
  | 'aborted'
  | 'redirected'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'rate_limited'
  | 'rejected'
  | 'unavailable'
  | 'unexpected_answer'
  | 'too_large';

/** What is known of a failed sync. Fields that did not come are absent. */
export interface FailureMetadata {
  /** What the driver knew before it called: `slug`, `provider`, `region` and the like. */
  readonly [known: string]: string | number | boolean | null | undefined;
  /** Of the answer that failed; absent when none came. */
  readonly http_status?: number;
  /** Which of the driver's requests failed. */
  readonly request?: string;
  /** Under which the other system's support finds the request. */
  readonly request_id?: string;
  /** Seconds to wait, from `Retry-After`, given as seconds or as a date. */
  readonly retry_after_seconds?: number;
  readonly rate_limit_limit?: number;
  readonly rate_limit_remaining?: number;
  /** As the other system gives it: seconds from now for some, since 1970 for others. */
  readonly rate_limit_reset?: number;
  readonly rate_limit_period_seconds?: number;
  /** Words of the other system: `THROTTLED`. */
  readonly rate_limit_state?: string;
  /** Words of the other system: `ACCOUNT`. */
  readonly rate_limit_reason?: string;
}

/** A sync that failed. Message and metadata hold no secret, no header that was sent and nothing of an answer's body: both may be shown. */
export class IntegrationError extends Error {
  override readonly name = 'IntegrationError';
  readonly code: IntegrationFailure;
  readonly metadata: FailureMetadata;
  /** With `invalid_input` only. */
  readonly issues: readonly InputIssue[];

  constructor(
    code: IntegrationFailure,
    message: string,
    metadata: FailureMetadata = {},
    issues: readonly InputIssue[] = [],
  ) {
    super(message);
    this.code = code;
    this.metadata = metadata;
    this.issues = issues;
  }
}
