import type { UpstreamFailure } from './upstream-transport.ts';

/** What an error of a connection means. @param started whether a request was on it */
export function upstreamFailure(error: Error & { code?: unknown }, started: boolean): UpstreamFailure {
  const code = typeof error.code === 'string' ? error.code : '';
  if (!started) {
    if (code === 'address_refused' || code === 'refused') return failures.refused;
    if (isTlsError(code)) return failures.tlsFailed;
    return code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT' || code === 'timeout'
      ? failures.connectTimeout
      : failures.connectFailed;
  }
  // In TLS 1.3 a server judges the gateway's certificate when the gateway is done, and before it reads any request.
  if (certificateAlert.test(code)) return failures.tlsFailed;
  return failures.reset;
}

/** Whether TLS did not come about: the handshake failed, or a certificate was not accepted. */
export function isTlsError(code: string): boolean {
  return /^ERR_(?:SSL|TLS)_/.test(code) || verificationErrors.has(code);
}

const certificateAlert =
  /^ERR_SSL_.*_ALERT_(?:CERTIFICATE_|BAD_CERTIFICATE|UNKNOWN_CA|UNSUPPORTED_CERTIFICATE|ACCESS_DENIED)/;

/** Codes of OpenSSL's verification that start like no others. Source: Node, TLS, X509 certificate error codes. */
const verificationErrors = new Set([
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_CRL',
  'UNABLE_TO_DECRYPT_CERT_SIGNATURE',
  'UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'CERT_SIGNATURE_FAILURE',
  'CERT_NOT_YET_VALID',
  'CERT_HAS_EXPIRED',
  'CERT_CHAIN_TOO_LONG',
  'CERT_REVOKED',
  'CERT_UNTRUSTED',
  'CERT_REJECTED',
  'ERROR_IN_CERT_NOT_BEFORE_FIELD',
  'ERROR_IN_CERT_NOT_AFTER_FIELD',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'INVALID_CA',
  'PATH_LENGTH_EXCEEDED',
  'INVALID_PURPOSE',
  'HOSTNAME_MISMATCH',
  // What Node has no name for.
  'UNSPECIFIED',
]);

/** Every way in which an upstream call ends without a whole answer. Constants: a failing upstream costs no allocation. */
export const failures = {
  connectFailed: { code: 'upstream_connect_failed', message: 'the upstream could not be reached', unsent: true },
  connectTimeout: {
    code: 'upstream_connect_timeout',
    message: 'the upstream could not be reached in time',
    unsent: true,
  },
  tlsFailed: { code: 'upstream_tls_failed', message: 'no TLS connection to the upstream could be made', unsent: true },
  noRequests: { code: 'upstream_refused', message: 'the upstream carries connections and no requests', unsent: true },
  busy: { code: 'upstream_busy', message: 'too many requests wait for the upstream', unsent: true },
  refused: { code: 'upstream_refused', message: 'the address of the upstream is refused', unsent: true },
  unprocessed: { code: 'upstream_unprocessed', message: 'the upstream did not take the request', unsent: true },
  timeout: { code: 'upstream_timeout', message: 'the upstream took too long', unsent: false },
  reset: { code: 'upstream_reset', message: 'the upstream closed the connection', unsent: false },
  malformed: { code: 'upstream_malformed', message: 'the upstream gave a malformed answer', unsent: false },
  requestBody: { code: 'request_body_failed', message: 'the body of the request was not whole', unsent: false },
  notSendable: { code: 'request_not_sendable', message: 'the request cannot be sent to the upstream', unsent: false },
  aborted: { code: 'aborted', message: 'the request was given up', unsent: false },
} as const satisfies Record<string, UpstreamFailure>;
