/** Every code that an error body may carry, with its status. Source: wire contract, Errors. */
export const problemStatuses = {
  malformed_body: 400,
  malformed_request: 400,
  tenant_required: 400,
  tenant_mismatch: 400,
  invalid_parameter: 400,
  unauthenticated: 401,
  forbidden: 403,
  cross_tenant: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  name_exists: 409,
  referenced_by_others: 409,
  invalid_state: 409,
  revision_conflict: 409,
  body_too_large: 413,
  unsupported_media_type: 415,
  validation_failed: 422,
  reference_not_found: 422,
  secret_required: 422,
  idempotency_key_reused: 422,
  quota_exceeded: 403,
  rate_limited: 429,
  headers_too_large: 431,
  internal: 500,
  unavailable: 503,
} as const satisfies Record<string, number>;

/** The status of `revision_conflict` where `If-Match` asked for the revision. Source: wire contract, Lists and records */
export const preconditionFailedStatus = 412;

/** A code of {@link problemStatuses}. */
export type ProblemCode = keyof typeof problemStatuses;

/** One mistake in a body or parameter. Never holds the offending value. */
export interface FieldProblem {
  /** JSON Pointer into the body; empty for the body itself. For a query parameter `/` and its name. */
  readonly pointer: string;
  /** Stable rule name such as `min_value`, `unknown_field`, `required`. */
  readonly code: string;
  readonly message: string;
  /** Given when the mistake is in a query parameter; `pointer` is then `/` and its name. */
  readonly in?: 'query';
}

/**
 * An expected failure of an operation. Handlers throw it, the shell turns it into `application/problem+json`.
 * `detail` is for the caller: no SQL, no paths, no secrets.
 */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly detail: string;
  readonly errors: readonly FieldProblem[];
  readonly headers: Readonly<Record<string, string>>;
  /** The HTTP status: the one that belongs to the code, unless another was given. */
  readonly status: number;

  constructor(
    code: ProblemCode,
    detail: string,
    options: {
      errors?: readonly FieldProblem[];
      headers?: Readonly<Record<string, string>>;
      status?: typeof preconditionFailedStatus;
      cause?: unknown;
    } = {},
  ) {
    super(detail, { cause: options.cause });
    this.name = 'Problem';
    this.code = code;
    this.detail = detail;
    this.errors = options.errors ?? [];
    this.headers = options.headers ?? {};
    this.status = options.status ?? problemStatuses[code];
  }
}
