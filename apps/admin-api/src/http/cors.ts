import type { OperationOutput } from './operation.ts';

/** Which pages of other origins may read answers: exact origins, none by default. Never with cookies: there are none. */
export interface CorsPolicy {
  readonly origins: ReadonlySet<string>;
}

/** What scripts may send. */
const requestHeaders = [
  'Accept',
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'X-Request-ID',
];

/** What scripts may read beside what they always may. */
const exposedHeaders = [
  'ETag',
  'Idempotency-Replayed',
  'Link',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'WWW-Authenticate',
  'X-Request-ID',
  'X-Total-Count',
];

/** How long a browser may remember what it was told, in seconds. */
const preflightMaxAgeSeconds = 600;

/** The headers that an answer to this origin needs; none where no origin is allowed. Source: Fetch standard, CORS protocol. */
export function corsHeaders(policy: CorsPolicy, origin: string | undefined): Readonly<Record<string, string>> {
  if (policy.origins.size === 0) return {};
  // Caches must not give one origin's answer to another, whether it was allowed or not.
  const vary = { vary: 'Origin' };
  if (origin === undefined || !policy.origins.has(origin)) return vary;
  return { ...vary, 'access-control-allow-origin': origin, 'access-control-expose-headers': exposedHeaders.join(', ') };
}

/** A request as far as it tells whether a browser asks for leave. */
export interface PreflightRequest {
  readonly method: string;
  header(name: string): string | undefined;
}

/** The answer to a browser that asks for leave before the real request; nothing when it is no such request. */
export function preflightAnswer(
  policy: CorsPolicy,
  request: PreflightRequest,
  allow: string,
): OperationOutput | undefined {
  const origin = request.header('origin');
  const isAsked = request.method === 'OPTIONS' && request.header('access-control-request-method') !== undefined;
  if (!isAsked || origin === undefined || !policy.origins.has(origin)) return undefined;
  return {
    status: 204,
    headers: {
      'access-control-allow-methods': allow,
      'access-control-allow-headers': requestHeaders.join(', '),
      'access-control-max-age': String(preflightMaxAgeSeconds),
      vary: 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers',
    },
  };
}
