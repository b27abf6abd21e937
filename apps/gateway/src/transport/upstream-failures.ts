import type { UpstreamFailure } from './upstream-transport.ts';

/** What an error of undici means. */
export function upstreamFailure(error: Error & { code?: unknown }, started: boolean): UpstreamFailure {
  const code = typeof error.code === 'string' ? error.code : '';
  if (code === 'UND_ERR_INVALID_ARG' || code === 'UND_ERR_NOT_SUPPORTED') return failures.notSendable;
  if (!started) {
    if (code === 'address_refused' || code === 'refused') return failures.refused;
    return code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT' || code === 'timeout'
      ? failures.connectTimeout
      : failures.connectFailed;
  }
  if (code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT') return failures.timeout;
  const isMalformed = error.name === 'HTTPParserError' || malformed.has(code) || error.message === badUpgrade;
  return isMalformed ? failures.malformed : failures.reset;
}

/** `ERR_ASSERTION`: a status below 100, or 101 without the fields of one. */
const malformed = new Set([
  'UND_ERR_HEADERS_OVERFLOW',
  'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
  'UND_ERR_RESPONSE',
  'ERR_ASSERTION',
]);

/** An upgrade that was not asked for: it has the code of connections that were closed, and is an answer all the same. */
const badUpgrade = 'bad upgrade';

/** Every way in which an upstream call ends without a whole answer. Constants: a failing upstream costs no allocation. */
export const failures = {
  connectFailed: { code: 'upstream_connect_failed', message: 'the upstream could not be reached', unsent: true },
  connectTimeout: {
    code: 'upstream_connect_timeout',
    message: 'the upstream could not be reached in time',
    unsent: true,
  },
  busy: { code: 'upstream_busy', message: 'too many requests wait for the upstream', unsent: true },
  refused: { code: 'upstream_refused', message: 'the address of the upstream is refused', unsent: true },
  timeout: { code: 'upstream_timeout', message: 'the upstream took too long', unsent: false },
  reset: { code: 'upstream_reset', message: 'the upstream closed the connection', unsent: false },
  malformed: { code: 'upstream_malformed', message: 'the upstream gave a malformed answer', unsent: false },
  requestBody: { code: 'request_body_failed', message: 'the body of the request was not whole', unsent: false },
  notSendable: { code: 'request_not_sendable', message: 'the request cannot be sent to the upstream', unsent: false },
  aborted: { code: 'aborted', message: 'the request was given up', unsent: false },
} as const satisfies Record<string, UpstreamFailure>;
