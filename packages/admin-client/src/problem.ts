/** One mistake in a body or parameter. */
export interface ProblemField {
  /** JSON Pointer into the body; empty for the body itself. */
  readonly pointer: string;
  readonly code: string;
  readonly message: string;
}

/** What stopped a request before an answer came, or made the answer useless. */
export const transportCodes = [
  /** Nobody listens at the address. */
  'connection_refused',
  /** The host name leads nowhere. */
  'host_not_found',
  /** No complete answer within the time limit. */
  'timeout',
  /** The answer was a redirect. It is not followed: the token would go to whoever it names. */
  'redirect_refused',
  /** The connection broke, or TLS failed. */
  'connection_failed',
  /** The answer is larger than allowed or not what its content type says. */
  'invalid_response',
  /** A URL would read the path as another one, say with `..` for an ID. Nothing was sent. */
  'invalid_path',
] as const;

/** See {@link transportCodes}. */
export type TransportCode = (typeof transportCodes)[number];

/**
 * Why a request failed: the API's own `application/problem+json`, or a transport failure with a code of
 * {@link transportCodes} and no status. Source: RFC 9457; wire contract, Errors.
 */
export interface AdminProblem {
  /** Stable name: one of the API's codes, a transport code, or `http_<status>` for an answer that is no problem document. */
  readonly code: string;
  /** HTTP status; null when no answer came. */
  readonly status: number | null;
  readonly title: string;
  /** One sentence for people. */
  readonly detail: string;
  readonly errors: readonly ProblemField[];
  /** What the server logged the request under. */
  readonly requestId: string | null;
  /** Seconds to wait, when the server said so. */
  readonly retryAfterSeconds: number | null;
}

/** A transport failure. */
export function transportProblem(code: TransportCode, detail: string): AdminProblem {
  return { code, status: null, title: detail, detail, errors: [], requestId: null, retryAfterSeconds: null };
}

/** The problem that a failed answer describes; one made from the status where the body describes none. */
export function problemFromAnswer(status: number, headers: Headers, body: unknown): AdminProblem {
  const said = typeof body === 'object' && body !== null ? (body as Readonly<Record<string, unknown>>) : {};
  const title = textOr(said['title'], `HTTP status ${status}`);
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return {
    code: textOr(said['code'], `http_${status}`),
    status,
    title,
    detail: textOr(said['detail'], title),
    errors: Array.isArray(said['errors']) ? said['errors'].flatMap(fieldOf) : [],
    requestId: headers.get('x-request-id') ?? (typeof said['request_id'] === 'string' ? said['request_id'] : null),
    retryAfterSeconds: Number.isFinite(seconds) ? seconds : null,
  };
}

function fieldOf(value: unknown): ProblemField[] {
  if (typeof value !== 'object' || value === null) return [];
  const { pointer, code, message } = value as Readonly<Record<string, unknown>>;
  return [{ pointer: textOr(pointer, ''), code: textOr(code, 'invalid'), message: textOr(message, 'is invalid') }];
}

function textOr(value: unknown, fallback: string): string {
  return typeof value === 'string' ? value : fallback;
}
