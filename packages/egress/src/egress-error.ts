/**
 * Why a call failed.
 * - `refused`: the operator's rule forbids the address, it is none, or the request is none that can be sent.
 * - `unreachable`: the name does not resolve, nobody listens, TLS failed, the connection broke, too many calls wait already.
 * - `timeout`: it took longer than `timeoutMs`.
 * - `too_large`: the answer is longer than `responseBytesMax`, or its head than 64 KiB.
 * - `too_many_redirects`: more than `redirectsMax`, which is not 0.
 * - `aborted`: the signal fired.
 */
export type EgressFailure = 'refused' | 'unreachable' | 'timeout' | 'too_large' | 'too_many_redirects' | 'aborted';

/** A call that failed. It names no address, no header and no secret, and has no `cause` that would: it may be logged as it is. */
export class EgressError extends Error {
  override readonly name = 'EgressError';
  readonly code: EgressFailure;

  constructor(code: EgressFailure, message: string) {
    super(message);
    this.code = code;
  }
}

/** Codes of undici that are no failure of a connection. */
const failuresByCode: Readonly<Record<string, readonly [EgressFailure, string]>> = {
  UND_ERR_INVALID_ARG: ['refused', 'the request has a method, a header or a body that cannot be sent'],
  UND_ERR_HEADERS_OVERFLOW: ['too_large', "the answer's head is too long"],
};

/** What any error of a connection means. Of the error itself only its code is told (`ECONNREFUSED`): messages of Node name addresses. */
export function asEgressError(error: unknown): EgressError {
  if (error instanceof EgressError) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const [failure, message] = failuresByCode[code] ?? ['unreachable', 'no whole answer came'];
  const isTelling = failure === 'unreachable' && /^[A-Z][A-Z0-9_]{2,63}$/.test(code);
  return new EgressError(failure, isTelling ? `${message} (${code})` : message);
}
